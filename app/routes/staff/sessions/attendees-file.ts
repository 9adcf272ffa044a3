import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/attendees-file';
import { attendeeCsv } from './attendee-csv.ts';
import { readAttendees } from './session-people.server.ts';
import { findSession } from './sessions.server.ts';

/** The attendees of a training session, as CSV. */
export async function loader({ context, params: { slug } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const csv = await orAway(async () => {
    const session = await findSession(db, actor, slug, academyToday(clock));
    return session && attendeeCsv(await readAttendees(db, actor, session.id), actor);
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
