/** A calendar day, `2027-03-01`. */
export type Day = string;

const dayMs = 86_400_000;
const startOf = (day: Day) => Date.parse(`${day}T00:00:00Z`);
export const addDays = (day: Day, days: number): Day =>
  new Date(startOf(day) + days * dayMs).toISOString().slice(0, 10);
const daysBetween = (from: Day, to: Day): number => Math.round((startOf(to) - startOf(from)) / dayMs);
const midnight = (day: Day): number => Date.parse(`${day}T00:00:00+10:00`);

export type CourseDate = {
  id: number;
  slug: string;
  course: string;
  startsOn: Day;
  capacity: number;
  minimum: number;
  state: 'tentative' | 'confirmed' | 'cancelled';
  /** Its hours: from nine, or from half past nine. */
  early: boolean;
};

/** One attendee on one course, on a date or guided from a Monday; amounts in cents. */
export type Place = {
  id: number;
  attendee: number;
  who: string | null;
  course: string;
  date: CourseDate | null;
  monday: Day | null;
  modules: number;
  opened: number;
  /** What is charged for it after notes, and what the combo took off its price. */
  charge: number;
  discount: number;
  active: boolean;
  /** Its free move is used, and the part of the charge that came back on the day of a move. */
  moved: boolean;
  cap: number;
  /** The academy cancelled or moved its date: the last day on which its buyer chooses. */
  chooseBy: Day | null;
};

/** The places that are cancelled together: one course, or what has not begun of one person's combo (P99). */
export type Purchase = { goes: Place[]; begun: Place[] };

export type Enrolment = {
  id: number;
  reference: string;
  token: string;
  email: string;
  enrolledAt: number;
  /** The places of each person together, when it is a combo. */
  combo: boolean;
  people: Place[][];
  invoiced: number;
  paid: number;
  refunded: number;
};

/** Somebody who waits for seats of a date; `price` is what a seat cost when they were offered, at `offeredAt`. */
export type Entry = {
  email: string;
  date: CourseDate;
  seats: number;
  confirmed: boolean;
  state: 'waiting' | 'offered' | 'bought' | 'declined' | 'left' | 'lapsed' | 'over';
  price: number;
  offeredAt: number;
};

/** A quote for people on one date; `price` is of one person, `shown` the days and hours that it names. */
export type Quote = {
  path: string;
  email: string;
  date: CourseDate;
  people: number;
  price: number;
  shown: string;
  /** Until when its seats are held. */
  heldUntil: number;
  lastDay: Day;
  state: 'sent' | 'accepted' | 'declined' | 'over';
};

const combos: Record<string, readonly string[]> = {
  'cloud-defender': ['aws-cloud-practitioner', 'aws-security-specialty', 'ccsp'],
};
export const [combo = '', comboCourses = []] = Object.entries(combos)[0] ?? [];
/** Sold alone; its modules have their reading. */
export const single = 'soc-fundamentals';
const comboPercent = 30;
const offerMs = 72 * 3_600_000;
const quoteMs = 48 * 3_600_000;
const shownOf = ({ startsOn, early }: CourseDate) => `${startsOn} ${early}`;
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/**
 * The records of one academy as they should be, from the sentences of P27, P28, P38, P39, P48, P99, P100 and P111. Nothing
 * here calls the program.
 */
export class Model {
  now = Date.parse('2027-03-01T09:00:00+10:00');
  dates: CourseDate[] = [];
  enrolments: Enrolment[] = [];
  /** In the order in which they joined. */
  entries: Entry[] = [];
  quotes: Quote[] = [];
  /** The price list of the content. */
  prices = new Map([
    [single, 179_900],
    ['aws-cloud-practitioner', 149_900],
    ['aws-security-specialty', 329_900],
    ['ccsp', 429_900],
  ]);

  get today(): Day {
    return new Date(this.now + 10 * 3_600_000).toISOString().slice(0, 10);
  }
  placesOf = (enrolment: Enrolment): Place[] => enrolment.people.flat();
  activeOf = (enrolment: Enrolment): Place[] => enrolment.people.flat().filter(({ active }) => active);
  get places(): Place[] {
    return this.enrolments.flatMap(({ people }) => people.flat());
  }

