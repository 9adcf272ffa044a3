import { calendarFile } from '../../documents/calendar.ts';
import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import { sessionEvent } from '../../features/sessions/calendar-events.ts';
import { baseUrlContext, clockContext } from '../../http/context.ts';
import type { Route } from './+types/session-feed';

/** One training session as a calendar file (P15). */
export function loader({ context, params }: Route.LoaderArgs): Response {
  const { sessions, version } = context.get(catalogueContext).snapshot();
  const session = sessions.find(({ slug }) => slug === params.sessionId);
  if (!session) return new Response('Not found\n', { status: 404 });
  const event = sessionEvent(session, { baseUrl: context.get(baseUrlContext), version });
  return new Response(calendarFile(session.course.title, context.get(clockContext).now(), [event]), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="${session.slug}.ics"`,
    },
  });
}
