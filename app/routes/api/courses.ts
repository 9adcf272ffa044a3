import { cataloguePage } from '#app/features/catalogue/catalogue-page.ts';
import { partOf } from '#app/features/catalogue/paging.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/courses';

/** `GET /api/courses?page=3` and the filters of `/courses`: the cards that page 3 adds to page 2 (P10). */
export function loader({ context, url }: Route.LoaderArgs): Response {
  const store = context.get(snapshotContext);
  const today = academyToday(context.get(academyContext).clock);
  const page = cataloguePage(listable(store.current(), today), store.suggester().nearest, url);
  return Response.json(partOf(page), { headers: { 'Cache-Control': 'no-cache' } });
}
