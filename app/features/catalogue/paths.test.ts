import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { coursePaths, examFacts, examWarning } from './paths.ts';
import { questLinesOf } from './quest-lines.ts';
import { examStanding } from './rules.ts';
import type { Exam } from './snapshot.ts';

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

const exam = (parts: Partial<Exam>): Exam => ({
  code: 'X-1',
  body: 'Body',
  title: 'Exam',
  status: 'current',
  ...parts,
});

test.each<[Partial<Exam>, today: string, standing: string, text: string]>([
  [{ checked: '2026-11-21' }, '2026-12-01', 'on offer', 'On offer when last checked, in November 2026.'],
  [{}, '2026-12-01', 'unconfirmed', 'Ask Body which version is on offer before you book.'],
  [{ status: 'announced', on: '2027-02-01' }, '2026-12-01', 'announced', 'Opens on 1 February 2027.'],
  [{ status: 'announced' }, '2026-12-01', 'announced', 'Announced; ask Body for dates.'],
  [
    { status: 'announced', on: '2027-02-01' },
    '2027-02-02',
    'unconfirmed',
    'Ask Body which version is on offer before you book.',
  ],
  [
    { status: 'retiring', on: '2027-02-01', replacedBy: 'X-2' },
    '2027-02-01',
    'closing',
    'Last day to sit it: 1 February 2027; X-2 takes its place.',
  ],
  [{ status: 'retiring' }, '2026-12-01', 'closing', 'Body is retiring it.'],
  // The day passes without anybody editing the content.
  [{ status: 'retiring', on: '2027-02-01' }, '2027-02-02', 'retired', 'Retired on 1 February 2027.'],
  [
    { status: 'retired', on: '2026-08-31', replacedBy: 'X-2' },
    '2026-12-01',
    'retired',
    'Retired on 31 August 2026; X-2 takes its place.',
  ],
  [{ status: 'retired' }, '2026-12-01', 'retired', 'Retired.'],
])('an exam %j on %s is %s', (parts, today, standing, text) => {
  expect(examStanding(exam(parts), today)).toEqual({ standing, text });
});

test('a course warns of its exams that are retired or going, and of no others', () => {
  const exams = new Map([
    ['X-1', exam({ status: 'retired', on: '2026-08-31' })],
    ['X-2', exam({ code: 'X-2', checked: '2026-11-21' })],
  ]);
  const warned = listedCourse(1, { exams: ['X-1', 'X-2', 'unknown'] });
  const snapshot = snapshotOf([warned, listedCourse(2)], { exams });
  expect(examFacts(snapshot, warned.examCodes, '2026-12-01').map(({ code }) => code)).toEqual(['X-1', 'X-2']);
  expect(examWarning(snapshot, 'course-1', '2026-12-01')).toBe('Exam X-1: Retired on 31 August 2026.');
  expect(examWarning(snapshot, 'course-2', '2026-12-01')).toBeNull();
});
