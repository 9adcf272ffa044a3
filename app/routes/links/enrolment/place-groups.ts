import { href } from 'react-router';
import type { Attending } from '#app/features/course-dates/rules.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { isOver, mayCancel, mayMove, minimumBroken, openChoice } from '#app/features/enrolments/may-change.ts';
import { modulesCount } from '#app/features/enrolments/modules.ts';
import { type Charged, purchaseOf, purchasesOf, refundable } from '#app/features/enrolments/purchases.ts';
import { settledAs } from '#app/features/enrolments/refund-lines.ts';
import { courseInWords, placeLinks, readiness } from '#app/features/enrolments/words.ts';
import { splitCredit } from '#app/features/money/balance.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import { type Purchase, type RefundStep, refundAt, refundSteps } from '#app/features/money/refund.ts';
import { type RefundRow, refundRows, refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { CalendarLinks } from '#app/lib/calendar-links.ts';
import { type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
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
  /** The price of each place, GST included. */
  eachCents: Cents;
  /** Why it is less than the course’s own price, such as `Agreed with Councilworks: 10% off`; null for no discount. */
  discount: string | null;
  /** The refund of each place if it is cancelled; null when it may not be, or only with the rest of its combo. */
  refund: RefundShown | null;
  /** The minimum of a private date that one place less would break (P114): so many stay, or nobody. */
  minimum: number | null;
  /** The academy cancelled or moved the course date: until when its buyer chooses (P40). */
  choose: { by: string; why: NonNullable<Place['chooseWhy']> } | null;
  hasDates: boolean;
  calendar: CalendarLinks | null;
  transferable: boolean;
  /** Why a place with a date cannot be moved, and where a seat is waited for; null when it can be, or has no date. */
  unmovable: { why: string; waitingList: string | null } | null;
  /** Why nobody can be added to its date; null when somebody can. */
  noSeat: NoSeat | null;
  places: [PlaceShown, ...PlaceShown[]];
};

/** The refund if something is cancelled today, and later. */
export type RefundShown = {
  cents: Cents;
  /** Whether it comes back or lowers what is owed, in words. */
  as: string;
  /** Today's step first; null for guided study, whose refund `words` tells. */
  rows: (RefundRow & { as: string })[] | null;
  words: string;
};

type Now = Pick<Moment, 'now' | 'today'> & {
  charged: Charged;
  /** The amount owed on the enrolment. */
  balanceCents: Cents;
  /** The site's texts of how to join and what to bring. */
  attending: Attending | null;
  /** The other dates of its course. */
  otherDates: (place: Place) => OtherDates;
  noSeat: (place: Place) => NoSeat | null;
};

/** Whether a place is still taken: guided study ends with its access, also before that was recorded (P40). */
export const isTaken = ({ state, guidedFrom }: Place, today: Day): boolean =>
  state === 'active' && (guidedFrom === null || !isAccessOver(guidedFrom, today));

/** The active places of an enrolment for its buyer's page. */
export function placeGroups(enrolment: Enrolment, now: Now): PlaceGroup[] {
  const groups = new Map<string, PlaceGroup>();
  for (const place of enrolment.places) {
    if (!isTaken(place, now.today)) continue;
    const { places: one, ...group } = groupOf(enrolment, place, now);
    // Equal texts are shown once.
    const key = JSON.stringify([group, place.courseId, place.courseDate?.id]);
    const before = groups.get(key);
    if (before) before.places.push(...one);
    else groups.set(key, { ...group, places: one });
  }
  return [...groups.values()];
}

/** The refunds of the combos of an enrolment, each with the number of people who have the same (P99). */
export function comboRefunds(
  enrolment: Enrolment,
  now: Pick<Now, 'now' | 'today' | 'charged' | 'balanceCents'>,
): { people: number; refund: RefundShown }[] {
  const wholes = purchasesOf(enrolment, now.today).filter(({ combo, goes }) => combo && goes.length > 0);
  const groups = Map.groupBy(wholes, (one) => JSON.stringify(refundShown(refundable(one, now), now)));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ people: others.length + 1, refund: refundShown(refundable(first, now), now) }] : [],
  );
}

