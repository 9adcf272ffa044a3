import { expect, test } from 'vitest';
import { sampleCourse } from '#tests/support/sample-content.ts';
import { datedTextFaults, lookAgain } from './dated-texts.ts';

const exams = [
  { code: 'X', body: 'Body', title: 'X', status: 'current' as const, checked: '2026-11-21' },
  { code: 'Y', body: 'Body', title: 'Y', status: 'current' as const },
];
const faultsOf = (credential: string, ...facts: string[]) =>
  datedTextFaults({
    courses: [
      sampleCourse('a', {
        credential,
        ...(facts.length > 0 ? { facts: facts.map((text) => ({ text, until: '2027-05-31' })) } : {}),
      }),
    ],
    exams,
  }).map(({ path, message }) => [path[0], message]);

test('words that will not stay true need a day until which they hold', () => {
  expect(faultsOf('Law is taught as at November 2026.')).toEqual([
    ['credential', '"as at" needs a day in "facts" until which it holds'],
    ['credential', '"November 2026" needs a day in "facts" until which it holds'],
  ]);
  expect(faultsOf('Law is taught as at November 2026.', 'Law is taught as at November 2026')).toEqual([]);
  for (const text of [
    'expected from spring',
    'due from 22 November 2026',
    'until late 2026',
    'in 2027',
    'ends in March 2027',
  ]) {
    expect(faultsOf(`It is ${text}.`), text).not.toEqual([]);
    expect(faultsOf(`It is ${text}.`, `It is ${text}`), text).toEqual([]);
  }
});

test('dates before the last check of the exams, and numbers of standards, need no fact', () => {
  expect(
    faultsOf(
      'In force since 20 November 2026, renamed in early 2026 and 2025; ISO 27001:2027, CVE-2027-1, no experience expected.',
    ),
  ).toEqual([]);
});

test('a fact that the course does not say is a fault', () => {
  expect(faultsOf('A certificate.', 'as at November 2026')).toEqual([
    ['facts', 'the course does not say "as at November 2026"'],
  ]);
  // Elsewhere in the same text is not enough.
  expect(faultsOf('Due from 1 May 2027, or due from 1 June 2027.', 'Due from 1 May 2027')).toHaveLength(2);
});

const courseUntil = (until: string) => ({ title: 'Privacy', facts: [{ text: 'law as at November 2026', until }] });
const holidays = [{ days: ['2027-01-01', '2029-01-01'] }];
const checkedExam = (checked?: string, status: 'current' | 'retired' = 'current') => ({
  code: 'X-1',
  status,
  ...(checked ? { checked } : {}),
});

test('words hold on their last day and no longer', () => {
  const on = (today: string) => lookAgain({ courses: [courseUntil('2027-05-31')], exams: [], holidays }, today);
  expect(on('2027-05-31')).toEqual([]);
  expect(on('2027-06-01')).toEqual([{ where: 'Privacy', text: '"law as at November 2026" held until 31 May 2027' }]);
});

test('exams are checked once a year, unless they are retired or were never found', () => {
  const exams = [checkedExam('2026-11-21'), checkedExam(), checkedExam('2020-01-01', 'retired')];
  expect(lookAgain({ courses: [], exams, holidays }, '2027-11-21')).toEqual([]);
  expect(lookAgain({ courses: [], exams, holidays }, '2027-11-22')).toEqual([
    { where: 'exams.yaml', text: 'X-1 was last checked on 21 November 2026' },
  ]);
});

test('public holidays are known for a year ahead', () => {
  expect(lookAgain({ courses: [], exams: [], holidays }, '2028-01-02')).toEqual([]);
  expect(lookAgain({ courses: [], exams: [], holidays }, '2028-01-03')).toEqual([
    { where: 'holidays.yaml', text: 'the last public holiday is 1 January 2029' },
  ]);
  expect(lookAgain({ courses: [], exams: [], holidays: [] }, '2028-01-01')).toHaveLength(1);
});