  // P27: seats.
  sold(date: CourseDate): number {
    return this.places.filter((place) => place.active && place.date === date).length;
  }
  offered(date: CourseDate): number {
    return sumOf(this.entries.filter((one) => one.date === date && one.state === 'offered').map(({ seats }) => seats));
  }
  free(date: CourseDate): number {
    return date.capacity - this.sold(date) - this.offered(date) - this.held(date);
  }
  isOpen(date: CourseDate): boolean {
    return date.state !== 'cancelled' && this.today < date.startsOn;
  }
  openDates(course: string): CourseDate[] {
    return this.dates.filter((date) => date.course === course && this.isOpen(date));
  }
  /** A date that enough people have enrolled for is confirmed. */
  confirmReached(): void {
    for (const date of this.dates) {
      if (date.state === 'tentative' && this.sold(date) >= date.minimum) date.state = 'confirmed';
    }
  }

  // P30: what a combo saves is shared by largest remainder; its price is whole dollars.
  priceOf(course: string): number {
    return this.prices.get(course) ?? 0;
  }
  comboDiscounts(): Map<string, number> {
    const prices = comboCourses.map((course) => this.priceOf(course));
    const sum = sumOf(prices);
    const saving = sum - Math.floor((sum * (100 - comboPercent)) / 10_000) * 100;
    const exact = prices.map((price) => (price * saving) / sum);
    const shares = exact.map(Math.floor);
    const byRemainder = exact.map((share, at) => ({ at, rest: share % 1 })).sort((a, b) => b.rest - a.rest);
    for (const { at } of byRemainder.slice(0, saving - sumOf(shares))) shares[at] = (shares[at] ?? 0) + 1;
    return new Map(comboCourses.map((course, at) => [course, shares[at] ?? 0]));
  }

  // P99, P100: what cancelling gives back.
  /** The part of a charge that the ladder gives back now. */
  ladder(enrolment: Enrolment, place: Place): number {
    if (place.chooseBy !== null) return 1;
    if (place.monday !== null) {
      if (place.opened === 0 && this.today < place.monday) return 1;
      return (place.modules - place.opened) / place.modules;
    }
    return Math.min(place.cap, this.rung(enrolment, place));
  }
  private rung(enrolment: Enrolment, { date }: Place): number {
    if (date?.state !== 'confirmed') return 1;
    const left = daysBetween(this.today, date.startsOn);
    if (left >= 14 || (left > 0 && this.now - enrolment.enrolledAt < dayMs)) return 1;
    return left >= 7 ? 0.5 : 0;
  }
  daysLeft({ date }: Place): number {
    return date ? daysBetween(this.today, date.startsOn) : Number.POSITIVE_INFINITY;
  }
  /** The enrolments of which a day more or less would give back another sum. */
  atEdge(): Enrolment[] {
    const edges = [14, 13, 7, 6, 0];
    return this.enrolments.filter((one) => this.activeOf(one).some((place) => edges.includes(this.daysLeft(place))));
  }
  hasBegun({ date, monday, opened }: Place): boolean {
    if (date) return date.state === 'confirmed' && date.startsOn <= this.today;
    return opened > 0 || (monday ?? '') <= this.today;
  }
  /** What can be cancelled together; a course that the academy cancelled or moved is chosen for alone. */
  purchasesOf(enrolment: Enrolment): Purchase[] {
    const alone = (place: Place): Purchase => ({ goes: [place], begun: [] });
    if (!enrolment.combo) return this.activeOf(enrolment).map(alone);
    return enrolment.people.flatMap((places) => {
      const active = places.filter((place) => place.active);
      const together = active.filter(({ chooseBy }) => chooseBy === null);
      const begun = together.filter((place) => this.hasBegun(place));
      const goes = together.filter((place) => !begun.includes(place));
      const chosenFor = active.filter(({ chooseBy }) => chooseBy !== null).map(alone);
      return goes.length > 0 ? [{ goes, begun }, ...chosenFor] : chosenFor;
    });
  }
  /** A place on a date is cancelled before its first day; guided study also later. */
  mayCancel({ goes }: Purchase): boolean {
    return goes.every((place) => place.chooseBy !== null || place.monday !== null || !this.hasBegun(place));
  }
  refundOf(enrolment: Enrolment, { goes, begun }: Purchase): number {
    const back = goes.map((place) => Math.ceil(place.charge * this.ladder(enrolment, place)));
    return Math.max(0, sumOf(back) - sumOf(begun.map(({ discount }) => discount)));
  }
  cancel(enrolment: Enrolment, purchase: Purchase): void {
    let left = this.refundOf(enrolment, purchase);
    for (const place of purchase.goes) {
      const back = Math.min(left, place.charge);
      left -= back;
      Object.assign(place, { active: false, chooseBy: null, charge: place.charge - back });
    }
  }
  /** Staff give back all of a place, with a reason. */
  cancelInFull(place: Place): void {
    Object.assign(place, { active: false, chooseBy: null, charge: 0 });
  }

