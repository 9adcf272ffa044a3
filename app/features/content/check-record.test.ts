import { expect, test } from 'vitest';
import { schemaFaults } from './check-record.ts';
import { fieldsToType } from './form/fields.ts';
import { valueTyped } from './form/typed.ts';

const faultsOf = (typed: Record<string, string>) =>
  schemaFaults('course', valueTyped(fieldsToType('course', false), typed)).map(
    ({ path, message }) => `${path.join('.')} ${message}`,
  );

test('P72: each empty field of a new course is reported as missing once, without its rule', () => {
  const faults = faultsOf({ 'v.title': 'Practical Phishing Defence', 'v.slug': 'practical-phishing-defence' });
  expect(faults.toSorted()).toEqual([
    'category is missing',
    'credential is missing',
    'curriculum must have at least 4 of them',
    'description is missing',
    'hours is missing',
    'instructor is missing',
    'learners is missing',
    'level is missing',
    'objectives must have at least 5 of them',
    'overview is missing',
    'prerequisites is missing',
    'price is missing',
    'published is missing',
    'tracks is missing',
  ]);
});

test('P72: an overview of the wrong length is told so beside all other faults', () => {
  expect(faultsOf({ 'v.overview': 'Too short.', 'v.hours': 'ten' })).toEqual(
    expect.arrayContaining(['hours must be a number', 'overview must have 80 to 160 words']),
  );
});

test('P72: a typed value that does not fit gets a sentence with the rule', () => {
  expect(faultsOf({ 'v.slug': 'Not An Address', 'v.description': 'Too short.', 'v.level': 'Easy' })).toEqual(
    expect.arrayContaining([
      'slug must be lower-case words joined by hyphens',
      'description must have at least 140 characters; it has 10',
      'level must be one of: Beginner, Intermediate, Advanced, Expert',
    ]),
  );
});
