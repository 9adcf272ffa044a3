import { playerFor } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { showBowerOf } from '#app/features/study/bower/view.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { bowerScene } from '#app/ui/bower/scene.ts';
import type { Route } from './+types/bower-drawing';

/** The drawings of a player's own bower: `wide.svg` and `tall.svg`. */
export async function loader({ context, params: { file } }: Route.LoaderArgs): Promise<Response> {
  const { person } = playerFor(context);
  if (file !== 'wide.svg' && file !== 'tall.svg') return new Response('Not found\n', { status: 404 });
  const { db } = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const { facts } = await unlessDatabaseAway(() => showBowerOf(db, person.id, snapshot));
  const svg = bowerScene(facts, file === 'wide.svg' ? 'wide' : 'tall');
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private, no-cache' } });
}