function refundShown(purchase: Purchase, { now, balanceCents }: Pick<Now, 'now' | 'balanceCents'>): RefundShown {
  const { cents } = refundAt(purchase, now);
  const asOf = (sum: Cents) => settledAs(sum, splitCredit(balanceCents, sum).refundCents);
  const [only] = purchase.courses;
  const byDays = purchase.combo || (only?.study.way === 'date' && !only.academyChanged);
  return {
    cents,
    as: asOf(cents),
    rows: byDays ? refundRows(purchase, now).map((row) => ({ ...row, as: asOf(row.cents) })) : null,
    words: refundText(purchase, now),
  };
}

function groupOf(enrolment: Enrolment, place: Place, shown: Now): PlaceGroup {
  const { now, today, charged, attending, otherDates, noSeat } = shown;
  const { title, when, where, join = null, standing } = courseInWords([place]);
  const choice = openChoice(place, today);
  const others = otherDates(place);
  const over = place.courseDate !== null && place.courseDate.state !== 'cancelled' && isOver(place.courseDate, now);
  const bought = purchaseOf(enrolment, place, today);
  const alone = !bought.combo && mayCancel(enrolment, place, 'buyer', today) === 'yes';
  return {
    title,
    when,
    where,
    join: over ? null : join,
    standing: over ? 'This course date is over.' : standing,
    opened: place.way === 'guided' ? modulesCount(place) : null,
    ready: over || place.courseDate?.state === 'cancelled' ? null : readiness(place, attending, 'buyer'),
    eachCents: place.way === 'next-date' ? place.amountCents : charged(place.id),
    discount: place.discount,
    refund: alone ? refundShown(refundable(bought, shown), shown) : null,
    minimum: minimumBroken([place], today),
    choose: choice && { by: formatDay(choice.by), why: choice.why },
    hasDates: isToCome(place, today),
    calendar: placeLinks(place),
    transferable: mayMove(place, 'buyer', today) === 'yes' && others.free,
    unmovable: place.way === 'date' && choice === null ? unmovableOf(place, others, today) : null,
    noSeat: place.courseDate?.state === 'cancelled' ? null : noSeat(place),
    places: [placeShown(place)],
  };
}

/** Whether a place has days that belong into a calendar: its date is neither cancelled nor over. */
export const isToCome = ({ courseDate }: Pick<Place, 'courseDate'>, today: Day): boolean =>
  courseDate !== null && courseDate.state !== 'cancelled' && courseDate.endsOn >= today;

function unmovableOf(place: Place, { free, full }: OtherDates, today: Day): PlaceGroup['unmovable'] {
  const may = mayMove(place, 'buyer', today);
  if (may === 'yes' && free) return null;
  if (may === 'below-minimum')
    return { why: `${place.courseDate?.minimum} or more stay on this date.`, waitingList: null };
  if (may === 'moved-before') return { why: 'The free move has been used.', waitingList: null };
  if (may !== 'yes') return { why: 'The course has begun.', waitingList: null };
  const [first, ...more] = full;
  if (!first) {
    const waitingList = `${href('/waiting-list')}?course=${place.courseSlug}`;
    return { why: 'No other date is set at the moment.', waitingList };
  }
  const waitingList = `${href('/waiting-list')}?courseDate=${first.slug}`;
  return more.length === 0
    ? { why: `The only other date, ${first.days}, is full.`, waitingList }
    : { why: `The other dates are full; the first is ${first.days}.`, waitingList };
}

const placeShown = ({ id, attendee }: Place): PlaceShown => ({
  id,
  attendeeId: attendee.id,
  who: attendee.name,
  email: attendee.email,
});

/** The refund of a purchase in words, today's step first (P31). */
export const stepsOf = (purchase: Purchase, now: Date): StepShown[] => refundSteps(purchase, now).map(stepShown);

function stepShown({ until, lastDay, cents }: RefundStep, at: number): StepShown {
  const back = cents === 0 ? 'no refund' : `${formatMoney(cents)} back`;
  if (until === null) return { when: at === 0 ? 'From now on' : 'After that', back };
  return { when: `Until ${lastDay ? formatDayAndMonth(lastDay) : `${formatMoment(until)}, Brisbane time`}`, back };
}
