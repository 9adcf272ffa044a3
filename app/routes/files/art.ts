import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { courseDrawing, formerDrawing, instructorIcon } from '#app/features/catalogue/drawings.ts';
import { wasCourse } from '#app/features/catalogue/queries.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { exampleBower } from '#app/features/study/bower/example.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { bowerScene, doorScene } from '#app/ui/bower/scene.ts';
import { bowerArt, wallArt } from '#app/ui/bower-art.ts';
import { courseArt } from '#app/ui/course-art.ts';
import { iconSheet } from '#app/ui/icon-drawings.ts';
import { portraitArt } from '#app/ui/portrait-art.ts';
import type { Route } from './+types/art';

export const handle: SharedPage = { shared: { parameters: [] } };

/** `/art/bower.svg`, `/art/wall.svg`, `/art/icons.svg`, `/art/door.svg`, and what has facts of its own: `/art/course/cissp.svg`, `/art/instructor/…`, `/art/example-bower/wide.svg`. */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const [name = '', ending, ...more] = params.file.split('.');
  const isPicture = ending === 'svg' && more.length === 0;
  let svg = isPicture ? drawing(params.kind, name, () => context.get(snapshotContext).current()) : null;
  if (svg === null && isPicture && params.kind === 'course' && isSlug(name)) {
    try {
      // Pages kept elsewhere and past course dates still show a course that is no longer offered: its picture stays.
      if (await wasCourse(context.get(academyContext).db, name)) svg = courseArt(formerDrawing(name));
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      return new Response('Not readable now\n', { status: 503, headers: { 'Retry-After': '30' } });
    }
  }
  if (svg === null) return new Response('Not found\n', { status: 404 });
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' } });
}

const common = new Map([
  ['bower', () => bowerArt()],
  ['bower-builds', () => bowerArt('builds')],
  ['wall', wallArt],
  ['icons', iconSheet],
  ['door', () => doorScene('door')],
  ['door-band', () => doorScene('band')],
]);

const isSlug = (name: string) => name.length <= 100 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);

function drawing(kind: string | undefined, name: string, snapshot: () => Snapshot): string | null {
  if (kind === undefined) return common.get(name)?.() ?? null;
  if (!isSlug(name)) return null;
  if (kind === 'example-bower') {
    return name === 'wide' || name === 'tall' ? bowerScene(exampleBower(snapshot()), name) : null;
  }
  if (kind === 'course') {
    const { bySlug, aliases, tracks } = snapshot();
    const course = bySlug.get(aliases.get(name) ?? name);
    return course ? courseArt(courseDrawing(course, { tracks })) : null;
  }
  if (kind !== 'instructor') return null;
  const { instructors, courses } = snapshot();
  return instructors.has(name) ? portraitArt({ seed: name, icon: instructorIcon(name, { courses }) }) : null;
}
