import { type Day, shortMonth, shortWeekday } from './dates.ts';
import { formatTime } from './wall-clock.ts';

/** `Mon 8 Sept`: a day of this season, for lists that have little room. */
export function shortDay(day: Day): string {
  return `${shortWeekday(day)} ${Number(day.slice(8))} ${shortMonth(day)}`;
}

/** `8 Sept 2025`. */
export function shortDate(day: Day): string {
  return `${Number(day.slice(8))} ${shortMonth(day)} ${day.slice(0, 4)}`;
}

/** `8 to 12 Sept 2025`, `29 Sept to 3 Oct 2025`: the days of a course date, for lists. */
export function shortDays(first: Day, last: Day): string {
  if (first === last) return shortDate(last);
  const day = Number(first.slice(8));
  if (first.slice(0, 7) === last.slice(0, 7)) return `${day} to ${shortDate(last)}`;
  const from = first.slice(0, 4) === last.slice(0, 4) ? `${day} ${shortMonth(first)}` : shortDate(first);
  return `${from} to ${shortDate(last)}`;
}

/** `8 Sept 2025, 9:00 AM`: an instant in Brisbane. */
export function formatMoment(instant: Date): string {
  return formatWall(brisbaneWall(instant));
}

/** The last instant before an end. An end is named by it, so that midnight is of the day that ends with it. */
export const lastInstant = (end: Date): Date => new Date(end.getTime() - 1);

/** `30 Nov 2025, 11:59 PM`: an end in Brisbane, by the last full minute before it. */
export const formatEnd = (end: Date): string => formatMoment(lastInstant(end));

/** `8 Sept 2025, 9:00 AM` of a wall clock's text, `2025-09-08T09:00`, in whatever zone. */
export function formatWall(wall: string): string {
  return `${shortDate(wall.slice(0, 10))}, ${formatTime(wall.slice(11, 16))}`;
}

/** `9:00 AM`: what a clock in Brisbane shows at an instant. */
export function brisbaneTime(instant: Date): string {
  return formatTime(brisbaneWall(instant).slice(11, 16));
}

/** `9:00:30 AM`: the same where a minute says too little. */
export function brisbaneSecond(instant: Date): string {
  return brisbaneTime(instant).replace(' ', `:${brisbaneWall(instant).slice(17, 19)} `);
}

/** Brisbane's clocks are always ten hours ahead of UTC. */
const brisbaneWall = (instant: Date): string => new Date(instant.getTime() + 10 * 3_600_000).toISOString();
