import { href, redirect } from 'react-router';
import { calendarFile } from '#app/documents/calendar.ts';
import { sessionEvent } from '#app/features/sessions/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext, clockContext } from '#app/http/context.ts';
import type { Route } from './+types/session-feed';

/** One training session as a calendar file (P15). */
export function loader({ context, params }: Route.LoaderArgs): Response {
  const { sessions, sessionAliases, versions } = context.get(snapshotContext).current();
  const renamed = sessionAliases.get(params.sessionId);
  if (renamed) throw redirect(href('/training-calendar/:sessionId/session.ics', { sessionId: renamed }), 301);
  const session = sessions.find(({ slug }) => slug === params.sessionId);
  if (!session) return new Response('Not found\n', { status: 404 });
  const event = sessionEvent(session, { baseUrl: context.get(baseUrlContext), versions });
  return new Response(calendarFile(session.course.title, context.get(clockContext).now(), [event]), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="${session.slug}.ics"`,
    },
  });
}
