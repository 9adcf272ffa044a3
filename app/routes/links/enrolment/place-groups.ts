import { href } from 'react-router';
import { isOver } from '#app/features/enrolments/attended-places.server.ts';
import { type CancellationPlan, planCancellation } from '#app/features/enrolments/cancellation-plan.ts';
import { raiseRows, reasonOf } from '#app/features/enrolments/cancellation-words.ts';
import { openChoice } from '#app/features/enrolments/choosing.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { modulesCount } from '#app/features/enrolments/modules.ts';
import { refundablePlace } from '#app/features/enrolments/refundable.ts';
import { isTransferable } from '#app/features/enrolments/transferable.ts';
import { courseInWords, readiness } from '#app/features/enrolments/words.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import {
  type RefundablePlace,
  type RefundStep,
  refundReasons,
  refundSteps,
} from '#app/features/money/refund-ladder.ts';
import { type RefundRow, refundRows } from '#app/features/money/refund-rows.ts';
import { refundText } from '#app/features/money/refund-text.ts';
import type { Attending } from '#app/features/sessions/attending.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { brisbaneTime, formatMoment } from '#app/lib/short-dates.ts';
import type { NoSeat, OtherDates } from './other-dates.server.ts';

/** One place on the buyer's page. */
type PlaceShown = {
  id: number;
  attendeeId: number;
  /** Null: to be named. */
  who: string | null;
  email: string | null;
};

/** One step of the refund ladder in words: `Until 1 December`, `AU$2,299 back`. */
export type StepShown = { when: string; back: string };

/** Places of an enrolment that are the same but for who attends: course, date, price and refund. */
export type PlaceGroup = {
  title: string;
  when: string;
  where: string;
  /** The link to the live class; null until it is set, and for a date that does not take place or is over. */
  join: string | null;
  standing: string;
  /** How many modules of guided study were opened, in words: not which. */
  opened: string | null;
  /** How to join and what to bring; null for a date that does not take place or is over. */
  ready: string | null;
  /** For each place, GST included. */
  eachCents: Cents;
  /**
   * The refund for each place if only it is cancelled now, its reason, and whether anything was paid that could come back.
   * Below zero, the amount owed besides.
   */
  refund: { cents: Cents; reason: string; paid: boolean };
  /** A sentence that the higher price of kept courses of the combo is deducted; null when it is not. */
  keeping: string | null;
  /** Today's step first; null for guided study, whose refund `words` tells. */
  rows: RefundRow[] | null;
  words: string;
  /** The academy cancelled or moved the session: until when its buyer chooses (P40). */
  choose: { by: string; why: NonNullable<Place['chooseWhy']> } | null;
  hasDates: boolean;
  /** Unless its date is over. */
  cancellable: boolean;
  transferable: boolean;
  /** Why a place with a date cannot be moved, and where a seat is waited for; null when it can be, or has no date. */
  unmovable: { why: string; waitingList: string | null } | null;
  /** Why nobody can be added to its date; null when somebody can. */
  noSeat: NoSeat | null;
  places: [PlaceShown, ...PlaceShown[]];
};

type Now = Pick<Moment, 'now' | 'today'> & {
  /** The site's texts of how to join and what to bring. */
  attending: Attending | null;
  /** Whether the buyer has paid something that could come back. */
  paid: boolean;
  /** The other dates of its course. */
  otherDates: (place: Place) => OtherDates;
  noSeat: (place: Place) => NoSeat | null;
};

/** Whether a place is still taken: guided study ends with its access, also before that was recorded (P40). */
export const isTaken = ({ state, guidedFrom }: Place, today: Day): boolean =>
  state === 'active' && (guidedFrom === null || !isAccessOver(guidedFrom, today));

/**
 * Whether a place can still be given up: its session, or access to its modules, is not over. Of a session that is over
 * but was not confirmed cancelling stays free (P39), and of one that was cancelled its buyer has the days to choose
 * (P40).
 */
export const isCancellable = (place: Place, today: Day): boolean =>
  isTaken(place, today) &&
  (place.session === null || place.session.endsOn >= today || place.session.state !== 'confirmed');

/**
 * The active places of an enrolment for its buyer's page. `chargedFor` says what is charged for a place after notes.
 */
