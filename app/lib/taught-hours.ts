import { type Day, daysBetween } from './dates.ts';

/**
 * The days and hours of a course date, in wall-clock time. `breakMinutes` are the breaks of a day; 0 when absent.
 */
type TaughtTimes = {
  startDate: Day;
  endDate: Day;
  startTime: string;
  endTime: string;
  breakMinutes?: number | undefined;
};

/** Minutes from the start of a day of the course date to its end, breaks included. */
export function minutesADay({ startTime, endTime }: Pick<TaughtTimes, 'startTime' | 'endTime'>): number {
  return minutesOf(endTime) - minutesOf(startTime);
}

/**
 * Hours taught live in a course date: its days, first to last, times the length of a day less its breaks. May be a
 * fraction, such as 37.5.
 */
export function taughtHours(courseDate: TaughtTimes): number {
  const days = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  return (days * (minutesADay(courseDate) - (courseDate.breakMinutes ?? 0))) / 60;
}

/** How the hours of a course are spent by someone who takes it in a course date: taught live, and in own time. */
export function splitHours(courseDate: TaughtTimes, courseHours: number): { taught: number; own: number } {
  const taught = taughtHours(courseDate);
  return { taught, own: Math.max(0, courseHours - taught) };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The percent of the minutes taught that complete a dated course which says no other; `completion_of_course` has it too. */
export const usualAttendance = 80;
