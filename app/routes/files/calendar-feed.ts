import { calendarFile } from '#app/documents/calendar.ts';
import { courseDateEvent } from '#app/features/course-dates/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { Route } from './+types/calendar-feed';

/** A date is moved a few times a year: who subscribes need not ask more often. */
const refreshMinutes = 6 * 60;

/** Course dates of this month and of all to come, to subscribe to (P15). */
export function loader({ context }: Route.LoaderArgs): Response {
  const { courseDates, calendarRecords, bySlug, site } = context.get(snapshotContext).current();
  const baseUrl = context.get(baseUrlContext);
  const events = courseDates.flatMap((courseDate) => {
    const record = calendarRecords.get(courseDate.id);
    const courseChangedAt = bySlug.get(courseDate.course.slug)?.changedAt ?? null;
    return record ? [courseDateEvent(courseDate, { record, courseChangedAt, baseUrl })] : [];
  });
  return new Response(calendarFile(`${site.name} training`, site, events, { refreshMinutes }), {
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  });
}
