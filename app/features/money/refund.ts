import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { hourMs } from '#app/lib/durations.ts';
import type { Cents } from '#app/lib/money.ts';
import { instantOf, wallClockAt } from '#app/lib/wall-clock.ts';
import { accessEndsOn, isAccessOver } from './guided-access.ts';

/** The numbers of the refund rule (P100). Every page, email and document takes them from here; a test holds /terms to them. */
export const ladder = { fullDays: 14, halfDays: 7, fullHours: 24 } as const;

/** The rule of a combo (P99), in words for the buyer, who sees the sums beside it. */
export const comboRule =
  'A combo is cancelled as a whole. Each course that has not begun gives back what its dates say of its share of the price. The combo’s discount on courses that have begun is taken off, never below zero, and those courses stay yours.';

/** How a course is taken, as far as its refund depends on it (P38). */
export type Study =
  /** `firstDay` is the first day printed for the date, in whatever zone it is taught. */
  | { way: 'date'; firstDay: Day; state: CourseDateState }
  /** `from` is the Monday chosen; modules are those of the contract, and how many of them were opened by now. */
  | { way: 'guided'; from: Day; modules: number; modulesOpened: number }
  | { way: 'next-date' };

/** A course of a purchase. Amounts are in cents, GST included. */
export type PurchasedCourse = {
  /** Of its place. */
  id: number;
  /** The amount invoiced for it after notes: in a combo its share of the price. Zero before the course has a date. */
  chargedCents: Cents;
  /** The discount of the combo on its price. */
  discountCents: Cents;
  /**
   * The instant from which its buyer is bound: it was placed, or a place without a date got one. A move does not change
   * it.
   */
  boundAt: Date;
  study: Study;
  /** After the buyer's move: how much of the charge came back on the day of the move. */
  moveCap: RefundPercent | null;
  /** The academy cancelled or moved its date, and the buyer has not chosen yet. */
  academyChanged: boolean;
};

/** The part of a contract that one attendee cancels as a whole: one course, or a combo (P99). */
export type Purchase = { combo: boolean; courses: readonly PurchasedCourse[] };

export type RefundPercent = 100 | 50 | 0;

/** A course as it is when it is bought now for so much; in a combo `discountCents` less than its own price. */
export const courseBoughtAt = (
  now: Date,
  { study, cents, discountCents = 0, id = 0 }: { study: Study; cents: Cents; discountCents?: Cents; id?: number },
): PurchasedCourse => ({
  id,
  chargedCents: study.way === 'next-date' ? 0 : cents,
  discountCents,
  boundAt: now,
  study,
  moveCap: null,
  academyChanged: false,
});

/**
 * The reasons for the refund of one course, in words for the buyer: of its price, since who has paid nothing gets no money
 * but owes less.
 */
export const refundReasons = {
  'academy-changed': 'We cancelled or moved this date: all of its price.',
  tentative: 'The date is not confirmed yet: all of its price.',
  'no-date': 'The course has no date yet, so you were charged nothing for it.',
  'first-hours': `Within ${ladder.fullHours} hours of enrolling, or of getting its date: all of its price.`,
  early: `${ladder.fullDays} days or more before the first day: all of its price.`,
  late: `${ladder.fullDays - 1} to ${ladder.halfDays} days before the first day: half of its price.`,
  'too-late': `Less than ${ladder.halfDays} days before the first day: nothing.`,
  begun: 'The course has begun: nothing.',
  'not-started': 'Guided study has not started: all of its price.',
  'modules-left': 'Guided study: the part for the modules that are not opened.',
  'access-over': 'Access to the modules has ended: nothing.',
  moved: 'After your move: no more than on the day of the move.',
} as const;

export type RefundReason = keyof typeof refundReasons;

export type Refund = {
  cents: Cents;
  /** One for each course that ends. The begun courses of a combo go on and are not among them. */
  courses: { id: number; cents: Cents; reason: RefundReason }[];
  /** The courses of a combo that have begun, and what their discount takes off the refund of the others. */
  begun: { ids: number[]; cents: Cents };
};

/**
 * The refund when a purchase is cancelled at an instant, and its reason (P99, P100): GST included, half a cent counts
 * for the buyer. In a combo each course that has not begun gives back by its own days, less the discount on the begun
 * ones, never below zero. `splitCredit` says how much of it is paid out and how much lowers a debt.
 */
export function refundAt({ combo, courses }: Purchase, at: Date): Refund {
  const begun = combo ? courses.filter(({ study }) => hasBegun(study, academyDay(at))) : [];
  const ended = courses
    .filter((course) => !begun.includes(course))
    .map((course) => ({ id: course.id, ...refundOfCourse(course, at) }));
  const given = sumOf(ended.map(({ cents }) => cents));
  const taken = Math.min(given, sumOf(begun.map(({ discountCents }) => discountCents)));
  return { cents: given - taken, courses: ended, begun: { ids: begun.map(({ id }) => id), cents: taken } };
}

/** A course has begun on the first day of its confirmed date; guided study with its first module, or on its Monday. */
export function hasBegun(study: Study, today: Day): boolean {
  if (study.way === 'date') return study.state === 'confirmed' && study.firstDay <= today;
  return study.way === 'guided' && (study.modulesOpened > 0 || study.from <= today);
}

