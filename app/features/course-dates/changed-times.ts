import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/** When and where a course date is held, as staff type it. Times are wall-clock at its place; days of decisions Brisbane's. */
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
  /** By when it is decided whether it is held, null when it is held anyway. */
  decidedBy: Day | null;
};

/**
 * What a change of a course date means for the people in it (P40): `asks` is another day, place or way to attend, about which
 * each buyer chooses; `tells` is another time, break or instructor, of which everybody is told; `deadlines` are the last
 * day of enrolment and the day of decision, which concern nobody who has enrolled.
 */
export type TimesChange = 'asks' | 'tells' | 'deadlines' | 'nothing';

const asking = ['startDate', 'endDate', 'delivery', 'venue'] as const;
const telling = ['startTime', 'endTime', 'breakMinutes', 'instructor'] as const;
const deadlines = ['enrolmentEnds', 'decidedBy'] as const;
/** What of a course date makes a text untrue that staff wrote about it before it changed. */
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
