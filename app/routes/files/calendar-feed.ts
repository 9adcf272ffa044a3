import { calendarFile } from '#app/documents/calendar.ts';
import { sessionEvent } from '#app/features/sessions/calendar-events.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext, clockContext } from '#app/http/context.ts';
import type { Route } from './+types/calendar-feed';

/** Training sessions of this month and of all to come, to subscribe to (P15). */
export function loader({ context }: Route.LoaderArgs): Response {
  const { sessions, versions, site } = context.get(snapshotContext).current();
  const at = { baseUrl: context.get(baseUrlContext), versions };
  const events = sessions.map((session) => sessionEvent(session, at));
  return new Response(calendarFile(`${site.name} training`, context.get(clockContext).now(), events), {
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  });
}
