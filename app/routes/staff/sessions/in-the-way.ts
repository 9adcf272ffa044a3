import type { Clash } from '#app/features/sessions/clashes.ts';
import type { InTheWay } from '#app/features/sessions/plan.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';

/** A course date or live hour in the way, in words. */
export const whatOf = ({ liveHour, title, startDate, endDate }: InTheWay): string =>
  liveHour === null ? `${title}, ${formatDays(startDate, endDate)}` : `live hour of ${title}, ${formatDay(startDate)}`;

const shared: Record<Clash, string> = {
  instructor: 'the instructor',
  room: 'the room',
  course: 'the course and its days',
};
const mostNamed = 3;

/** Why a form is refused until its box is ticked: what is in the way, and what it shares. */
export function clashFault(inTheWay: readonly InTheWay[]): string {
  const named = inTheWay
    .slice(0, mostNamed)
    .map((other) => `${whatOf(other)} has ${other.clashes.map((clash) => shared[clash]).join(' and ')}`);
  const more = inTheWay.length - named.length;
  return `It clashes: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}. Tick this box if you mean it.`;
}
