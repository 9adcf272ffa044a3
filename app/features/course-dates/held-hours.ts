import type { Day } from '#app/lib/dates.ts';
import { type Busy, hoursOf } from './clashes.ts';

/** A live hour of guided study (P60) that an instructor holds on a day of its own zone. */
export type HeldHour = {
  id: number;
  /** The title of its course. */
  title: string;
  /** The instructor's slug. */
  instructor: string;
  day: Day;
  starts: Date;
  ends: Date;
};

type Hour = Pick<HeldHour, 'starts' | 'ends'>;

/** The live hours that the instructor of a course date holds while it is taught (P77). */
export const hoursInTheWay = (courseDate: Busy, hours: readonly HeldHour[]): HeldHour[] =>
  hours.filter((hour) => hour.instructor === courseDate.instructor && isTaughtDuring(courseDate, hour));

/** Whether a course date is taught at some instant of a live hour. */
export const isTaughtDuring = (courseDate: Busy, { starts, ends }: Hour): boolean =>
  hoursOf(courseDate).some(({ from, until }) => starts.getTime() < until && from < ends.getTime());

/** Whether two live hours share an instant. */
export const overlap = (a: Hour, b: Hour): boolean => a.starts < b.ends && b.starts < a.ends;
