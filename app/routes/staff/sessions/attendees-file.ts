import { enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import { attendeeCsv } from '#app/features/enrolments/desk/attendee-csv.ts';
import { findSession, readAttendees } from '#app/features/enrolments/desk/sessions.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/attendees-file';

/** Who attends a training session, as CSV. */
export async function loader({ context, params: { slug } }: Route.LoaderArgs): Promise<Response> {
  const { db, clock } = context.get(enquiriesContext);
  const csv = await orAway(async () => {
    const session = await findSession(db, slug, academyToday(clock));
    return session && attendeeCsv(await readAttendees(db, session.id));
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
