import type { Level } from '#app/lib/levels.ts';

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

/** Shares of the catalogue that are NEW and Popular Choice (P5). */
export const newestShare = 0.3;
export const popularShare = 0.4;
