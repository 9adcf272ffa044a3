import type { RefundLadder } from '#app/features/site/agreement.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { SessionState } from '#app/lib/session-state.ts';
import { instantOf, wallClockAt } from '#app/lib/wall-clock.ts';
import { accessEndsOn } from './guided-access.ts';

/** How a place is taken, as far as its refund depends on it (P38). */
export type Study =
  /** `firstDay` is the first day printed for the session, in whatever zone it is taught. */
  | { way: 'session'; firstDay: Day; state: SessionState }
  /** `from` is the Monday chosen; modules are those of the contract, and how many of them were opened by now. */
  | { way: 'guided'; from: Day; modules: number; modulesOpened: number }
  | { way: 'next-date' };

/** The facts that decide the refund of a place. */
export type RefundablePlace = {
  /** The ladder of its contract. */
  ladder: RefundLadder;
  /** The charge for the place in cents, GST included. */
  amountCents: Cents;
  /** The charge before any refund, in cents; `amountCents` when it is left out. */
  wholeCents?: Cents;
  /** When its enrolment was placed, or the place got the date that it was bought without; a move does not change it. */
  placedAt: Date;
  study: Study;
  /**
   * Moves that the buyer asked for, each with what the place was before; moves that the academy caused are left out.
   */
  moves?: readonly { at: Date; from: Study }[];
  /** The academy cancelled or moved its session, and the buyer has not chosen a transfer. */
  academyChanged?: boolean;
  /** After it was cancelled, its session sold out with its seat taken by somebody else. */
  seatSoldAgain?: boolean;
};

type RefundReason = keyof typeof refundReasons;

/** The reasons for the amount of a refund, in words for the buyer; `reasonInWords` fills in the ladder. */
export const refundReasons = {
  'academy-changed': 'We cancelled or moved the course date, so we refund all of it.',
  'seat-sold-again': 'The course date has sold out, with your seat taken by someone else, so we refund the rest.',
  'sold-again-after-move':
    'The course date has sold out, with your seat taken by someone else. After your move we refund in all what you would have got on the day of the move.',
  tentative: 'The course date is not confirmed yet, so cancelling is free.',
  'no-date': 'The course has no date yet, so you pay nothing for it.',
  'first-24-hours': ({ fullHours }: RefundLadder) =>
    `You enrolled, or the course got its date, within the last ${fullHours} hours, so we refund all of it.`,
  'two-weeks': ({ fullDays }: RefundLadder) =>
    `It is ${fullDays} days or more before the first day, so we refund all of it.`,
  'one-week': ({ fullDays, halfDays }: RefundLadder) =>
    `It is ${fullDays - 1} to ${halfDays} days before the first day, so we refund half of it.`,
  'too-late': ({ halfDays }: RefundLadder) =>
    `It is less than ${halfDays} days before the first day, so there is no refund.`,
  'not-started': 'Guided study has not started, so we refund all of it.',
  'modules-left': 'We refund the part for the modules that are not opened yet.',
  'access-over': 'Access to the modules has ended, so there is no refund.',
  'lower-after-move':
    'The place was moved, so we refund the lower of two amounts: what you would have got on the day of the move, and what you get today.',
} as const;

export type Refund = { cents: Cents; reason: RefundReason };

/** The reason for the amount of a refund in words, with the days and hours of the contract's ladder. */
export function reasonInWords(reason: RefundReason, ladder: RefundLadder): string {
  const words = refundReasons[reason];
  return typeof words === 'string' ? words : words(ladder);
}

/**
 * What comes back when a place is cancelled at an instant (P40), GST included, never more than was charged. Half a cent
 * counts for the buyer. What of it is paid out and what only lowers the amount owed is `splitCredit`'s to say.
 */
export function refundAt(place: RefundablePlace, at: Date): Refund {
  const full = (reason: RefundReason): Refund => ({ cents: place.amountCents, reason });
  if (place.academyChanged) return full('academy-changed');
  if (place.seatSoldAgain) return restAt(place);
  const now = refundFor(place, place.study, at);
  const atMoves = (place.moves ?? []).map((move) => refundFor(place, move.from, move.at).cents);
  const lowest = Math.min(now.cents, ...atMoves);
  return lowest < now.cents ? { cents: lowest, reason: 'lower-after-move' } : now;
}

/**
 * What comes back once the seat of a cancelled place is sold again (P40): the rest, but after a move in all no more
 * than came back on the day of the move. Without that limit a buyer past the refund days could move to a date that is
 * nearly full, cancel there, and be refunded when it sells out.
 */
function restAt(place: RefundablePlace): Refund {
  const { amountCents, wholeCents = amountCents, ladder, moves = [] } = place;
  const whole = { ...place, amountCents: wholeCents };
  const atMoves = ladder.capsResale ? moves.map((move) => refundFor(whole, move.from, move.at).cents) : [];
  const most = Math.min(wholeCents, ...atMoves) - (wholeCents - amountCents);
  return most < amountCents
    ? { cents: Math.max(0, most), reason: 'sold-again-after-move' }
    : { cents: amountCents, reason: 'seat-sold-again' };
}

