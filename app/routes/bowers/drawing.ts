import { findPublicBower } from '#app/features/bower/queries.server.ts';
import { showBowerOf } from '#app/features/bower/view.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { filesContext, takeTurnContext } from '#app/http/traffic.server.ts';
import { drawSharePicture } from '#app/seo/draw-share-picture.server.tsx';
import { bowerPicture } from '#app/seo/share-picture.ts';
import { bowerScene } from '#app/ui/bower/scene.ts';
import type { Route } from './+types/drawing';

const headers = { 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' };

/** The drawings of a public bower: `wide.svg`, `tall.svg` and `share.png`. Gone as soon as it is public no more. */
export async function loader({ context, params: { name, file } }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const shown = await orAway(async () => {
    const bower = await findPublicBower(db, name);
    return bower && { name: bower.name, ...(await showBowerOf(db, { ...bower, view: 'public' }, snapshot)) };
  });
  if (!shown) return new Response('Not found\n', { status: 404 });
  if (file === 'wide.svg' || file === 'tall.svg') {
    const svg = bowerScene(shown.facts, file === 'wide.svg' ? 'wide' : 'tall');
    return new Response(svg, { headers: { ...headers, 'Content-Type': 'image/svg+xml' } });
  }
  if (file !== 'share.png') return new Response('Not found\n', { status: 404 });
  const picture = bowerPicture(shown);
  const art = bowerScene(shown.facts, 'share');
  const takeTurn = context.get(takeTurnContext);
  const png = await context
    .get(filesContext)
    .get(`bower ${name} ${JSON.stringify([picture, shown.facts])}`, () =>
      takeTurn(() => drawSharePicture(picture, art)),
    );
  return new Response(png, { headers: { ...headers, 'Content-Type': 'image/png' } });
}
