import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { formatTime } from '#app/lib/wall-clock.ts';

/**
 * `9:00 – 5:00`, for a narrow column; in full where it begins in the afternoon, so that an evening is not taken for a
 * morning.
 */
export function timesText(from: string, to: string): string {
  return `${clock(from)} – ${from >= '12:00' ? formatTime(to) : clock(to)}`;
}

const clock = (time: string): string => formatTime(time).replace(/ [AP]M$/, '');

type Class = { begins: Date; ends: Date; now: Date; startsAt: string; zone: string };

const soonMinutes = 120;

/** The state of a class of today: `in 18 min`, `now`, `over`; before that the time of its own zone, or `tonight`. */
export function standingOfClass({ begins, ends, now, startsAt, zone }: Class): string {
  if (now >= ends) return 'over';
  if (now >= begins) return 'now';
  const minutes = Math.ceil((begins.getTime() - now.getTime()) / 60_000);
  if (minutes <= soonMinutes) return `in ${minutes} min`;
  const day = academyDay(begins) > academyDay(now) ? 'tomorrow, ' : '';
  if (zone !== academyZone) return `${day}${formatTime(startsAt)} in ${zone.replace(/^.*\//, '')}`;
  return startsAt >= '17:00' ? 'tonight' : '';
}
