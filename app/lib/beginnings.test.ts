import { expect, test } from 'vitest';
import { beginsAll, markBeginnings, wordsIn } from './beginnings.ts';

test('words are found by their beginnings, in any order', () => {
  expect(wordsIn('O’Brien, 50%_off \\ Zoë')).toEqual(['o', 'brien', '50', 'off', 'zoë']);
  expect(beginsAll('Moreton Freight Pty Ltd', ['fre', 'mor'])).toBe(true);
  expect(beginsAll('Moreton Freight Pty Ltd', ['eton'])).toBe(false);
  // One letter alone is a whole word.
  expect(beginsAll('Moreton Freight', ['m'])).toBe(false);
  expect(beginsAll('M. Freight', ['m'])).toBe(true);
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
  expect(markBeginnings('İstanbul', ['ist'])).toEqual([{ text: 'İstanbul', hit: false }]);
});
