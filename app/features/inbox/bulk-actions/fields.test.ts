import { expect, test } from 'vitest';
import { fillIn, firstNameOf, templateFault } from './fields.ts';

const values = {
  'first name': 'Mary',
  course: 'CISM Bootcamp',
  date: '3 November 2025',
  place: 'online',
  number: 'BB-7KQ2MX',
};

test('fields are filled in once: braces that come with a name are no fields', () => {
  expect(fillIn('Hello {first name}, {course} ({number}).', values)).toBe('Hello Mary, CISM Bootcamp (BB-7KQ2MX).');
  expect(fillIn('Hello {first name}', { ...values, 'first name': '{course}' })).toBe('Hello {course}');
});

test('unknown fields, names of private links, single braces and links of other kinds are refused', () => {
  const refused = ['{surname}', '{enrolment:12}', '{first name', 'a } b', 'ftp://x.example', 'see javascript:alert(1)'];
  for (const text of refused) expect(templateFault(text), text).not.toBeNull();
  const taken = ['Hello {first name}', 'Bring: a laptop', 'https://maps.example/x', 'http://maps.example', 'At 9:00'];
  for (const text of taken) expect(templateFault(text), text).toBeNull();
});

test('a first name is the first word; nobody is called by an empty one', () => {
  expect([firstNameOf('Mary Wollstonecraft Shelley'), firstNameOf(null), firstNameOf('  ')]).toEqual([
    'Mary',
    'there',
    'there',
  ]);
});
