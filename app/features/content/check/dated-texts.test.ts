import { expect, test } from 'vitest';
import { sampleCourse } from '#tests/support/sample-content.ts';
import { datedTextFaults } from './dated-texts.ts';

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
