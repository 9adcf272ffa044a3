import type { SessionState } from '#app/lib/session-state.ts';
import { addDays, type Day, daysBetween } from './calendar.ts';

/** A training session as the model knows it. */
export type Session = {
  id: number;
  slug: string;
  course: string;
  startsOn: Day;
  capacity: number;
  minimum: number;
  state: SessionState;
  /** It began as a tentative one, and has been confirmed since that day. */
  decisionNeeded?: boolean;
  confirmedOn?: Day;
};

/** One attendee on one course. Amounts are in cents. */
export type Place = {
  id: number;
  attendee: number;
  course: string;
  way: 'session' | 'guided' | 'next-date';
  session: Session | null;
  monday: Day | null;
  modules: number;
  opened: number;
  /** What the combo takes off its own price, and what of that has to be paid after all. */
  discount: number;
  withdrawn: number;
  /** What is charged for it apart from `withdrawn`; of a cancelled place what is kept of it. */
  bare: number;
  /** Of a place that had begun when it was cancelled: the discount of what is kept of it. */
  used: number;
  placedHour: number;
  /** The hour of placing, or of getting the date that it was bought without. */
  boundHour: number;
  active: boolean;
  moves: { hour: number; startsOn: Day; state: Session['state'] }[];
  freeMoveUsed: boolean;
  choice: { by: Day; why: 'moved' | 'cancelled' } | null;
  /** The day on which it was given back, or refunded to who said nothing, because the academy cancelled or moved its date. */
  causedOn: Day | null;
};

/** A seat of a session that was sold for a place, and when it was given back. */
type Sale = {
  session: Session;
  place: Place;
  enrolment: Enrolment;
  sold: number;
  givenBack: number | null;
  givenBackOn: Day | null;
  /** The academy had cancelled the session by then. */
  leftCancelled: boolean;
};

export type Enrolment = {
  id: number;
  reference: string;
  email: string;
  token: string;
  combo: boolean;
  places: Place[];
  paid: number;
  refunded: number;
};

/**
 * What the enrolments of one academy should be, written down from the terms alone: nothing here calls the program. Time
 * is counted in hours since 9 am in Brisbane on the first day.
 */
export class World {
  readonly firstDay: Day;
  /** How many hours combos are sold at their discount; in the content of the run, not in the code. */
  readonly discountHours: number;
  constructor(firstDay: Day = '2027-03-01', discountHours = Number.POSITIVE_INFINITY) {
    this.firstDay = firstDay;
    this.discountHours = discountHours;
  }
  hour = 0;
  sessions: Session[] = [];
  enrolments: Enrolment[] = [];

  get now(): Date {
    return new Date(Date.parse(`${this.firstDay}T09:00:00+10:00`) + this.hour * 3_600_000);
  }
  dayAt(hour: number): Day {
    return addDays(this.firstDay, Math.floor((hour + 9) / 24));
  }
  get today(): Day {
    return this.dayAt(this.hour);
  }
  get places(): Place[] {
    return this.enrolments.flatMap(({ places }) => places);
  }
  sold(session: Session): number {
    return this.places.filter((place) => place.active && place.session === session).length;
  }

  /** What the ladder gives of an amount for a place if it is cancelled now (the table of /terms). */
  ladder(place: Place, cents = charge(place), together: readonly Place[] = []): number {
    if (this.isCaused(place, together) || place.way === 'next-date') return cents;
    if (place.way === 'guided' && place.monday) {
      if (this.today >= this.accessEnds(place.monday)) return 0;
      if (place.opened === 0 && this.today < place.monday) return cents;
      return Math.ceil((cents * (place.modules - place.opened)) / place.modules);
    }
    if (!place.session) throw new Error('a place is taken in one of three ways');
    const of = (hour: number, startsOn: Day, state: Session['state']) => {
      const left = daysBetween(this.dayAt(hour), startsOn);
      if (state !== 'confirmed' || left >= 14) return cents;
      if (hour - place.boundHour < 24 && left > 0) return cents;
      return left >= 7 ? Math.ceil(cents / 2) : 0;
    };
    return Math.min(
      of(this.hour, place.session.startsOn, place.session.state),
      ...place.moves.map((move) => of(move.hour, move.startsOn, move.state)),
    );
  }

  /**
   * The academy cancelled or moved its session. Or in a combo that of another course, which goes with it now or went in
   * the last 14 days, and it has not begun.
   */
  isCaused(place: Place, together: readonly Place[] = []): boolean {
    if (place.choice) return true;
    if (!this.enrolmentOf(place).combo || this.hasBegun(place)) return false;
    const others = this.enrolmentOf(place).places.filter((one) => one.attendee === place.attendee);
    return others.some(
      (one) =>
        (one.choice !== null && together.includes(one)) ||
        (one.causedOn !== null && daysBetween(one.causedOn, this.today) <= 14),
    );
  }
  enrolmentOf(place: Place): Enrolment {
    const enrolment = this.enrolments.find(({ places }) => places.includes(place));
    if (!enrolment) throw new Error('a place belongs to an enrolment');
    return enrolment;
  }

