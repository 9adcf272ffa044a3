import { expect, test } from 'vitest';
import { answerFields, filledFor, withTemplate } from './answer-fields.ts';
import { templateFault } from './bulk-actions/fields.ts';

const ada = { name: 'Ada Byron', website: 'https://academy.example' };

test('a template is filled in for the person who asked; a field without a value has words of its own', () => {
  const body = 'Hello {first name}, see {website}/enrol for {course}. {my name}';
  expect(filledFor(body, { name: 'Mary Shelley', course: 'CISSP Bootcamp' }, ada)).toBe(
    'Hello Mary, see https://academy.example/enrol for CISSP Bootcamp. Ada Byron',
  );
  expect(filledFor('{first name}, {course}', { name: null, course: '' }, ada)).toBe('there, the course');
  // Braces that come with a name are no fields.
  expect(filledFor('Hello {first name}', { name: '{website}', course: null }, ada)).toBe('Hello {website}');
});

test('fields of messages to a course date are none of answers', () => {
  expect(templateFault('Hello {first name}, {my name}', answerFields)).toBeNull();
  expect(templateFault('On {date}', answerFields)).toContain('We do not know the field {date}.');
  expect(templateFault('{my name}')).toContain('We do not know the field {my name}.');
});

test('typed text stays above a template', () => {
  expect(withTemplate(' \n', 'Hello')).toBe('Hello');
  expect(withTemplate('Dear Mary,\n', 'Hello')).toBe('Dear Mary,\n\nHello');
});
