import type { Day } from '#app/lib/dates.ts';
import { splitHours } from '#app/lib/taught-hours.ts';
import type { TrainingSession } from './session.ts';

/** Sessions that start on `today` or later, in the order given. */
export function upcomingSessions(sessions: readonly TrainingSession[], today: Day): TrainingSession[] {
  return sessions.filter(({ startDate }) => startDate >= today);
}

/** The sessions of a course that have not begun on `today`, by start. */
export function upcomingSessionsOf(sessions: readonly TrainingSession[], courseSlug: string, today: Day) {
  return upcomingSessions(sessions, today).filter(({ course }) => course.slug === courseSlug);
}

export type QuickStats = { upcomingCourses: number; availableSeats: number; thisMonth: number };

/** The figures of the Quick Stats box, counted from the sessions to come (P13). */
export function quickStats(upcoming: readonly TrainingSession[], today: Day): QuickStats {
  const month = today.slice(0, 7);
  return {
    upcomingCourses: upcoming.length,
    availableSeats: upcoming.reduce((sum, { seatsAvailable }) => sum + seatsAvailable, 0),
    thisMonth: upcoming.filter(({ startDate }) => startDate.startsWith(month)).length,
  };
}

/** Sessions that run on a day, first and last day included. */
export function sessionsOn(sessions: readonly TrainingSession[], day: Day): TrainingSession[] {
  return sessions.filter(({ startDate, endDate }) => startDate <= day && day <= endDate);
}

/** `AEST` or `AEDT`, whichever applies in the zone at noon of that day (P14). */
export function zoneAbbreviation(zone: string, day: Day): string {
  const format = new Intl.DateTimeFormat('en-AU', { timeZone: zone, timeZoneName: 'short', hour: 'numeric' });
  const parts = format.formatToParts(new Date(`${day}T02:00:00Z`));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** The instant of a wall-clock time in a zone. A time that daylight saving skips counts as the hour after. */
export function instantOf(day: Day, time: string, zone: string): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  const guess = asUtc - offsetMs(zone, asUtc);
  return new Date(asUtc - offsetMs(zone, guess));
}

/** A wall-clock time in a zone with its offset from UTC on that day: `2025-09-15T09:00:00+10:00`. */
export function timeWithOffset(day: Day, time: string, zone: string): string {
  const minutes = Math.round(offsetMs(zone, instantOf(day, time, zone).getTime()) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${day}T${time}:00${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`;
}

/** How far the zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function offsetMs(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const).formatToParts(new Date(instant));
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  const wall = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
  return Date.parse(wall) - Math.floor(instant / 1000) * 1000;
}

/** `9:00 AM` from `09:00`. */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** `9:00 AM to 5:00 PM AEST`, the zone's abbreviation as of the first day. */
export function formatSessionTime(session: TrainingSession): string {
  const zone = zoneAbbreviation(session.zone, session.startDate);
  return `${formatTime(session.startTime)} to ${formatTime(session.endTime)} ${zone}`;
}

/**
 * `80: 37.5 taught live, 42.5 in your own time`, or `30, all taught live`: how the hours of the course are spent in this
 * session.
 */
export function formatSessionHours(session: TrainingSession): string {
  const { hours } = session.course;
  const { taught, own } = splitHours(session, hours);
  if (own === 0) return `${hours}, all taught live`;
  return `${hours}: ${taught} taught live, ${own} in your own time`;
}
