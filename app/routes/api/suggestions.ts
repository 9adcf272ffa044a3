import { cutSearch } from '#app/features/catalogue/schema.ts';
import type { Suggestion } from '#app/features/catalogue/suggestions.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Route } from './+types/suggestions';

const limit = 8;

/** `GET /api/suggestions?search=` answers `{ suggestions }`, best first, at most eight (P11). */
export function loader({ context, url }: Route.LoaderArgs): Response {
  const text = cutSearch(url.searchParams.get('search') ?? '');
  const suggestions: Suggestion[] = context.get(snapshotContext).suggester().suggest(text, limit);
  return Response.json({ suggestions }, { headers: { 'Cache-Control': 'public, max-age=60' } });
}
