import { expect, test } from 'vitest';
import { sampleCourse } from '#tests/support/sample-content.ts';
import type { CourseContent } from './course-schema.ts';
import { examCodeFaults } from './exam-codes.ts';
import type { Content } from './schema.ts';

const exams: Content['exams'] = [
  { code: 'SC-200', body: 'Microsoft', title: 'Security Operations Analyst', status: 'current' },
  { code: 'AZ-500', body: 'Microsoft', title: 'Azure Security Technologies', status: 'retired', on: '2026-08-31' },
  { code: '1Z0-1085-26', body: 'Oracle', title: 'OCI Foundations', status: 'current' },
];
const faults = (parts: Partial<CourseContent>) =>
  examCodeFaults({ courses: [sampleCourse('a', parts)], exams }).map(({ path, message }) => [path.join('.'), message]);

test('an exam code that exams.yaml does not know is a fault, wherever it stands', () => {
  expect(faults({ description: 'Prepares for SC-200.' })).toEqual([]);
  expect(faults({ description: 'Prepares for SC-201.' })).toEqual([
    ['description', 'exam SC-201 is not in exams.yaml'],
  ]);
  expect(faults({ prerequisites: ['SY0-601 or like it'] })).toEqual([
    ['prerequisites.0', 'exam SY0-601 is not in exams.yaml'],
  ]);
  for (const code of ['220-1101', 'SAA-C02', '200-125', 'EX300', '2V0-21.23', '312-50']) {
    expect(faults({ certification: `The exam is ${code}.` })).toEqual([
      ['certification', `exam ${code} is not in exams.yaml`],
    ]);
  }
});

test('standards and products are no exam codes', () => {
  expect(faults({ overview: 'NIST SP 800-53, SHA-256, CVE-2024-3094, ISO 27001 and A-12.' })).toEqual([]);
});

test('the year of an Oracle edition may be left out', () => {
  expect(faults({ title: 'OCI Foundations (1Z0-1085)', exams: ['1Z0-1085-26'] })).toEqual([]);
});

test('a code in the title is one the course prepares for', () => {
  expect(faults({ title: 'Analyst (SC-200)', exams: ['SC-200'] })).toEqual([]);
  expect(faults({ title: 'Analyst (SC-200)' })).toEqual([['title', 'SC-200 is missing from "exams"']]);
});

test('a course for a retired exam says so', () => {
  expect(faults({ exams: ['AZ-500'] })).toEqual([['certification', 'does not say that AZ-500 is retired']]);
  expect(faults({ exams: ['AZ-500'], certification: 'Microsoft retired it on 31 August 2026.' })).toEqual([]);
});
