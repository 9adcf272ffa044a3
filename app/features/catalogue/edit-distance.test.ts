import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['python', 'python', 0],
  ['pyhton', 'python', 1],
  ['managment', 'management', 1],
  ['lerning', 'learning', 1],
  ['analist', 'analyst', 1],
  ['auditer', 'auditor', 1],
  ['pithn', 'python', 2],
  ['excel', 'cissp', 3],
])('%s is as far from %s as it takes changes', (typed, word, distance) => {
  expect(editDistance(typed, word, 2)).toBe(distance);
});

test('an unfinished text is compared with the beginning of a word', () => {
  expect(editDistance('kubre', 'kubernetes', 1)).toBe(2);
  expect(editDistance('kubre', 'kubernetes', 1, true)).toBe(1);
  expect(editDistance('kube', 'kubernetes', 1, true)).toBe(0);
});

test('one change of any kind is one, and a limit changes only what is beyond it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(letters, letters, fc.constantFrom('a', 'b', 'c'), (before, after, letter) => {
      expect(editDistance(before + after, before + letter + after, 3)).toBe(1);
      expect(editDistance(before + letter + after, before + after, 3)).toBe(1);
      const whole = editDistance(before, after, 9);
      expect(editDistance(after, before, 9)).toBe(whole);
      for (const most of [0, 1, 2]) expect(editDistance(before, after, most)).toBe(Math.min(whole, most + 1));
    }),
  );
});
