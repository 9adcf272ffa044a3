import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import type { Exam } from './catalogue.ts';
import { examFacts, examWarning } from './exams.ts';

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
    { status: 'announced', on: '2027-01-01', checked: '2026-11-21' },
    '2027-02-01',
    'unconfirmed',
    'Ask Body which version is on offer before you book.',
  ],
  [
    { status: 'announced', on: '2027-01-01', checked: '2027-01-15' },
    '2027-02-01',
    'on offer',
    'On offer when last checked, in January 2027.',
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
  const exams = new Map([['X-1', exam(parts)]]);
  expect(examFacts({ exams }, ['X-1'], today)).toEqual([
    { code: 'X-1', title: 'Exam', body: 'Body', accreditedTraining: false, standing, text },
  ]);
});

test('a course warns of its exams that are retired or going, and of no others', () => {
  const exams = new Map([
    ['X-1', exam({ status: 'retired', on: '2026-08-31', replacedBy: 'X-2' })],
    ['X-2', exam({ code: 'X-2', checked: '2026-11-21' })],
  ]);
  const warned = listedCourse(1, { exams: ['X-1', 'X-2', 'unknown'] });
  const snapshot = snapshotOf([warned, listedCourse(2, { exams: ['X-2'] })], { exams });
  expect(examFacts(snapshot, warned.examCodes, '2026-12-01').map(({ code }) => code)).toEqual(['X-1', 'X-2']);
  expect(examWarning(snapshot, 'course-1', '2026-12-01')).toEqual({
    over: false,
    text: 'Exam X-1: Retired on 31 August 2026; X-2 takes its place.',
    successors: [
      { slug: 'course-1', title: 'Course 1' },
      { slug: 'course-2', title: 'Course 2' },
    ],
  });
  expect(examWarning(snapshot, 'course-2', '2026-12-01')).toBeNull();
});

test('P6: when no exam can be sat any more, a pass rate is history', () => {
  const exams = new Map([['X-1', exam({ status: 'retired', on: '2026-08-31' })]]);
  const snapshot = snapshotOf([listedCourse(1, { exams: ['X-1'] })], { exams });
  expect(examWarning(snapshot, 'course-1', '2026-12-01')?.over).toBe(true);
});
