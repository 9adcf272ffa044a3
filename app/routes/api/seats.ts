import { quickStats, upcomingSessions } from '#app/features/sessions/rules.ts';
import type { SeatsNow } from '#app/features/sessions/session-view.ts';
import { liveSeatsOf } from '#app/features/sessions/session-view.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { clockContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/seats';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

/** `GET /api/seats` answers seats left and state of every session that is not over, by slug, and the seats on offer. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { sessions } = context.get(snapshotContext).current();
  const today = academyToday(context.get(clockContext));
  const seats: SeatsNow = {
    available: quickStats(upcomingSessions(sessions, today), today).availableSeats,
    sessions: Object.fromEntries(
      sessions.filter(({ endDate }) => endDate >= today).map((session) => [session.slug, liveSeatsOf(session, today)]),
    ),
  };
  return Response.json(seats);
}
