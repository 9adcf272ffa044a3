import { formatSessionTime } from '#app/features/sessions/rules.ts';
import type { SessionTimes } from '#app/features/sessions/session.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';

export type SessionDay = { day: Day; times: string };

/** The days of a session with their hours; the zone's name is that of the day (P14). */
export function daysOf(session: SessionTimes): SessionDay[] {
  const count = daysBetween(session.startDate, session.endDate) + 1;
  const days = Array.from({ length: count }, (_, at) => addDays(session.startDate, at));
  return days.map((day) => ({ day, times: formatSessionTime({ ...session, startDate: day, endDate: day }) }));
}
