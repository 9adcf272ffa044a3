import type { InTheWay } from '#app/features/sessions/plan.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';

/** Beside the box by which staff say that a clash is meant, whether it is one or several. */
export const sureLabel = 'Go ahead although there is a clash';

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

/** Why a form is refused until its box is ticked: what is in the way, and what it shares. */
export function clashFault(inTheWay: readonly InTheWay[]): string {
  const named = inTheWay.slice(0, mostNamed).map((other) => `${whatOf(other)} ${howItClashes(other)}`);
  const more = inTheWay.length - named.length;
  return `It clashes: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}. Tick this box if you mean it.`;
}