export function placeGroups(enrolment: Enrolment, chargedFor: (placeId: number) => Cents, now: Now): PlaceGroup[] {
  const groups = new Map<string, PlaceGroup>();
  for (const place of enrolment.places) {
    if (!isTaken(place, now.today)) continue;
    const { places: one, ...group } = groupOf(enrolment, place, chargedFor(place.id), now);
    // Equal texts are shown once.
    const key = JSON.stringify([group, place.courseId, place.session?.id]);
    const before = groups.get(key);
    if (before) before.places.push(...one);
    else groups.set(key, { ...group, places: one });
  }
  return [...groups.values()];
}

function groupOf(
  enrolment: Enrolment,
  place: Place,
  chargedCents: Cents,
  { now, today, paid, attending, otherDates, noSeat }: Now,
): PlaceGroup {
  const { title, when, where, join = null, standing } = courseInWords([place]);
  const refundable = refundablePlace(enrolment, place, { now, chargedCents });
  const plan = planCancellation(enrolment, { places: [place], charged: () => chargedCents }, { now });
  const choice = openChoice(place, today);
  const others = otherDates(place);
  const over = place.session !== null && place.session.state !== 'cancelled' && isOver(place.session, now);
  return {
    title,
    when,
    where,
    join: over ? null : join,
    standing: over ? 'This course date is over.' : standing,
    opened: place.way === 'guided' ? modulesCount(place) : null,
    ready: over || place.session?.state === 'cancelled' ? null : readiness(place, attending, 'buyer'),
    eachCents: place.way === 'next-date' ? place.amountCents : chargedCents,
    refund: { cents: plan.backCents, reason: reasonOf(enrolment, place, { plan, paid, today }), paid },
    keeping: keepingOf(enrolment, plan),
    rows: place.way === 'session' && !refundable.academyChanged ? refundRows(refundable, now) : null,
    words: wordsOf(refundable, now),
    choose: choice && { by: formatDay(choice.by), why: choice.why },
    hasDates: isToCome(place, today),
    cancellable: isCancellable(place, today),
    transferable: isTransferable(place, today) && others.free,
    unmovable: place.way === 'session' && choice === null ? unmovableOf(place, others, today) : null,
    noSeat: place.session?.state === 'cancelled' ? null : noSeat(place),
    places: [placeShown(place)],
  };
}

/** Whether a place has days that belong into a calendar: its date is neither cancelled nor over. */
export const isToCome = ({ session }: Pick<Place, 'session'>, today: Day): boolean =>
  session !== null && session.state !== 'cancelled' && session.endsOn >= today;

function unmovableOf(place: Place, { free, full }: OtherDates, today: Day): PlaceGroup['unmovable'] {
  if (isTransferable(place, today) && free) return null;
  if (place.freeMovesUsed > 0) return { why: 'The free move has been used.', waitingList: null };
  if (!isTransferable(place, today)) return { why: 'The course has begun.', waitingList: null };
  const [first, ...more] = full;
  if (!first) {
    const waitingList = `${href('/waiting-list')}?course=${place.courseSlug}`;
    return { why: 'No other date is set at the moment.', waitingList };
  }
  const waitingList = `${href('/waiting-list')}?session=${first.slug}`;
  return more.length === 0
    ? { why: `The only other date, ${first.days}, is full.`, waitingList }
    : { why: `The other dates are full; the first is ${first.days}.`, waitingList };
}

function keepingOf(enrolment: Enrolment, plan: CancellationPlan): string | null {
  const rows = raiseRows(enrolment, plan);
  if (rows.length === 0) return null;
  const each = rows.map(({ label, now, more }) => `${label} ${now}, ${more} more`).join('; ');
  return `The courses you keep then cost their own price: ${each}.`;
}

function wordsOf(place: RefundablePlace, now: Date): string {
  if (place.academyChanged) return refundReasons['academy-changed'];
  return refundText(place, now);
}

const placeShown = ({ id, attendee }: Place): PlaceShown => ({
  id,
  attendeeId: attendee.id,
  who: attendee.name,
  email: attendee.email,
});

/** The refund ladder of a place in words, today's step first (P31). */
export const stepsOf = (place: RefundablePlace, now: Date): StepShown[] => refundSteps(place, now).map(stepShown);

function stepShown({ until, lastDay, cents, before }: RefundStep, at: number): StepShown {
  const then = cents === 0 ? 'no refund' : `${formatMoney(cents)} back`;
  const back = before
    ? `${formatMoney(before.cents)} back until ${brisbaneTime(before.until)} Brisbane time, then ${then}`
    : then;
  if (until === null) return { when: at === 0 ? 'From now on' : 'After that', back };
  return { when: `Until ${lastDay ? formatDayAndMonth(lastDay) : `${formatMoment(until)}, Brisbane time`}`, back };
}
