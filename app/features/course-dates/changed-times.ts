import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/**
 * Days, times and place of a course date, as staff type them. Times are wall-clock at its place; days of decisions
 * Brisbane's.
 */
export type CourseDateTimes = {
  startDate: Day;
  endDate: Day;
  startTime: string;
  endTime: string;
  breakMinutes: number;
  delivery: Delivery;
  /** The city of the room, null when it is online only. */
  venue: string | null;
  /** Slug. */
  instructor: string;
  /** The last day of enrolment. */
  enrolmentEnds: Day;
  /** The last day of the decision whether it is held; null when it is held anyway. */
  decidedBy: Day | null;
};

/**
 * The consequences of a change for the people of a course date (P40). `asks`: another day, place or delivery, about
 * which each buyer chooses. `tells`: another time, break or instructor, which is mailed to everybody. `deadlines`: the
 * last day of enrolment and the day of decision, which do not concern people who have enrolled.
 */
export type TimesChange = 'asks' | 'tells' | 'deadlines' | 'nothing';

const asking = ['startDate', 'endDate', 'delivery', 'venue'] as const;
const telling = ['startTime', 'endTime', 'breakMinutes', 'instructor'] as const;
const deadlines = ['enrolmentEnds', 'decidedBy'] as const;
/** The changes of a course date that make a text about it untrue. */
export const namedInTexts = [...asking, 'startTime', 'endTime'] as const;
/** Every field of the times of a course date. */
export const timesFields = [...asking, ...telling, ...deadlines];

/** Compares a course date with its planned change. */
export function changeOfTimes(before: CourseDateTimes, after: CourseDateTimes): TimesChange {
  const differs = (field: keyof CourseDateTimes) => before[field] !== after[field];
  if (asking.some(differs)) return 'asks';
  if (telling.some(differs)) return 'tells';
  return deadlines.some(differs) ? 'deadlines' : 'nothing';
}

/** Whether nothing but the instructor changes: then a course date that has begun can be changed too (P59). */
export const isOtherInstructor = (before: CourseDateTimes, after: CourseDateTimes): boolean =>
  before.instructor !== after.instructor &&
  changeOfTimes({ ...before, instructor: after.instructor }, after) === 'nothing';
