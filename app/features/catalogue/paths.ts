import type { Catalogue, CourseCard, ListedCourse } from './catalogue.ts';

export type CoursePathsOf = {
  needs: CourseCard[];
  leadsTo: CourseCard[];
  /** Quest lines that hold the course, and its place in each, from 1. */
  questLines: { slug: string; title: string; step: number; steps: number }[];
};

/** The ways through a course; neighbours that are no longer offered are left out. */
export function coursePaths(
  { byId, questLines }: Pick<Catalogue, 'byId' | 'questLines'>,
  { card, needs, leadsTo }: ListedCourse,
): CoursePathsOf {
  const cards = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id)?.card ?? []);
  return {
    needs: cards(needs),
    leadsTo: cards(leadsTo),
    questLines: questLines.flatMap(({ slug: line, title, steps }) => {
      const at = steps.findIndex(({ course }) => course.slug === card.slug);
      return at < 0 ? [] : [{ slug: line, title, step: at + 1, steps: steps.length }];
    }),
  };
}
