import { playerFor } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { wasMarkedOn } from '#app/features/study/bower/records.server.ts';
import { showBowerOf } from '#app/features/study/bower/view.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { bowerScene } from '#app/ui/bower/scene.ts';
import type { Route } from './+types/bower-drawing';

/** The drawings of a player's own bower: `wide.svg` and `tall.svg`; with `?falls` the straw of a day marked today falls. */
export async function loader({ context, params: { file }, url }: Route.LoaderArgs): Promise<Response> {
  const { person } = playerFor(context);
  if (file !== 'wide.svg' && file !== 'tall.svg') return new Response('Not found\n', { status: 404 });
  const { db, clock } = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const facts = await unlessDatabaseAway(async () => ({
    ...(await showBowerOf(db, person.id, snapshot)).facts,
    falls: url.searchParams.has('falls') && (await wasMarkedOn(db, person.id, academyToday(clock))),
  }));
  const svg = bowerScene(facts, file === 'wide.svg' ? 'wide' : 'tall');
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private, no-cache' } });
}
