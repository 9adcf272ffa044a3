import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { type CourseContent, courseSchema } from './course-schema.ts';
import { crossFaults, openingFaults } from './rules.ts';
import type { Content } from './schema.ts';

const filesOf = (content: Content) => content.courses.map(({ slug }) => `courses/${slug}.yaml`);
const messages = (content: Content, files = filesOf(content)) =>
  crossFaults(content, files, []).map(({ message }) => message);

test('sound content has no faults', () => {
  expect(messages(sampleContent([sampleCourse('a'), sampleCourse('b')]))).toEqual([]);
});

test('P3: a slug taken twice is refused, and both files are named', () => {
  const content = sampleContent([sampleCourse('a'), sampleCourse('a')]);
  const faults = crossFaults(content, ['courses/a.yaml', 'courses/copy/a.yaml'], []);
  expect(faults).toEqual([{ file: { course: 1 }, path: ['slug'], message: '"a" is taken by courses/a.yaml (P3)' }]);
});

test('P3: an alias may not be another course’s slug or alias', () => {
  const content = sampleContent([sampleCourse('a'), sampleCourse('b', { aliases: ['old', 'a'] })]);
  expect(messages(content)).toEqual(['"a" is taken by courses/a.yaml (P3)']);
});

test('a course file is named after its slug', () => {
  expect(messages(sampleContent([sampleCourse('a')]), ['courses/b.yaml'])).toEqual(["must be the file's name, a.yaml"]);
});

test.each([
  ['claims', 'the site needs the claim "trainee-goal"'],
  ['pages', 'the site needs the page "help"'],
] as const)('P6, P21: %s that a page of the site asks for are not left out', (list, message) => {
  const content = sampleContent([sampleCourse('a')]);
  const left = {
    ...content,
    claims: content.claims.filter(({ id }) => list !== 'claims' || id !== 'trainee-goal'),
    pages: content.pages.filter(({ slug }) => list !== 'pages' || slug !== 'help'),
  };
  expect(messages(left)).toEqual([message]);
});

test('references must lead somewhere', () => {
  const content = sampleContent([sampleCourse('a', { category: 'x', tracks: ['y'], instructor: 'z' })]);
  expect(messages(content)).toEqual([
    'no category has the slug "x"',
    'no instructor has the slug "z"',
    'no track has the slug "y"',
  ]);
});

test('a file that could not be read is not held against those that refer to it', () => {
  const { instructors: _, ...rest } = sampleContent([sampleCourse('a')]);
  const content = { ...rest, courseDates: rest.courseDates.map((courseDate) => ({ ...courseDate, course: 'b' })) };
  expect(crossFaults(content, ['courses/a.yaml'], ['b'])).toEqual([]);
});

test('P13: asOf lies 7 to 13 days before the first course date', () => {
  const content = sampleContent([sampleCourse('a')]);
  content.site.asOf = '2025-09-01';
  expect(openingFaults(content).map(({ message }) => message)).toEqual([
    'the first course date starts 2025-09-15, not 7 to 13 days after asOf (2025-09-08 to 2025-09-14) (P13)',
  ]);
});

test('P14: a course date in a room has its venue and keeps that city’s time, one online has none', () => {
  const faultsWith = (parts: object) => {
    const content = sampleContent([sampleCourse('a')]);
    content.courseDates = content.courseDates.map((courseDate) => ({ ...courseDate, ...parts }));
    return messages(content);
  };
  expect(faultsWith({ delivery: 'in-person', venue: 'Sydney' })).toEqual(['must be Australia/Sydney there (P14)']);
  expect(faultsWith({ delivery: 'in-person', venue: 'Brisbane' })).toEqual([]);
  expect(faultsWith({ delivery: 'both' })).toEqual(['needs a venue']);
  expect(faultsWith({ venue: 'Brisbane' })).toEqual(['must be left out: it is online only']);
  expect(faultsWith({ delivery: 'both', venue: 'Cairns' })).toEqual(['must be one of Brisbane, Sydney, Melbourne']);
});

test('tracks, exams and neighbours are named once', () => {
  const twice = { tracks: ['soc', 'soc'], exams: ['X', 'X'], needs: ['b', 'b'], leadsTo: ['c', 'c'] };
  const content = sampleContent([sampleCourse('a', twice), sampleCourse('b'), sampleCourse('c')]);
  content.exams = [{ code: 'X', body: 'B', title: 'T', status: 'retired', replacedBy: 'X' }];
  expect(messages(content)).toEqual([...Array(4).fill('is here twice'), 'is the exam itself']);
});

test('P38: a job-guarantee programme is never guided', () => {
  const programme = sampleCourse('a', { category: 'job-guarantee' });
  expect(courseSchema.safeParse(programme).success).toBe(true);
  const guided = courseSchema.safeParse({ ...programme, guided: true });
  expect(guided.error?.issues.map(({ path }) => path[0])).toContain('guided');
});

/** The faults of the ways through courses, and through a quest line with these steps. */
const pathMessages = (courses: CourseContent[], steps: string[] = []) => {
  const questLines = steps.length > 0 ? [{ ...line, steps: steps.map((course) => ({ course, reason: 'Why' })) }] : [];
  return messages({ ...sampleContent(courses), questLines });
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
  expect(pathMessages(courses)).toEqual([
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
  expect(pathMessages(courses)).toEqual(['goes round in a circle: a → b → c → a']);
  expect(pathMessages([sampleCourse('a', { needs: ['a'] })])).toEqual(['goes round in a circle: a → a']);
});

test('paths that only go forward have no fault, and one step back makes one', () => {
  const size = 12;
  const name = (at: number) => `c${at}`;
  const edge = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).filter(([from, to]) => from < to);
  fc.assert(
    fc.property(fc.uniqueArray(edge, { maxLength: 30, selector: String }), edge, (edges, [from, to]) => {
      const courses = (links: [number, number][]) =>
        Array.from({ length: size }, (_, at) =>
          sampleCourse(name(at), { leadsTo: links.filter(([start]) => start === at).map(([, end]) => name(end)) }),
        );
      expect(pathMessages(courses(edges))).toEqual([]);
      expect(pathMessages(courses([...edges, [from, to], [to, from]])).length).toBeGreaterThan(0);
    }),
  );
});

test('a quest line holds each course once, in the order of the catalogue’s paths', () => {
  const courses = [
    sampleCourse('a', { leadsTo: ['b'] }),
    sampleCourse('b'),
    sampleCourse('c', { level: 'Intermediate', needs: ['b'] }),
  ];
  expect(pathMessages(courses, ['a', 'b', 'c'])).toEqual([]);
  expect(pathMessages(courses, ['b', 'a', 'c'])).toEqual(['"a" comes before "b" in the catalogue']);
  expect(pathMessages(courses, ['a', 'c'])).toEqual([]);
  const far = [sampleCourse('a', { leadsTo: ['b'] }), sampleCourse('b', { leadsTo: ['c'] }), sampleCourse('c')];
  expect(pathMessages(far, ['c', 'a'])).toEqual(['"a" comes before "c" in the catalogue']);
  expect(pathMessages(courses, ['a', 'b', 'a'])).toEqual(['"a" is in this quest line twice']);
  expect(pathMessages([...courses, sampleCourse('d')], ['c', 'd'])).toEqual([
    '"d" is of a lower level than the step before it',
  ]);
});
