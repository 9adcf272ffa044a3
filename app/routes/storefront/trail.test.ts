import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { dependentSteps } from './quest-line.tsx';

test('a step lists the later steps that take it as known, through courses outside the line too', () => {
  // 3 needs 9, which is no step and needs 1; nothing needs 2.
  const courses = [listedCourse(1), listedCourse(2), listedCourse(3, { needs: [9] }), listedCourse(9, { needs: [1] })];
  const bySlug = new Map(courses.map((course) => [course.card.slug, course]));
  const byId = new Map(courses.map((course) => [course.id, course]));
  const steps = courses.slice(0, 3).map(({ card }) => ({ course: card }));
  expect(dependentSteps(steps, { bySlug, byId })).toEqual([[3], [], []]);
});
