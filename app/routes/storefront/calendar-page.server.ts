import type { Sessions } from '#app/features/sessions/assemble.ts';
import { type QuickStats, quickStats, sessionsOn, upcomingSessions } from '#app/features/sessions/rules.ts';
import type { CalendarQuery } from '#app/features/sessions/schema.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { type SessionView, viewOf } from '#app/features/sessions/session-view.ts';
import { type Day, formatMonth } from '#app/lib/dates.ts';
import { placesOf } from '#app/lib/delivery.ts';
import { levels } from '#app/lib/levels.ts';

/** Everything the training calendar shows for one address. */
export type CalendarPage = {
  today: Day;
  query: CalendarQuery;
  stats: QuickStats;
  /** Days of the shown month on which a course runs. */
  markedDays: Day[];
  onChosenDay: { slug: string; title: string }[];
  sessions: SessionView[];
  total: number;
  options: Record<'modes' | 'levels' | 'months', { value: string; label: string }[]>;
};

/**
 * The page of a query; of days that are over it shows what is in `inMonth` and `onDay`, the sessions of the shown month
 * and of the chosen day, which the snapshot does not hold for ever.
 */
export function calendarPage(
  { sessions }: Pick<Sessions, 'sessions'>,
  query: CalendarQuery,
  today: Day,
  { inMonth, onDay }: { inMonth: readonly TrainingSession[]; onDay: readonly TrainingSession[] },
): CalendarPage {
  const upcoming = upcomingSessions(sessions, today);
  const days = Array.from({ length: 31 }, (_, at) => `${query.show}-${String(at + 1).padStart(2, '0')}`);
  const monthOf = ({ startDate }: TrainingSession) => startDate.slice(0, 7);
  return {
    today,
    query,
    stats: quickStats(upcoming, today),
    markedDays: days.filter((day) => sessionsOn(inMonth, day).length > 0),
    onChosenDay: (query.date === null ? [] : sessionsOn(onDay, query.date)).map(({ slug, course }) => ({
      slug,
      title: course.title,
    })),
    sessions: upcoming
      .filter(
        (session) =>
          (query.mode === '' || placesOf(session).includes(query.mode)) &&
          (query.level === '' || session.course.level.toLowerCase() === query.level) &&
          (query.month === '' || monthOf(session) === query.month),
      )
      .map((session) => viewOf(session, sessions, today)),
    total: upcoming.length,
    options: {
      modes: [
        ...(upcoming.some(({ delivery }) => delivery !== 'in-person') ? [{ value: 'online', label: 'Online' }] : []),
        ...[...new Set(upcoming.flatMap(({ venue }) => venue ?? []))].map((venue) => ({
          value: venue.toLowerCase(),
          label: `In-Person ${venue}`,
        })),
      ],
      levels: levels
        .filter((level) => upcoming.some(({ course }) => course.level === level))
        .map((label) => ({ value: label.toLowerCase(), label })),
      months: [...new Set(upcoming.map(monthOf))].map((value) => ({ value, label: formatMonth(value) })),
    },
  };
}
