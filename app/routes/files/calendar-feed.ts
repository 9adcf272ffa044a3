import { calendarFile } from '#app/documents/calendar.ts';
import { sessionEvent } from '#app/features/sessions/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { Route } from './+types/calendar-feed';

/** A date is moved a few times a year: who subscribes need not ask more often. */
const refreshMinutes = 6 * 60;

/** Training sessions of this month and of all to come, to subscribe to (P15). */
export function loader({ context }: Route.LoaderArgs): Response {
  const { sessions, calendarRecords, bySlug, site } = context.get(snapshotContext).current();
  const baseUrl = context.get(baseUrlContext);
  const events = sessions.flatMap((session) => {
    const record = calendarRecords.get(session.id);
    const courseChangedAt = bySlug.get(session.course.slug)?.changedAt ?? null;
    return record ? [sessionEvent(session, { record, courseChangedAt, baseUrl })] : [];
  });
  return new Response(calendarFile(`${site.name} training`, site, events, { refreshMinutes }), {
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  });
}
