import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { coursePaths } from './paths.ts';
import { questLinesOf } from './quest-lines.ts';

test('a course knows its neighbours and its step in each quest line', () => {
  const courses = [0, 1, 2, 3].map((at) => listedCourse(at));
  const bySlug = new Map(courses.map((course) => [course.card.slug, course]));
  const steps = [2, 0, 1].map((at) => ({ course: `course-${at}`, reason: `Why ${at}` }));
  const line = { slug: 'line', title: 'Line', treasure: 'eye' as const, description: 'To a role', role: 'The role' };
  const questLines = questLinesOf([{ ...line, steps }], bySlug, []);
  const between = listedCourse(0, { needs: ['course-2', 'gone'], leadsTo: ['course-1'] });
  const paths = coursePaths({ bySlug, questLines }, between);
  expect(paths.needs.map(({ slug }) => slug)).toEqual(['course-2']);
  expect(paths.leadsTo.map(({ slug }) => slug)).toEqual(['course-1']);
  expect(paths.questLines).toEqual([{ slug: 'line', title: 'Line', step: 2, steps: 3 }]);
  expect(coursePaths({ bySlug, questLines }, listedCourse(3)).questLines).toEqual([]);
});
