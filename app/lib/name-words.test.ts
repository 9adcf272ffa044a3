import { expect, test } from 'vitest';
import { haveCommonWord } from './name-words.ts';

test('names of one person mostly share a word, whatever its case and accents', () => {
  expect(haveCommonWord('Ada Byron', 'ADA King')).toBe(true);
  expect(haveCommonWord('José Núñez', 'Nunez, J.')).toBe(true);
  expect(haveCommonWord('Ada Byron', 'Grace Hopper')).toBe(false);
  // An initial is no name.
  expect(haveCommonWord('Ada B.', 'Grace B.')).toBe(false);
  expect(haveCommonWord('', '')).toBe(false);
});
