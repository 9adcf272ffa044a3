import type { Day } from './dates.ts';

/** Minutes ahead of UTC without daylight saving, and whether the place has it. */
const places: Record<string, readonly [standard: number, saves: boolean]> = {
  Adelaide: [570, true],
  Brisbane: [600, false],
  Canberra: [600, true],
  Darwin: [570, false],
  Hobart: [600, true],
  Melbourne: [600, true],
  Perth: [480, false],
  Sydney: [600, true],
};

/** 2 am of a month's first Sunday, written as if it were UTC. */
function firstSunday(year: number, month: number): number {
  const weekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - weekday) % 7), 2);
}

/**
 * Minutes that a zone of an Australian capital is ahead of UTC at an instant, given in milliseconds. Daylight saving has
 * run from the first Sunday of October to that of April since 2008. Undefined for other zones and before 2009. Pages
 * with dates need it while React takes them over, and making an `Intl.DateTimeFormat` then takes an old phone 15 ms.
 */
export function australianOffset(zone: string, instant: number): number | undefined {
  const place = zone.startsWith('Australia/') ? places[zone.slice('Australia/'.length)] : undefined;
  if (!place) return undefined;
  const [standard, saves] = place;
  const wall = instant + standard * 60_000;
  const year = new Date(wall).getUTCFullYear();
  if (year < 2009) return undefined;
  const daylight = saves && (wall < firstSunday(year, 3) || wall >= firstSunday(year, 9));
  return standard + (daylight ? 60 : 0);
}

// The abbreviations by minutes ahead of UTC. Browsers disagree on them.
const australianZones: Record<number, string> = { 480: 'AWST', 570: 'ACST', 600: 'AEST', 630: 'ACDT', 660: 'AEDT' };

/** `AEST` or `AEDT`, whichever applies in the zone at noon of that day (P14); outside Australia `UTC+13:00`. */
export function zoneAbbreviation(zone: string, day: Day): string {
  const minutes = Math.round(offsetMs(zone, Date.parse(`${day}T02:00:00Z`)) / 60_000);
  const named = zone.startsWith('Australia/') ? australianZones[minutes] : undefined;
  return named ?? `UTC${formatOffset(minutes)}`;
}

/** The abbreviation that is true of all these days; `Sydney time` when summer time begins or ends between them. */
export function zoneOfDays(zone: string, days: readonly Day[]): string {
  const [one = '', ...others] = new Set(days.map((day) => zoneAbbreviation(zone, day)));
  return others.length === 0 ? one : `${zone.slice(zone.indexOf('/') + 1)} time`;
}

/** The instant of a wall-clock time in a zone. A time that daylight saving skips counts as the hour after. */
export function instantOf(day: Day, time: string, zone: string): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  const guess = asUtc - offsetMs(zone, asUtc);
  return new Date(asUtc - offsetMs(zone, guess));
}

/** The wall-clock day and time, such as `09:00`, of a zone at an instant. */
export function wallClockAt(zone: string, instant: Date): { day: Day; time: string } {
  const wall = wallTextAt(zone, instant);
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** A wall-clock time in a zone with its offset from UTC on that day: `2025-09-15T09:00:00+10:00`. */
export function timeWithOffset(day: Day, time: string, zone: string): string {
  const minutes = Math.round(offsetMs(zone, instantOf(day, time, zone).getTime()) / 60_000);
  return `${day}T${time}:00${formatOffset(minutes)}`;
}

/** An instant as the wall clock of a zone shows it, with its offset from UTC: `2025-09-15T09:00:12+10:00`. */
export const instantWithOffset = (zone: string, instant: Date): string =>
  `${wallTextAt(zone, instant)}${formatOffset(Math.round(offsetMs(zone, instant.getTime()) / 60_000))}`;

/** `+10:00` */
function formatOffset(minutes: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`;
}

/** How far the zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function offsetMs(zone: string, instant: number): number {
  return Date.parse(`${wallTextAt(zone, new Date(instant))}Z`) - Math.floor(instant / 1000) * 1000;
}

// Making one takes a thousand times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2025-09-15T09:00:00` */
function wallTextAt(zone: string, instant: Date): string {
  const ahead = australianOffset(zone, instant.getTime());
  if (ahead !== undefined) return new Date(instant.getTime() + ahead * 60_000).toISOString().slice(0, 19);
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  const parts = format.formatToParts(instant);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/** The text with a space before AM and PM at which no line breaks: for pages and mails. */
export const unbrokenTimes = (text: string) => text.replaceAll(/(?<=\d) (?=[AP]M\b)/g, '\u00a0');

/** `9:00 AM` from `09:00`: how a time of day is written everywhere. */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}
