import { filesContext } from '#app/http/traffic.server.ts';
import { drawIcon } from '#app/seo/draw-icon.server.ts';
import type { Route } from './+types/icon';

const icons = new Map([
  ['192.png', { size: 192, maskable: false }],
  ['512.png', { size: 512, maskable: false }],
  ['maskable.png', { size: 512, maskable: true }],
]);

/** The icons that the web manifest names. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const icon = icons.get(params.file);
  if (!icon) return new Response('Not found\n', { status: 404 });
  const png = await context.get(filesContext).get(`icon ${params.file}`, () => drawIcon(icon.size, icon));
  return new Response(png, { headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' } });
}
