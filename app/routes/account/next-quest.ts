import type { Catalogue, CourseCard } from '#app/features/catalogue/catalogue.ts';

/** The course to go on with after the last one that was finished. */
export type NextQuest = {
  course: Pick<CourseCard, 'slug' | 'title'>;
  /** The quest line it is the next step of; null when it only builds on the course that was finished. */
  line: { slug: string; title: string; step: number; steps: number; reason: string } | null;
};

type Courses = Pick<Catalogue, 'byId' | 'bySlug' | 'questLines'>;

/**
 * The next course for a player who finished these courses (P56), the one finished last at the end. It is the next step
 * in the quest line of that course of which most is finished, or else a course that it leads to. Null when there is
 * none. Skipped earlier steps are not suggested: a player who finished a later course knows their content.
 */
export function nextQuest({ byId, bySlug, questLines }: Courses, finished: readonly string[]): NextQuest | null {
  const last = finished.at(-1);
  if (last === undefined) return null;
  const done = new Set(finished);
  const lines = questLines
    .filter(({ steps }) => steps.some(({ course }) => course.slug === last))
    .map((line) => ({ line, known: line.steps.filter(({ course }) => done.has(course.slug)).length }))
    .sort((a, b) => b.known - a.known);
  for (const { line } of lines) {
    const at = line.steps.findLastIndex(({ course }) => done.has(course.slug)) + 1;
    const step = line.steps[at];
    if (!step) continue;
    const { slug, title, steps } = line;
    return { course: step.course, line: { slug, title, step: at + 1, steps: steps.length, reason: step.reason } };
  }
  const onwards = bySlug.get(last)?.leadsTo.flatMap((id) => byId.get(id)?.card ?? []) ?? [];
  const course = onwards.find(({ slug }) => !done.has(slug));
  return course ? { course, line: null } : null;
}
