import { expect, test } from 'vitest';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { Content } from '#app/features/content/schema.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { examCodeFaults, examCodesIn, missingSources, synonymFaults } from './references.ts';

const exams: Content['exams'] = [
  { code: 'SC-200', body: 'Microsoft', title: 'Security Operations Analyst', status: 'current' },
  { code: 'AZ-500', body: 'Microsoft', title: 'Azure Security Technologies', status: 'retired', on: '2026-08-31' },
  { code: '1Z0-1085-26', body: 'Oracle', title: 'OCI Foundations', status: 'current' },
];
const faults = (parts: Partial<CourseContent>) =>
  examCodeFaults({ ...sampleContent([sampleCourse('a', parts)]), exams }).map(({ path, message }) => [
    path.join('.'),
    message,
  ]);

test('an exam code that exams.yaml does not know is a fault, wherever it stands', () => {
  expect(faults({ description: 'Prepares for SC-200.' })).toEqual([]);
  expect(faults({ description: 'Prepares for SC-201.' })).toEqual([
    ['description', 'exam SC-201 is not in exams.yaml'],
  ]);
  expect(faults({ prerequisites: ['SY0-601 or like it'] })).toEqual([
    ['prerequisites.0', 'exam SY0-601 is not in exams.yaml'],
  ]);
  for (const code of [
    '220-1101',
    'SAA-C02',
    '200-125',
    'EX300',
    '2V0-21.23',
    '312-50',
    'N10-007',
    'CAS-004',
    'PCEP-30-02',
  ]) {
    expect(faults({ credential: `The exam is ${code}.` })).toEqual([
      ['credential', `exam ${code} is not in exams.yaml`],
    ]);
  }
});

test('standards and products are no exam codes', () => {
  expect(faults({ overview: 'NIST SP 800-53, SHA-256, CVE-2024-3094, ISO 27001, 200-300 users and A-12.' })).toEqual(
    [],
  );
});

test('the year of an Oracle edition may be left out', () => {
  expect(faults({ title: 'OCI Foundations (1Z0-1085)', exams: ['1Z0-1085-26'] })).toEqual([]);
});

test('a code in the title is one the course prepares for', () => {
  expect(faults({ title: 'Analyst (SC-200)', exams: ['SC-200'] })).toEqual([]);
  expect(faults({ title: 'Analyst (SC-200)' })).toEqual([['title', 'SC-200 is missing from "exams"']]);
});

test('a course for a retired exam says so', () => {
  expect(faults({ exams: ['AZ-500'] })).toEqual([['credential', 'does not say that AZ-500 is retired']]);
  expect(faults({ exams: ['AZ-500'], credential: 'AZ-500 matters. We replace a lost certificate.' })).toHaveLength(1);
  expect(faults({ exams: ['AZ-500'], credential: 'Microsoft retired AZ-500 on 31 August 2026.' })).toEqual([]);
});

test('objectives, topics and the site’s other texts are read too', () => {
  expect(faults({ objectives: ['Pass SC-999'] })).toEqual([['objectives.0', 'exam SC-999 is not in exams.yaml']]);
  const curriculum = [{ module: 'Towards SY0-601', topics: ['One for SC-998'] }];
  expect(faults({ curriculum }).map(([path]) => path)).toEqual(['curriculum.0.module', 'curriculum.0.topics.0']);
  const faq = [{ slug: 's', title: 'T', questions: [{ question: 'Is SC-999 an exam?', answer: 'No.' }] }];
  expect(examCodeFaults({ ...sampleContent([]), exams, faq })).toEqual([
    { file: { name: 'faq' }, path: [0, 'questions', 0, 'question'], message: 'exam SC-999 is not in exams.yaml' },
  ]);
});

test('every code of exams.yaml has a shape by which texts are searched, names without figures aside', async () => {
  const { exams: all } = await readAcademy();
  const codes = all
    .map(({ code }) => code)
    .filter((code) => /^[A-Z0-9_]+-[A-Z]?[0-9.-]+$/.test(code) && code !== 'WCA-101');
  expect(codes.filter((code) => !examCodesIn(`(${code})`).includes(code))).toEqual([]);
  expect(codes.length).toBeGreaterThan(40);
});

test('the academy gives the source of every pass rate and says what each partnership is', async () => {
  expect(missingSources(await readAcademy())).toEqual([]);
});

test('a pass rate without a source and a partner without a meaning are named', () => {
  expect(missingSources(sampleContent([sampleCourse('a')])).map(({ path, message }) => [path, message])).toEqual([
    [[0, 'certifications', 0, 'passRate'], 'needs "passRateSource"'],
    [[0, 'name'], 'needs "meaning"'],
  ]);
});

test('every synonym of the academy leads to a course', async () => {
  const academy = await readAcademy();
  expect(synonymFaults(academy)).toEqual([]);
  expect(academy.synonyms.length).toBeGreaterThanOrEqual(60);
});

test('a synonym that leads nowhere, or to itself, is named', async () => {
  const academy = await readAcademy();
  const synonyms = [
    { typed: 'k8s', means: ['Kubernetes', 'Kubernetties'] },
    { typed: 'cissp', means: ['CISSP'] },
  ];
  expect(synonymFaults({ ...academy, synonyms }).map(({ path, message }) => [path, message])).toEqual([
    [[0, 'means', 1], 'no course has "Kubernetties" in its title or description'],
    [[1, 'means', 0], 'is what was typed'],
  ]);
});
