import type { Catalogue, CourseCard } from '#app/features/catalogue/catalogue.ts';

/**
 * For each step of a quest line, the numbers (from 1) of the later steps that assume it, directly or through another
 * course. A step before the last that none depends on can be left out.
 */
export function dependentSteps(
  steps: readonly { course: Pick<CourseCard, 'slug'> }[],
  { bySlug, byId }: Pick<Catalogue, 'bySlug' | 'byId'>,
): number[][] {
  const needsOf = (slug: string): Set<number> => {
    const known = new Set<number>();
    const learn = (id: number) => {
      if (known.has(id)) return;
      known.add(id);
      for (const needed of byId.get(id)?.needs ?? []) learn(needed);
    };
    for (const id of bySlug.get(slug)?.needs ?? []) learn(id);
    return known;
  };
  const ids = steps.map(({ course }) => bySlug.get(course.slug)?.id ?? -1);
  const needs = steps.map(({ course }) => needsOf(course.slug));
  return ids.map((id, at) => needs.flatMap((needed, later) => (later > at && needed.has(id) ? [later + 1] : [])));
}
