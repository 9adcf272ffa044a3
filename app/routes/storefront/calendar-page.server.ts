import type { CourseDates } from '#app/features/course-dates/assemble.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { type CourseDateView, viewOf } from '#app/features/course-dates/course-date-view.ts';
import { courseDatesOn, type QuickStats, quickStats, upcomingCourseDates } from '#app/features/course-dates/rules.ts';
import type { CalendarQuery } from '#app/features/course-dates/schema.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatMonth } from '#app/lib/dates.ts';
import { placesOf } from '#app/lib/delivery.ts';
import { levels } from '#app/lib/levels.ts';

/** Everything the training calendar shows for one address. */
export type CalendarPage = {
  today: Day;
  /** The first month with a date to come. */
  first: string;
  query: CalendarQuery;
  stats: QuickStats;
  /** Days of the shown month on which a course runs. */
  markedDays: Day[];
  onChosenDay: { slug: string; title: string }[];
  months: { month: string; courseDates: CourseDateView[] }[];
  matching: number;
  cancelled: number;
  total: number;
  options: Record<'courses' | 'modes' | 'levels' | 'months', { value: string; label: string }[]>;
};

/** The first month with a date to come that is held, this month without one: the picker opens on it. */
export const firstMonth = (courseDates: readonly CourseDate[], today: Day): string =>
  (upcomingCourseDates(courseDates, today).find(({ state }) => state !== 'cancelled')?.startDate ?? today).slice(0, 7);

/**
 * The page of a query; of days that are over it shows what is in `inMonth` and `onDay`, the course dates of the shown month
 * and of the chosen day, which the snapshot does not hold for ever.
 */
export function calendarPage(
  { courseDates }: Pick<CourseDates, 'courseDates'>,
  query: CalendarQuery,
  { today, first }: { today: Day; first: string },
  { inMonth, onDay }: { inMonth: readonly CourseDate[]; onDay: readonly CourseDate[] },
): CalendarPage {
  const upcoming = upcomingCourseDates(courseDates, today);
  const days = Array.from({ length: 31 }, (_, at) => `${query.show}-${String(at + 1).padStart(2, '0')}`);
  const monthOf = ({ startDate }: CourseDate) => startDate.slice(0, 7);
  const matching = upcoming.filter(
    (courseDate) =>
      (query.course === '' || courseDate.course.slug === query.course) &&
      (query.mode === '' || placesOf(courseDate).includes(query.mode)) &&
      (query.level === '' || courseDate.course.level.toLowerCase() === query.level) &&
      (query.month === '' || monthOf(courseDate) === query.month),
  );
  const courses = new Map(upcoming.map(({ course }) => [course.slug, course.title]));
  return {
    today,
    first,
    query,
    stats: quickStats(upcoming, today),
    markedDays: days.filter((day) => courseDatesOn(inMonth, day).length > 0),
    onChosenDay: (query.date === null ? [] : courseDatesOn(onDay, query.date)).map(({ slug, course }) => ({
      slug,
      title: course.title,
    })),
    months: [...new Set(matching.map(monthOf))].map((month) => ({
      month,
      courseDates: matching
        .filter((courseDate) => monthOf(courseDate) === month)
        .map((courseDate) => viewOf(courseDate, courseDates, today)),
    })),
    matching: matching.length,
    cancelled: matching.filter(({ state }) => state === 'cancelled').length,
    total: upcoming.length,
    options: {
      courses: [...courses]
        .map(([value, label]) => ({ value, label }))
        .sort((one, other) => compareText(one.label, other.label)),
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
