import type { Level } from '../../lib/levels.ts';

export type Tier = 'bronze' | 'silver' | 'gold' | 'diamond';

/** P7. */
export const tierOf: Record<Level, Tier> = {
  Beginner: 'bronze',
  Intermediate: 'silver',
  Advanced: 'gold',
  Expert: 'diamond',
};

/** Experience points for each hour of a course (P5). */
export const xpPerHour: Record<Level, number> = { Beginner: 40, Intermediate: 55, Advanced: 70, Expert: 85 };

/** Experience points of a course: hours × rate, rounded to 50, held between 1,000 and 5,999 (P5). */
export function xpOf(course: { hours: number; level: Level }): number {
  const rounded = Math.round((course.hours * xpPerHour[course.level]) / 50) * 50;
  return Math.min(5999, Math.max(1000, rounded));
}

type Badged = { slug: string; publishedOn: string; learners: number };

/** Slugs of the most recently published 30%; of equals the first by slug (P5). */
export function newestOf(courses: readonly Badged[]): Set<string> {
  return leading(courses, 0.3, (a, b) => compareText(b.publishedOn, a.publishedOn));
}

/** Slugs of the 40% with most learners; of equals the first by slug (P5). */
export function mostPopularOf(courses: readonly Badged[]): Set<string> {
  return leading(courses, 0.4, (a, b) => b.learners - a.learners);
}

function leading(courses: readonly Badged[], share: number, order: (a: Badged, b: Badged) => number): Set<string> {
  const sorted = [...courses].sort((a, b) => order(a, b) || compareText(a.slug, b.slug));
  return new Set(sorted.slice(0, Math.floor(courses.length * share)).map(({ slug }) => slug));
}

/** Code unit order: the same on every machine, and the one that ISO days sort by. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