  /** The first day without access: twelve months after the Monday. */
  accessEnds(monday: Day): Day {
    return `${Number(monday.slice(0, 4)) + 1}${monday.slice(4)}`;
  }

  /** Whether it has begun: on its first day it has. Something of it counts as kept then when it is cancelled. */
  hasBegun(place: Place): boolean {
    return place.opened > 0 || (place.session?.startsOn ?? place.monday ?? '9999') <= this.today;
  }

  /** What the places of an enrolment cost together. */
  contract({ places }: Enrolment): number {
    return places.reduce((sum, place) => sum + charge(place), 0);
  }

  /**
   * Cancels places now; returns what the contract costs afterwards. Who keeps part of a combo pays for it its own price,
   * out of what comes back; the contract never gets dearer.
   */
  cancel(enrolment: Enrolment, cancelled: readonly Place[], how: 'ladder' | 'full'): number {
    let after = this.contract(enrolment);
    for (const attendee of new Set(cancelled.map((place) => place.attendee))) {
      const its = enrolment.places.filter((place) => place.attendee === attendee);
      const own = its.filter((place) => cancelled.includes(place));
      const caused = own.filter((place) => this.isCaused(place, own));
      const given = how === 'full' ? own : caused;
      const left = own.filter((place) => !given.includes(place));
      const kept = left.map((place) => ({
        bare: place.bare - this.ladder(place, place.bare),
        used: this.hasBegun(place) ? place.discount - this.ladder(place, place.discount) : 0,
      }));
      const freed = sumOf(given.map(charge));
      const before = sumOf(its.map(charge)) - freed;
      if (how === 'ladder') for (const place of own) if (place.choice) place.causedOn = this.today;
      for (const place of own) Object.assign(place, { active: false, choice: null });
      for (const place of given) Object.assign(place, { bare: 0, withdrawn: 0, used: 0 });
      for (const [at, place] of left.entries()) Object.assign(place, kept[at]);
      after -= freed + (left.length > 0 ? before - this.cheapest(its, before) : 0);
      for (const place of own) this.giveBack(place);
    }
    return after;
  }

  /** What one attendee's places cost at their own prices where they are kept, never more than before. */
  private cheapest(its: readonly Place[], before: number): number {
    return Math.min(before, sumOf(its.map(({ bare, active, discount, used }) => bare + (active ? discount : used))));
  }

  /** All of a place comes back because its session has sold out since; returns what the contract costs afterwards. */
  soldOut(enrolment: Enrolment, place: Place): number {
    const its = enrolment.places.filter(({ attendee }) => attendee === place.attendee);
    const before = sumOf(its.map(charge));
    Object.assign(place, { bare: 0, used: 0 });
    return this.contract(enrolment) - sumOf(its.map(charge)) + this.cheapest(its, before);
  }

  sales: Sale[] = [];
  private count = 0;
  sell(place: Place): void {
    if (!place.session) return;
    this.count += 1;
    this.sales.push({
      session: place.session,
      place,
      enrolment: this.enrolmentOf(place),
      sold: this.count,
      givenBack: null,
      givenBackOn: null,
      leftCancelled: false,
    });
  }
  giveBack(place: Place): void {
    const sale = this.sales.findLast((one) => one.place === place && one.givenBack === null);
    this.count += 1;
    const leftCancelled = sale?.session.state === 'cancelled';
    if (sale) Object.assign(sale, { givenBack: this.count, givenBackOn: this.today, leftCancelled });
  }

  /**
   * The cancelled places of which something was kept and whose session has sold out since, by sales that can no longer be
   * cancelled for everything and are not to the same buyer.
   */
  soldOutSince(): Sale[] {
    return this.sales.filter((sale) => {
      const { session, place, enrolment, givenBack } = sale;
      if (place.active || givenBack === null || charge(place) === 0 || session !== place.session) return false;
      if (session.state === 'cancelled') return false;
      const held = this.sales.filter((one) => one.session === session && one.givenBack === null && one.place.active);
      const counted = held.filter(
        (one) =>
          // By the days alone: staff may have taken everything off its price.
          this.ladder(one.place, 100) < 100 && !(one.enrolment.email === enrolment.email && one.sold > givenBack),
      );
      return counted.length >= session.capacity;
    });
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** What is charged for a place now. */
export const charge = ({ bare, withdrawn }: Place) => bare + withdrawn;
