import { expect, test } from 'vitest';
import { beginsAll, markBeginnings, wordsIn } from './beginnings.ts';

test('words are found by their beginnings, in any order', () => {
  expect(wordsIn('O’Brien, 50%_off \\ Zoë')).toEqual(['o', 'brien', '50', 'off', 'zoe']);
  expect(beginsAll('Moreton Freight Pty Ltd', ['fre', 'mor'])).toBe(true);
  expect(beginsAll('Moreton Freight Pty Ltd', ['eton'])).toBe(false);
  // One letter alone is a whole word.
  expect(beginsAll('Moreton Freight', ['m'])).toBe(false);
  expect(beginsAll('M. Freight', ['m'])).toBe(true);
});

test('P82: a name is found without its accents, its apostrophe and its hyphen', () => {
  const name = 'Zoë D’Ambrosio-Núñez';
  for (const typed of ['nunez', 'zoe nunez', "zoe d'", 'dambrosio', 'ambrosio zoë', 'NÚÑEZ']) {
    expect([typed, beginsAll(name, wordsIn(typed))]).toEqual([typed, true]);
  }
  expect(beginsAll('Al-Sayed', ['alsayed'])).toBe(true);
  expect(beginsAll('Number 7-8', ['78'])).toBe(false);
  expect(markBeginnings('Anna Núñez', ['nun'])).toEqual([
    { text: 'Anna ', hit: false },
    { text: 'Núñ', hit: true },
    { text: 'ez', hit: false },
  ]);
});

test('words that begin with the typed text are marked, and the text stays whole', () => {
  expect(markBeginnings('Esther Morris, amor', ['mor'])).toEqual([
    { text: 'Esther ', hit: false },
    { text: 'Mor', hit: true },
    { text: 'ris, amor', hit: false },
  ]);
  expect(markBeginnings('Moreton', ['mor', 'more'])).toEqual([
    { text: 'More', hit: true },
    { text: 'ton', hit: false },
  ]);
  expect(markBeginnings('', ['mor'])).toEqual([]);
  expect(markBeginnings('E\u0301sther', ['est'])).toEqual([{ text: 'E\u0301sther', hit: false }]);
});
