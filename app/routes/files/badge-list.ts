import { findList } from '#app/features/study/badges/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/badge-list';
import { signedJson } from './signed-json.ts';

/** A list of the badges that do not hold any more, as it was signed last (P66). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(academyContext);
  const id = Number(/^\d{1,9}$/.exec(params.list)?.[0] ?? 0);
  const list = await unlessDatabaseAway(() => findList(db, id));
  if (!list) return new Response('Not found\n', { status: 404 });
  return signedJson(list.credential, { 'Cache-Control': 'public, max-age=60' });
}
