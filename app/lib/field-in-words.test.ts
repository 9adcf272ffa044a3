import { expect, test } from 'vitest';
import { fieldInWords } from './field-in-words.ts';

test('P68: a field is called by its name in words', () => {
  expect(fieldInWords('v.shortName')).toBe('Short name');
  expect(fieldInWords('v.curriculum.0.topics.2.text')).toBe('Curriculum 1, topics 3');
  expect(fieldInWords('enrolment-ends')).toBe('Enrolment ends');
  expect(fieldInWords('note')).toBe('Note');
});
