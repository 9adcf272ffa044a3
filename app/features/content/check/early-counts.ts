import type { CrossFault } from '#app/features/content/faults.ts';
import type { Content } from '#app/features/content/schema.ts';
import { addDays } from '#app/lib/dates.ts';
import { textsOf } from './guided-study.ts';
import { numberFrom } from './numbers.ts';

/**
 * Courses with learners or a rating that nobody can have finished by `asOf`, the day of these figures (P41): the weeks
 * that their texts name were not over. For files only: in the database, dates have moved and `asOf` has not (P13).
 */
export function earlyCountFaults({ courses, site }: Pick<Content, 'courses' | 'site'>): CrossFault[] {
  return courses.flatMap((course, index) => {
    const weeks = Math.max(0, ...textsOf(course).flatMap(([, text]) => weeksIn(text)));
    const over = addDays(course.published, weeks * 7);
    if (over <= site.asOf) return [];
    const message = `nobody has finished by asOf, ${site.asOf}: the course takes ${weeks} weeks from ${course.published} (P41)`;
    const counted = [course.learners > 0 ? 'learners' : [], course.rating === undefined ? [] : 'rating'].flat();
    return counted.map((field): CrossFault => ({ file: { course: index }, path: [field], message }));
  });
}

/** The numbers of weeks that a text names: `for thirty weeks` gives 30. */
const weeksIn = (text: string): number[] =>
  [...text.matchAll(/\b(\d+|[a-z]+(?:-[a-z]+)?) weeks\b/gi)].flatMap(([, amount = '']) => numberFrom(amount) ?? []);
