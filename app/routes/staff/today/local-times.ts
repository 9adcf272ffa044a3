import { academyZone } from '#app/lib/academy-day.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

/** The local times of Brisbane and the other zones in use: `8:42 AM in Brisbane, 9:42 AM in Sydney and Melbourne`. */
export function localTimes(zones: readonly string[], now: Date): string {
  const byTime = new Map<string, string[]>();
  for (const zone of new Set([academyZone, ...zones])) {
    const time = formatTime(wallClockAt(zone, now).time);
    byTime.set(time, [...(byTime.get(time) ?? []), zone.replace(/^.*\//, '')]);
  }
  return [...byTime].map(([time, cities]) => `${time} in ${inWords(cities)}`).join(', ');
}

const inWords = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
