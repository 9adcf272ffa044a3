import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { recordExport } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/attendees-file';
import { attendeeCsv } from './attendee-csv.ts';
import { mayDownloadAttendees, readAttendees } from './course-date-people.server.ts';
import { findCourseDate } from './course-dates.server.ts';

/** The attendees of a course date, as CSV. */
export async function loader({ context, params: { slug } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'attendees:read');
  if (!mayDownloadAttendees(actor)) staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const csv = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    if (!courseDate) return null;
    const attendees = await readAttendees(db, actor, courseDate.id);
    const date = new URLSearchParams({ date: courseDate.slug }).toString();
    await recordExport(academy, actor, { list: 'attendees', rows: attendees.length, filters: date });
    return attendeeCsv(attendees, actor);
  });
  if (csv === null) return new Response('Not found\n', { status: 404 });
  return new Response(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="attendees-${slug}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
