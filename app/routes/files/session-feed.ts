import { href, redirect } from 'react-router';
import { calendarFile } from '#app/documents/calendar.ts';
import { sessionEvent } from '#app/features/sessions/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { Route } from './+types/session-feed';

/** One training session as a calendar file (P15). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const store = context.get(snapshotContext);
  const { bySlug, site } = store.current();
  const found = await store.session(params.sessionId);
  if (!found.ok) return new Response('Not readable now\n', { status: 503, headers: { 'Retry-After': '30' } });
  const { session, record } = found;
  if (!session || !record) return new Response('Not found\n', { status: 404 });
  if (session.slug !== params.sessionId)
    throw redirect(href('/training-calendar/:sessionId/session.ics', { sessionId: session.slug }), 301);
  const courseChangedAt = bySlug.get(session.course.slug)?.changedAt ?? null;
  const event = sessionEvent(session, { record, courseChangedAt, baseUrl: context.get(baseUrlContext) });
  return new Response(calendarFile(session.course.title, site, [event]), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Content-Disposition': `attachment; filename="${session.slug}.ics"`,
    },
  });
}
