import { badgesContext } from '#app/features/study/badges/badge.ts';
import { didDocument } from '#app/features/study/badges/documents.ts';
import { readKeys } from '#app/features/study/badges/keys.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/did';
import { signedJson } from './signed-json.ts';

/** The academy's DID document: every key that badges name (P66). There is none without a public origin. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { origin } = context.get(badgesContext);
  if (origin === null) return new Response('Not found\n', { status: 404 });
  const keys = await unlessDatabaseAway(() => readKeys(context.get(academyContext).db));
  return signedJson(JSON.stringify(didDocument(origin, keys)), { 'Cache-Control': 'public, max-age=300' });
}
