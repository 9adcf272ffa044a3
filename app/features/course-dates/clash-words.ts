import { formatDay, formatDays } from '#app/lib/dates.ts';
import type { InTheWay } from './plan.server.ts';

/** Beside the box by which staff say that what it asks about is meant. */
export const sureLabel = 'Go ahead anyway';

/** A course date or live hour in the way, in words. */
export const whatOf = ({ liveHour, title, startDate, endDate }: InTheWay): string =>
  liveHour === null ? `${title}, ${formatDays(startDate, endDate)}` : `live hour of ${title}, ${formatDay(startDate)}`;

/** Such as `has the same instructor and room`. */
function howItClashes({ clashes }: InTheWay): string {
  const had = clashes.filter((clash) => clash !== 'course');
  return [
    ...(had.length > 0 ? [`has the same ${had.join(' and ')}`] : []),
    ...(clashes.includes('course') ? ['is the same course on the same days'] : []),
  ].join(' and ');
}

const mostNamed = 3;

/** What is in the way, and what it shares. */
export function clashFault(inTheWay: readonly InTheWay[]): string {
  const named = inTheWay.slice(0, mostNamed).map((other) => `${whatOf(other)} ${howItClashes(other)}`);
  const more = inTheWay.length - named.length;
  return `It clashes: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}.`;
}
