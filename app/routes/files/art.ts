import { courseDrawing, formerDrawing, instructorIcon } from '#app/features/catalogue/drawings.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { bowerArt, wallArt } from '#app/ui/bower-art.ts';
import { courseArt } from '#app/ui/course-art.ts';
import { iconSheet } from '#app/ui/icon-drawings.ts';
import { portraitArt } from '#app/ui/portrait-art.ts';
import type { Route } from './+types/art';

export const handle: SharedPage = { shared: { parameters: [] } };

/** `/art/bower.svg`, `/art/wall.svg`, `/art/icons.svg`, and what has facts of its own: `/art/course/cissp.svg`, `/art/instructor/…`. */
export function loader({ params, context }: Route.LoaderArgs): Response {
  const [name = '', ending] = params.file.split('.');
  const svg = ending === 'svg' ? drawing(params.kind, name, () => context.get(snapshotContext).current()) : null;
  if (svg === null) return new Response('Not found\n', { status: 404 });
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' } });
}

const common = new Map([
  ['bower', bowerArt],
  ['wall', wallArt],
  ['icons', iconSheet],
]);

const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function drawing(kind: string | undefined, name: string, snapshot: () => Snapshot): string | null {
  if (kind === undefined) return common.get(name)?.() ?? null;
  if (!slugForm.test(name) || name.length > 100) return null;
  if (kind === 'course') {
    const { bySlug, aliases, tracks } = snapshot();
    const course = bySlug.get(aliases.get(name) ?? name);
    // A course that was retired may still be shown by a page kept elsewhere: its picture stays.
    return courseArt(course ? courseDrawing(course, { tracks }) : formerDrawing(name));
  }
  if (kind !== 'instructor') return null;
  const { instructors, courses } = snapshot();
  return instructors.has(name) ? portraitArt({ seed: name, icon: instructorIcon(name, { courses }) }) : null;
}
