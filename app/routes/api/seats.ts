import type { SeatsNow } from '#app/features/course-dates/course-date-view.ts';
import { liveSeatsOf } from '#app/features/course-dates/course-date-view.ts';
import { quickStats, upcomingCourseDates } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/seats';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

/** `GET /api/seats` answers seats left and state of every course date that is not over, by slug, and the seats on offer. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { courseDates } = context.get(snapshotContext).current();
  const today = academyToday(context.get(academyContext).clock);
  const seats: SeatsNow = {
    available: quickStats(upcomingCourseDates(courseDates, today), today).availableSeats,
    courseDates: Object.fromEntries(
      courseDates
        .filter(({ endDate }) => endDate >= today)
        .map((courseDate) => [courseDate.slug, liveSeatsOf(courseDate, today)]),
    ),
  };
  return Response.json(seats);
}
