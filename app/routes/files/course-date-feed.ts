import { href, redirect } from 'react-router';
import { calendarFile } from '#app/documents/calendar.ts';
import { courseDateEvent } from '#app/features/course-dates/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { Route } from './+types/course-date-feed';

/** One course date as a calendar file (P15). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const store = context.get(snapshotContext);
  const { bySlug, site } = store.current();
  const found = await store.courseDate(params.courseDateId);
  if (!found.ok) return new Response('Not readable now\n', { status: 503, headers: { 'Retry-After': '30' } });
  const { courseDate, record } = found;
  if (!courseDate || !record) return new Response('Not found\n', { status: 404 });
  if (courseDate.slug !== params.courseDateId)
    throw redirect(href('/training-calendar/:courseDateId/course_date.ics', { courseDateId: courseDate.slug }), 301);
  const courseChangedAt = bySlug.get(courseDate.course.slug)?.changedAt ?? null;
  const event = courseDateEvent(courseDate, { record, courseChangedAt, baseUrl: context.get(baseUrlContext) });
  return new Response(calendarFile(courseDate.course.title, site, [event]), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Content-Disposition': `attachment; filename="${courseDate.slug}.ics"`,
    },
  });
}
