import { calendarFile } from '../../documents/calendar.ts';
import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import { sessionEvent } from '../../features/sessions/calendar-events.ts';
import { baseUrlContext, clockContext } from '../../http/context.ts';
import type { Route } from './+types/calendar-feed';

/** Every training session, to subscribe to (P15). */
export function loader({ context }: Route.LoaderArgs): Response {
  const { sessions, version, site } = context.get(catalogueContext).snapshot();
  const at = { baseUrl: context.get(baseUrlContext), version };
  const events = sessions.map((session) => sessionEvent(session, at));
  return new Response(calendarFile(`${site.name} training`, context.get(clockContext).now(), events), {
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  });
}
