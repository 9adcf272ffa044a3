import { courseArt } from '../../ui/course-art.ts';
import { isTreasure } from '../../ui/treasures.ts';
import type { Route } from './+types/course-art';

/** `/art/shield.svg` and the like: the drawing of one family of categories. */
export function loader({ params }: Route.LoaderArgs): Response {
  const treasure = params.file.replace(/\.svg$/, '');
  if (!params.file.endsWith('.svg') || !isTreasure(treasure)) return new Response('Not found\n', { status: 404 });
  return new Response(courseArt(treasure), {
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
  });
}
