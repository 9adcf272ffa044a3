import { filesContext } from '#app/http/traffic.server.ts';
import { drawIcon } from '#app/seo/draw-icon.server.ts';
import { iconFile } from '#app/seo/icon-file.ts';
import type { Route } from './+types/root-icon';

/** The icons that programs ask for at these addresses without reading a page: `/favicon.ico` and `/apple-touch-icon.png`. */
export async function loader({ context, pattern }: Route.LoaderArgs): Promise<Response> {
  const isFavicon = pattern.endsWith('.ico');
  const file = await context.get(filesContext).get(isFavicon ? 'favicon' : 'touch icon', async () => {
    return isFavicon ? iconFile(await drawIcon(32, { maskable: false }), 32) : drawIcon(180, { maskable: true });
  });
  const type = isFavicon ? 'image/x-icon' : 'image/png';
  return new Response(file, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' } });
}
