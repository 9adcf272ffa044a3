import { type Day, formatMonth } from '../../lib/dates.ts';
import { levels } from '../../lib/levels.ts';
import type { Snapshot, TrainingSession } from '../catalogue/snapshot.ts';
import { type QuickStats, quickStats, sessionsOn, upcomingSessions } from './rules.ts';
import { type CalendarQuery, parseCalendarQuery } from './schema.ts';

/** Everything the training calendar shows for one address. */
export type CalendarPage = {
  today: Day;
  query: CalendarQuery;
  stats: QuickStats;
  /** Days of the shown month on which a session runs. */
  markedDays: Day[];
  onChosenDay: { slug: string; title: string }[];
  sessions: TrainingSession[];
  total: number;
  options: { modes: string[]; levels: string[]; months: { value: string; label: string }[] };
};

export function calendarPage(snapshot: Snapshot, url: URL, today: Day): CalendarPage {
  const query = parseCalendarQuery(url.searchParams, today);
  const upcoming = upcomingSessions(snapshot.sessions, today);
  const days = Array.from({ length: 31 }, (_, at) => `${query.show}-${String(at + 1).padStart(2, '0')}`);
  const monthOf = ({ startDate }: TrainingSession) => startDate.slice(0, 7);
  return {
    today,
    query,
    stats: quickStats(upcoming, today),
    markedDays: days.filter((day) => sessionsOn(snapshot.sessions, day).length > 0),
    onChosenDay: (query.date === null ? [] : sessionsOn(snapshot.sessions, query.date)).map(({ slug, course }) => ({
      slug,
      title: course.title,
    })),
    sessions: upcoming.filter(
      (session) =>
        (query.mode === '' || session.mode === query.mode) &&
        (query.level === '' || session.course.level === query.level) &&
        (query.month === '' || monthOf(session) === query.month),
    ),
    total: upcoming.length,
    options: {
      modes: [...new Set(upcoming.map(({ mode }) => mode))],
      levels: levels.filter((level) => upcoming.some(({ course }) => course.level === level)),
      months: [...new Set(upcoming.map(monthOf))].map((value) => ({ value, label: formatMonth(value) })),
    },
  };
}
