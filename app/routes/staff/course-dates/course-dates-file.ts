import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type CsvColumn, csvFile } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/course-dates-file';
import { type CourseDateColumn, courseDateList } from './course-date-filter.ts';
import { courseDateRemark } from './course-date-remark.ts';
import { everyCourseDate } from './list-course-dates.server.ts';

const columnsOf: Record<CourseDateColumn, readonly CsvColumn<CourseDateForStaff>[]> = {
  course: [['Course', ({ title }) => title]],
  days: [
    ['First day', ({ startDate }) => startDate],
    ['Last day', ({ endDate }) => endDate],
  ],
  where: [['Where', ({ where }) => where]],
  instructor: [['Instructor', ({ instructor }) => instructor]],
  seats: [
    ['Sold', ({ sold }) => sold],
    ['Seats', ({ capacity }) => capacity],
    ['Minimum', ({ minimum }) => minimum],
  ],
  waiting: [['Waiting', ({ waiting }) => waiting]],
  charged: [['Invoiced, AU$', ({ chargedCents }) => (chargedCents === null ? null : dollarsFromCents(chargedCents))]],
  remark: [['To know', (courseDate) => courseDateRemark(courseDate).text]],
};

/** The rows of the list of course dates that an address shows, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const view = courseDateList.viewOf(url.searchParams);
  return csvFile(academy, actor, {
    list: 'course-dates',
    columns: view.columns.flatMap((column) => columnsOf[column]),
    pieces: everyCourseDate(academy.db, actor, view, academyToday(academy.clock)),
    filters: courseDateList.queryOf(view).toString(),
  });
}
