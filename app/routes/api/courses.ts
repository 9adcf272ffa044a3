import { cataloguePart } from '#app/features/catalogue/catalogue-page.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Route } from './+types/courses';

/** `GET /api/courses?page=3` and the filters of `/courses`: the cards that page 3 adds to page 2 (P10). */
export function loader({ context, url }: Route.LoaderArgs): Response {
  const store = context.get(snapshotContext);
  const part = cataloguePart(store.current(), store.suggester(), url);
  return Response.json(part, { headers: { 'Cache-Control': 'no-cache' } });
}