/** The refund that a buyer loses by opening one more module of guided study at an instant, GST included (P40). */
export function costOfOpening(place: RefundablePlace, at: Date): Cents {
  const { study } = place;
  if (study.way !== 'guided' || study.modulesOpened >= study.modules) return 0;
  const after = { ...place, study: { ...study, modulesOpened: study.modulesOpened + 1 } };
  return refundAt(place, at).cents - refundAt(after, at).cents;
}

/** One step of the ladder: the refund until an instant. */
export type RefundStep = Refund & {
  /** The first instant at which it no longer holds; null: it holds from then on. */
  until: Date | null;
  /** The last day on which it holds, in Brisbane; null when it ends within a day or not at all. */
  lastDay: Day | null;
  /** The higher refund on its last day until this instant; null on most days. */
  before: { until: Date; cents: Cents } | null;
};

/**
 * The steps of the ladder from an instant on, in dollars for this place, the last of them without an end. A tentative
 * session counts as confirmed: until it is, cancelling is free besides. Of guided study, what was opened by now counts.
 * Two steps never end on one day: the earlier is then part of the later one.
 */
export function refundSteps(place: RefundablePlace, from: Date): RefundStep[] {
  const { study } = place;
  const counted: RefundablePlace =
    study.way === 'session' && study.state === 'tentative'
      ? { ...place, study: { ...study, state: 'confirmed' } }
      : place;
  const edges = edgesOf(counted)
    .filter((edge) => edge > from)
    .sort((a, b) => a.getTime() - b.getTime());
  const steps: RefundStep[] = [];
  for (const [at, start] of [from, ...edges].entries()) {
    const until = edges[at] ?? null;
    const refund = refundAt(counted, start);
    const before = steps.at(-1);
    if (before?.cents === refund.cents) Object.assign(before, endOf(until));
    else steps.push({ ...refund, ...endOf(until), before: null });
  }
  const shown: RefundStep[] = [];
  for (const step of steps) {
    const last = shown.at(-1);
    if (last?.until && dayOfEnd(last) === dayOfEnd(step)) {
      shown[shown.length - 1] = { ...step, before: { until: last.until, cents: last.cents } };
    } else shown.push(step);
  }
  return shown;
}

/** Midnight in Brisbane at the start of a day. */
const startOf = (day: Day) => instantOf(day, '00:00', academyZone);

/** The instant from which access to guided study is over. */
const overFrom = ({ from }: { from: Day }) => startOf(addDays(accessEndsOn(from), 1));

const hourMs = 60 * 60 * 1000;
const dayAfterPlacing = ({ placedAt, ladder }: RefundablePlace) =>
  new Date(placedAt.getTime() + ladder.fullHours * hourMs);

/** The first instants at which no longer all, and at which nothing, comes back of a session. */
const endOfFull = ({ ladder }: RefundablePlace, firstDay: Day) => startOf(addDays(firstDay, 1 - ladder.fullDays));
const endOfHalf = ({ ladder }: RefundablePlace, firstDay: Day) => startOf(addDays(firstDay, 1 - ladder.halfDays));

function endOf(until: Date | null): Pick<RefundStep, 'until' | 'lastDay'> {
  if (!until) return { until, lastDay: null };
  const { day } = wallClockAt(academyZone, until);
  return { until, lastDay: startOf(day).getTime() === until.getTime() ? addDays(day, -1) : null };
}

/** The day in Brisbane on which a step ends. */
const dayOfEnd = ({ until, lastDay }: RefundStep): Day | null =>
  lastDay ?? (until && wallClockAt(academyZone, until).day);

/** The refund of a place at an instant, for one way of study. */
function refundFor(place: RefundablePlace, study: Study, at: Date): Refund {
  const { amountCents } = place;
  const late = at >= dayAfterPlacing(place);
  switch (study.way) {
    case 'next-date':
      return { cents: amountCents, reason: 'no-date' };
    case 'guided': {
      if (at >= overFrom(study)) return { cents: 0, reason: 'access-over' };
      const started = at >= startOf(study.from) || study.modulesOpened > 0;
      if (!started) return { cents: amountCents, reason: 'not-started' };
      const left = Math.max(0, study.modules - study.modulesOpened);
      return { cents: Math.ceil((amountCents * left) / study.modules), reason: 'modules-left' };
    }
    case 'session': {
      if (study.state === 'cancelled') return { cents: amountCents, reason: 'academy-changed' };
      if (study.state === 'tentative') return { cents: amountCents, reason: 'tentative' };
      const { firstDay } = study;
      if (at < endOfFull(place, firstDay)) return { cents: amountCents, reason: 'two-weeks' };
      if (!late && at < startOf(firstDay)) return { cents: amountCents, reason: 'first-24-hours' };
      if (at < endOfHalf(place, firstDay)) return { cents: Math.ceil(amountCents / 2), reason: 'one-week' };
      return { cents: 0, reason: 'too-late' };
    }
  }
}

/** The instants at which the refund of a place can change without an act of anybody. */
function edgesOf(place: RefundablePlace): Date[] {
  const { study } = place;
  switch (study.way) {
    case 'next-date':
      return [];
    case 'guided':
      return [startOf(study.from), overFrom(study)];
    case 'session': {
      const first = startOf(study.firstDay);
      const [full, half] = [endOfFull(place, study.firstDay), endOfHalf(place, study.firstDay)];
      return [full, half, new Date(Math.min(dayAfterPlacing(place).getTime(), first.getTime()))];
    }
  }
}
