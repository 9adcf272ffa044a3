import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { coursePaths } from './paths.ts';
import { questLinesOf } from './quest-lines.ts';

test('a course knows its neighbours and its step in each quest line', () => {
  const courses = [0, 1, 2, 3].map((at) => listedCourse(at));
  const catalogue = snapshotOf(courses);
  const steps = [2, 0, 1].map((at) => ({ course: `course-${at}`, reason: `Why ${at}` }));
  const line = { slug: 'line', title: 'Line', icon: 'eye' as const, description: 'To a role', role: 'The role' };
  const questLines = questLinesOf([{ ...line, steps }], catalogue, []);
  const between = listedCourse(0, { needs: [2, 99], leadsTo: [1] });
  const paths = coursePaths({ ...catalogue, questLines }, between);
  expect(paths.needs.map(({ slug }) => slug)).toEqual(['course-2']);
  expect(paths.leadsTo.map(({ slug }) => slug)).toEqual(['course-1']);
  expect(paths.questLines).toEqual([{ slug: 'line', title: 'Line', step: 2, steps: 3 }]);
  expect(coursePaths({ ...catalogue, questLines }, listedCourse(3)).questLines).toEqual([]);
});