/** The refund that a buyer loses by the opening of one more module of a guided course at an instant. */
export function costOfOpening({ combo, courses }: Purchase, id: number, at: Date): Cents {
  const after = courses.map((course) =>
    course.id === id && course.study.way === 'guided'
      ? { ...course, study: { ...course.study, modulesOpened: course.study.modulesOpened + 1 } }
      : course,
  );
  return refundAt({ combo, courses }, at).cents - refundAt({ combo, courses: after }, at).cents;
}

/** How much of the charge for a date comes back at an instant, with the reason. A move keeps it as its cap. */
export function percentAt(
  { study, boundAt, moveCap }: Pick<PurchasedCourse, 'boundAt' | 'moveCap'> & { study: Study & { way: 'date' } },
  at: Date,
): { percent: RefundPercent; reason: RefundReason } {
  const now = percentOfDate(study, boundAt, at);
  return moveCap !== null && moveCap < now.percent ? { percent: moveCap, reason: 'moved' } : now;
}

function percentOfDate({ firstDay, state }: Study & { way: 'date' }, boundAt: Date, at: Date) {
  if (state === 'cancelled') return { percent: 100, reason: 'academy-changed' } as const;
  if (state === 'tentative') return { percent: 100, reason: 'tentative' } as const;
  const daysLeft = daysBetween(academyDay(at), firstDay);
  if (daysLeft >= ladder.fullDays) return { percent: 100, reason: 'early' } as const;
  if (daysLeft <= 0) return { percent: 0, reason: 'begun' } as const;
  if (at < hoursEnd(boundAt)) return { percent: 100, reason: 'first-hours' } as const;
  if (daysLeft >= ladder.halfDays) return { percent: 50, reason: 'late' } as const;
  return { percent: 0, reason: 'too-late' } as const;
}

function refundOfCourse(course: PurchasedCourse, at: Date): { cents: Cents; reason: RefundReason } {
  const { chargedCents, study, academyChanged } = course;
  if (academyChanged) return { cents: chargedCents, reason: 'academy-changed' };
  switch (study.way) {
    case 'next-date':
      return { cents: chargedCents, reason: 'no-date' };
    case 'guided': {
      const today = academyDay(at);
      if (isAccessOver(study.from, today)) return { cents: 0, reason: 'access-over' };
      if (!hasBegun(study, today)) return { cents: chargedCents, reason: 'not-started' };
      const left = Math.max(0, study.modules - study.modulesOpened);
      return { cents: Math.ceil((chargedCents * left) / study.modules), reason: 'modules-left' };
    }
    case 'date': {
      const { percent, reason } = percentAt({ ...course, study }, at);
      return { cents: Math.ceil((chargedCents * percent) / 100), reason };
    }
  }
}

/** One step of the refund: the amount until an instant. */
export type RefundStep = {
  cents: Cents;
  /** The first instant at which it no longer holds; null: it holds from then on. */
  until: Date | null;
  /** The last day on which it holds, in Brisbane; null when it ends within a day or not at all. */
  lastDay: Day | null;
};

/**
 * The refund of a purchase from an instant on, step by step; the last step has no end. A date that is not confirmed
 * counts as confirmed: until then cancelling is free anyway. Guided study counts with the modules opened by now.
 */
export function refundSteps({ combo, courses }: Purchase, from: Date): RefundStep[] {
  const counted = { combo, courses: courses.map(asConfirmed) };
  const edges = [...new Set(counted.courses.flatMap(edgesOf))].filter((edge) => edge > from.getTime());
  edges.sort((a, b) => a - b);
  const steps: RefundStep[] = [];
  for (const [at, start] of [from.getTime(), ...edges].entries()) {
    const edge = edges[at];
    const until = edge === undefined ? null : new Date(edge);
    const { cents } = refundAt(counted, new Date(start));
    const before = steps.at(-1);
    if (before?.cents === cents) Object.assign(before, endOf(until));
    else steps.push({ cents, ...endOf(until) });
  }
  return steps;
}

function asConfirmed(course: PurchasedCourse): PurchasedCourse {
  const { study } = course;
  return study.way === 'date' && study.state === 'tentative'
    ? { ...course, study: { ...study, state: 'confirmed' } }
    : course;
}

/** The instants at which the refund of a course can change without an act of anybody, in milliseconds. */
function edgesOf({ study, boundAt }: PurchasedCourse): number[] {
  if (study.way === 'next-date') return [];
  if (study.way === 'guided') return [startOf(study.from), startOf(addDays(accessEndsOn(study.from), 1))];
  const { firstDay } = study;
  const first = startOf(firstDay);
  return [
    startOf(addDays(firstDay, 1 - ladder.fullDays)),
    startOf(addDays(firstDay, 1 - ladder.halfDays)),
    Math.min(hoursEnd(boundAt).getTime(), first),
    first,
  ];
}

/** Midnight in Brisbane at the start of a day, in milliseconds. */
const startOf = (day: Day) => instantOf(day, '00:00', academyZone).getTime();

const hoursEnd = (boundAt: Date) => new Date(boundAt.getTime() + ladder.fullHours * hourMs);

function endOf(until: Date | null): Pick<RefundStep, 'until' | 'lastDay'> {
  if (!until) return { until, lastDay: null };
  const { day } = wallClockAt(academyZone, until);
  return { until, lastDay: startOf(day) === until.getTime() ? addDays(day, -1) : null };
}

const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, cents) => sum + cents, 0);
