import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import type { Certification } from './catalogue.ts';
import { questLinesOf } from './quest-lines.ts';

const courses = [0, 1, 2, 3].map((at) => listedCourse(at, { price: 1000 * (at + 1), hours: 10 * (at + 1) }));
const catalogue = snapshotOf(courses, { aliases: new Map([['former-0', 'course-0']]) });
const step = (at: number) => ({ course: `course-${at}`, reason: `Why ${at}` });
const line = { slug: 'line', title: 'Line', icon: 'eye' as const, description: 'To a role', role: 'The role' };
const certification = { slug: 'second', name: 'Second', course: courses[1]?.card } as Certification;
const groups = [{ slug: 'g', title: 'G', description: '', certifications: [certification] }];

test('P1: a quest line sums the hours, prices and XP of its courses, and knows the certifications on the way', () => {
  const [found] = questLinesOf([{ ...line, steps: [step(0), step(1), step(3)] }], catalogue, groups);
  expect(found).toMatchObject({ hours: 70, priceCents: 700_000, xp: 3600 });
  expect(found?.steps.map(({ course, reason }) => [course.slug, reason])).toEqual([
    ['course-0', 'Why 0'],
    ['course-1', 'Why 1'],
    ['course-3', 'Why 3'],
  ]);
  expect(found?.certifications).toEqual([{ slug: 'second', name: 'Second' }]);
});

test('a quest line that has lost a course stands without it, one that has lost all is gone', () => {
  const lines = [
    { ...line, steps: [step(0), { course: 'gone', reason: 'Why' }] },
    { ...line, slug: 'empty', steps: [{ course: 'gone', reason: 'Why' }] },
  ];
  const found = questLinesOf(lines, catalogue, groups);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ hours: 10, priceCents: 100_000, certifications: [] });
});

test('P3: a step finds a course by its former slug', () => {
  const lines = [{ ...line, steps: [{ course: 'former-0', reason: 'Why' }] }];
  expect(questLinesOf(lines, catalogue, groups)[0]?.steps[0]?.course.slug).toBe('course-0');
});

test('a step says which courses it needs that the steps before do not give', () => {
  const [basics, tools, deep, other] = [
    listedCourse(0),
    listedCourse(1, { needs: [0] }),
    listedCourse(2, { needs: [0, 3, 99] }),
    listedCourse(3),
  ];
  const all = snapshotOf([basics, tools, deep, other]);
  const alsoNeeds = (...order: number[]) =>
    questLinesOf([{ ...line, steps: order.map(step) }], all, [])[0]?.steps.map((one) =>
      one.alsoNeeds.map(({ slug }) => slug),
    );
  expect(alsoNeeds(0, 1, 2)).toEqual([[], [], ['course-3']]);
  expect(alsoNeeds(2)).toEqual([['course-0', 'course-3']]);
  // Who has taken course 1 has had what it needs.
  expect(alsoNeeds(1, 2)).toEqual([['course-0'], ['course-3']]);
  expect(alsoNeeds(3, 0, 2)).toEqual([[], [], []]);
});
