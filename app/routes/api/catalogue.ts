import { compactCatalogue } from '#app/features/catalogue/compact-catalogue.ts';
import { mostCompactCourses } from '#app/features/catalogue/held-catalogue.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/catalogue';

export const handle: SharedPage = { shared: { parameters: [] } };

/** `GET /api/catalogue`: the whole list, for a browser that filters it by itself; 404 when it is too long for that. */
export function loader({ context }: Route.LoaderArgs): Response {
  const snapshot = context.get(snapshotContext).current();
  if (snapshot.courses.length > mostCompactCourses) return new Response('Too long\n', { status: 404 });
  return Response.json(compactCatalogue(listable(snapshot, academyToday(context.get(academyContext).clock))));
}
