import { bowerArt } from '#app/ui/bower-art.ts';
import { courseArt } from '#app/ui/course-art.ts';
import { isIconName } from '#app/ui/icons.ts';
import type { Route } from './+types/art';

/** `/art/bower.svg`, and `/art/shield.svg` and the like: one drawing for each family of categories. */
export function loader({ params }: Route.LoaderArgs): Response {
  const [name = '', ending] = params.file.split('.');
  const svg = ending !== 'svg' ? null : name === 'bower' ? bowerArt() : isIconName(name) ? courseArt(name) : null;
  if (svg === null) return new Response('Not found\n', { status: 404 });
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' } });
}
