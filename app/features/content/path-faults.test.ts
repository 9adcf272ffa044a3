import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import type { CourseContent } from './course-schema.ts';
import { pathFaults } from './path-faults.ts';
import { crossFaults } from './rules.ts';

const messages = (courses: CourseContent[], steps: string[] = []) => {
  const questLines = steps.length > 0 ? [{ ...line, steps: steps.map((course) => ({ course, reason: 'Why' })) }] : [];
  return pathFaults({ ...sampleContent(courses), questLines }).map(({ message }) => message);
};
const line = { slug: 'line', title: 'Line', icon: 'eye' as const, description: 'd', role: 'r' };

test('a neighbour that does not exist is a fault at its place', () => {
  const courses = [sampleCourse('a', { needs: ['x'], leadsTo: ['y'] })];
  expect(crossFaults(sampleContent(courses), ['courses/a.yaml'], [])).toEqual([
    { file: { course: 0 }, path: ['needs', 0], message: 'no course has the slug "x"' },
    { file: { course: 0 }, path: ['leadsTo', 0], message: 'no course has the slug "y"' },
  ]);
});

test('levels never fall on the way', () => {
  const courses = [
    sampleCourse('a', { level: 'Advanced', leadsTo: ['b'] }),
    sampleCourse('b', { level: 'Intermediate' }),
    sampleCourse('c', { needs: ['b'] }),
  ];
  expect(messages(courses)).toEqual([
    '"b" is of a lower level than Advanced',
    '"b" is of a higher level than Beginner',
  ]);
});

test('a circle is told with all its courses, through needs as well as leadsTo', () => {
  const courses = [
    sampleCourse('a', { leadsTo: ['b'] }),
    sampleCourse('b'),
    sampleCourse('c', { needs: ['b'], leadsTo: ['a'] }),
  ];
  expect(messages(courses)).toEqual(['goes round in a circle: a → b → c → a']);
  expect(messages([sampleCourse('a', { needs: ['a'] })])).toEqual(['goes round in a circle: a → a']);
});

test('paths that only go forward have no fault, and one step back makes one', () => {
  const size = 12;
  const name = (at: number) => `c${at}`;
  const edge = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).filter(([from, to]) => from < to);
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 30 }), edge, (edges, [from, to]) => {
      const courses = (links: [number, number][]) =>
        Array.from({ length: size }, (_, at) =>
          sampleCourse(name(at), { leadsTo: links.filter(([start]) => start === at).map(([, end]) => name(end)) }),
        );
      expect(messages(courses(edges))).toEqual([]);
      expect(messages(courses([...edges, [from, to], [to, from]])).length).toBeGreaterThan(0);
    }),
  );
});

test('a quest line holds each course once, in the order of the catalogue’s paths', () => {
  const courses = [
    sampleCourse('a', { leadsTo: ['b'] }),
    sampleCourse('b'),
    sampleCourse('c', { level: 'Intermediate', needs: ['b'] }),
  ];
  expect(messages(courses, ['a', 'b', 'c'])).toEqual([]);
  expect(messages(courses, ['b', 'a', 'c'])).toEqual(['"a" comes before "b" in the catalogue']);
  expect(messages(courses, ['a', 'c'])).toEqual([]);
  const far = [sampleCourse('a', { leadsTo: ['b'] }), sampleCourse('b', { leadsTo: ['c'] }), sampleCourse('c')];
  expect(messages(far, ['c', 'a'])).toEqual(['"a" comes before "c" in the catalogue']);
  expect(messages(courses, ['a', 'b', 'a'])).toEqual(['"a" is in this quest line twice']);
  expect(messages([...courses, sampleCourse('d')], ['c', 'd'])).toEqual([
    '"d" is of a lower level than the step before it',
  ]);
});
