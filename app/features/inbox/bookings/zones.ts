import { useEffect, useState } from 'react';
import { academyZone } from '#app/lib/academy-day.ts';
import { formatDay, shortWeekday } from '#app/lib/dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

/** The zones one can choose from where the browser does not tell its own: without JavaScript. */
const zones = [
  academyZone,
  'Australia/Sydney',
  'Australia/Melbourne',
  'Australia/Hobart',
  'Australia/Adelaide',
  'Australia/Darwin',
  'Australia/Perth',
  'Pacific/Auckland',
  'Pacific/Fiji',
  'Pacific/Port_Moresby',
  'Asia/Tokyo',
  'Asia/Seoul',
  'Asia/Shanghai',
  'Asia/Hong_Kong',
  'Asia/Singapore',
  'Asia/Manila',
  'Asia/Jakarta',
  'Asia/Bangkok',
  'Asia/Ho_Chi_Minh',
  'Asia/Dhaka',
  'Asia/Kathmandu',
  'Asia/Colombo',
  'Asia/Kolkata',
  'Asia/Karachi',
  'Asia/Dubai',
  'Africa/Nairobi',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'Europe/Berlin',
  'Europe/London',
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Pacific/Honolulu',
] as const;

/** The zone an address asks for, null for none and for one that is not in the list. */
export function offeredZoneOf(name: string | null): string | null {
  return zones.find((zone) => zone === name) ?? null;
}

/** The zones to choose from, with the visitor's own where it is not among them. */
export function offeredZones(own: string | null): string[] {
  return own === null || offeredZoneOf(own) !== null ? [...zones] : [...zones, own];
}

/** `Sydney`, `Ho Chi Minh` */
export const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** The zone of the address when it names one, otherwise the browser's as soon as scripts run, null until then. */
export function useOwnZone(asked: string | null): string | null {
  const [own, setOwn] = useState<string | null>(null);
  useEffect(() => setOwn(new Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return asked ?? own;
}

/** `9:00 AM` as Brisbane's clocks have it. */
export const academyTime = (start: Date): string => formatTime(wallClockAt(academyZone, start).time);

/** `Tuesday 9 September 2025, 9:00 AM Brisbane time` */
export function formatAcademyTime(start: Date): string {
  return `${formatDay(wallClockAt(academyZone, start).day)}, ${academyTime(start)} Brisbane time`;
}

/** `Tuesday 9 September 2025, 9:00 AM to 9:30 AM Brisbane time` */
export function formatAcademySpan({ start, end }: { start: Date; end: Date }): string {
  return `${formatDay(wallClockAt(academyZone, start).day)}, ${academyTime(start)} to ${academyTime(end)} Brisbane time`;
}

/**
 * The time in a zone, `10:00 AM`, with the weekday if it differs from Brisbane's (`Mon 7:00 PM`); null if the time is
 * the same as in Brisbane.
 */
export function timeElsewhere(start: Date, zone: string | null): string | null {
  if (zone === null) return null;
  const [here, there] = [wallClockAt(academyZone, start), wallClockAt(zone, start)];
  if (here.day === there.day && here.time === there.time) return null;
  const day = here.day === there.day ? '' : `${shortWeekday(there.day)} `;
  return `${day}${formatTime(there.time)}`;
}
