import type { QuestLine } from '#app/features/catalogue/catalogue.ts';
import { courseDrawing } from '#app/features/catalogue/drawings.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { filesContext, takeTurnContext } from '#app/http/traffic.server.ts';
import { drawSharePicture } from '#app/seo/draw-share-picture.server.tsx';
import {
  certificationPicture,
  courseDatePicture,
  coursePicture,
  questLinePicture,
  type SharePicture,
  sitePicture,
} from '#app/seo/share-picture.ts';
import { courseArt, type Drawing } from '#app/ui/course-art.ts';
import { isIconName } from '#app/ui/icons.ts';
import type { Route } from './+types/share';

/** `/share/site.png`, `/share/course/cissp.png` and the like: what networks show beside a shared link. */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const [name = '', ending] = params.file.split('.');
  const store = context.get(snapshotContext);
  const found = params.kind === 'course-date' && ending === 'png' ? await store.courseDate(name) : null;
  if (found && !found.ok) return new Response('Not readable now\n', { status: 503, headers: { 'Retry-After': '30' } });
  const courseDate = found?.courseDate ?? null;
  const shown = ending === 'png' ? pictureOf(params.kind, name, courseDate, store.current()) : null;
  if (!shown) return new Response('Not found\n', { status: 404 });
  // The smaller treasures beside the main one would be under the title here.
  const art = courseArt({ ...shown.drawing, beside: [] });
  const takeTurn = context.get(takeTurnContext);
  const png = await context
    .get(filesContext)
    .get(`share ${JSON.stringify(shown)}`, () => takeTurn(() => drawSharePicture(shown.picture, art)));
  return new Response(png, { headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' } });
}

type SharedPicture = { picture: SharePicture; drawing: Drawing };

/** The facts of the site's own picture. */
const siteDrawing: Drawing = {
  seed: 'bowerbird',
  icon: 'gem',
  beside: [],
  gems: 4,
  gemColour: '#9be7ff',
  straws: 22,
};

/** `course date` is the course date of that slug, where one was asked for. */
function pictureOf(
  kind: string | undefined,
  slug: string,
  courseDate: CourseDate | null,
  snapshot: Snapshot,
): SharedPicture | null {
  if (kind === undefined) return slug === 'site' ? { picture: sitePicture, drawing: siteDrawing } : null;
  const { bySlug, aliases, certificationGroups, questLines } = snapshot;
  const drawingOf = (courseSlug: string): Drawing => {
    const course = bySlug.get(courseSlug);
    return course ? courseDrawing(course, snapshot) : siteDrawing;
  };
  if (kind === 'course') {
    const course = bySlug.get(aliases.get(slug) ?? slug);
    return course ? { picture: coursePicture(course.card), drawing: courseDrawing(course, snapshot) } : null;
  }
  if (kind === 'course-date') {
    return courseDate ? { picture: courseDatePicture(courseDate), drawing: drawingOf(courseDate.course.slug) } : null;
  }
  if (kind === 'certification') {
    const all = certificationGroups.flatMap(({ certifications }) => certifications);
    const certification = all.find((one) => one.slug === slug);
    if (!certification) return null;
    const drawing = { ...drawingOf(certification.course.slug), seed: `certification ${slug}` };
    return { picture: certificationPicture(certification), drawing };
  }
  if (kind !== 'quest-line') return null;
  const questLine = questLines.find((one) => one.slug === slug);
  return questLine ? { picture: questLinePicture(questLine), drawing: questLineDrawing(questLine) } : null;
}

/** The line's own icon; a gem for each step, as many as a drawing has. */
function questLineDrawing({ slug, icon, steps }: QuestLine): Drawing {
  return {
    seed: `quest line ${slug}`,
    icon: isIconName(icon) ? icon : 'gem',
    beside: [],
    gems: Math.min(4, steps.length),
    gemColour: '#8fb0ff',
    straws: Math.min(22, 8 + 2 * steps.length),
  };
}