  /** One free move before the first day, and a free one when the academy cancelled or moved the date. */
  mayMove({ chooseBy, date, moved }: Place): boolean {
    return chooseBy !== null || (date !== null && this.today < date.startsOn && !moved);
  }
  move(enrolment: Enrolment, place: Place, to: CourseDate, atTheirWish: boolean): void {
    if (atTheirWish && place.chooseBy === null) {
      Object.assign(place, { moved: true, cap: this.ladder(enrolment, place) });
    }
    Object.assign(place, { date: to, chooseBy: null });
    this.confirmReached();
  }

  /** The academy cancels a date or moves it to another day: 14 days to choose, and before the first day. */
  askToChoose(date: CourseDate): void {
    const [latest, eve] = [addDays(this.today, 14), addDays(date.startsOn, -1)];
    for (const place of this.places) {
      if (place.active && place.date === date) {
        place.chooseBy = date.startsOn > this.today && eve < latest ? eve : latest;
      }
    }
  }
  /** Silence keeps what takes place, and refunds what does not. */
  endChoices(): void {
    for (const place of this.places) {
      if (place.chooseBy === null || place.chooseBy >= this.today) continue;
      if (place.date?.state === 'cancelled') this.cancelInFull(place);
      else place.chooseBy = null;
    }
  }

  /** A place stays with whom it began: another person gets only what has not begun. */
  isKept({ date, opened }: Place): boolean {
    return date ? date.startsOn <= this.today : opened > 0;
  }

  // P48: waiting lists.
  /** An offer has 72 hours, or until enrolment closes. */
  endOf({ offeredAt, date }: Entry): number {
    return Math.min(offeredAt + offerMs, midnight(date.startsOn));
  }
  /** Ends offers whose time is over, and lists of dates that are over; then offers free seats in order. */
  keepLists(): void {
    for (const entry of this.entries) {
      const { date, state } = entry;
      if (state !== 'offered' && state !== 'waiting') continue;
      if (state === 'offered' && this.endOf(entry) <= this.now) entry.state = 'lapsed';
      else if (!this.isOpen(date)) entry.state = 'over';
    }
    for (const entry of this.entries) {
      if (entry.state !== 'waiting' || !entry.confirmed || entry.seats > this.free(entry.date)) continue;
      Object.assign(entry, { state: 'offered', offeredAt: this.now, price: this.priceOf(entry.date.course) });
    }
  }

  // P111, P112: quotes.
  held(date: CourseDate): number {
    return sumOf(this.quotes.filter((one) => one.date === date && this.isHeld(one)).map(({ people }) => people));
  }
  private isHeld({ state, heldUntil, date }: Quote): boolean {
    return state === 'sent' && this.now < heldUntil && date.state !== 'cancelled';
  }
  /** Two weeks on, or the last day of enrolment; its seats are held for two days of them. */
  quote(path: string, email: string, date: CourseDate, people: number): void {
    const lastDay = [addDays(this.today, 14), addDays(date.startsOn, -1)].sort()[0] ?? '';
    const heldUntil = Math.min(this.now + quoteMs, midnight(addDays(lastDay, 1)));
    const price = this.priceOf(date.course);
    this.quotes.push({ path, email, date, people, price, shown: shownOf(date), heldUntil, lastDay, state: 'sent' });
  }
  /** It is open, its date is as it was, and its seats are held or free. */
  mayAccept(quote: Quote): boolean {
    const { date, people, shown, state } = quote;
    const seats = this.isHeld(quote) || this.free(date) >= people;
    return state === 'sent' && this.isOpen(date) && shown === shownOf(date) && seats;
  }
  endQuotes(): void {
    for (const quote of this.quotes) if (quote.state === 'sent' && quote.lastDay < this.today) quote.state = 'over';
  }

  /** What is owed: invoices less notes less payments plus refunds (P39). */
  owed(enrolment: Enrolment): number {
    return this.charged(enrolment) - enrolment.paid + enrolment.refunded;
  }
  charged = (enrolment: Enrolment): number => sumOf(this.placesOf(enrolment).map(({ charge }) => charge));
}
