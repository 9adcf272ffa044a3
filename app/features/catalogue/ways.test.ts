import { expect, test } from 'vitest';
import { waysOf, waysText } from './ways.ts';

test.each<[guided: boolean, onDates: boolean, category: string, text: string]>([
  [true, true, 'soc', 'On dates or guided'],
  [false, true, 'soc', 'On dates'],
  [true, false, 'soc', 'Guided'],
  [false, false, 'soc', 'No date yet'],
  [false, false, 'job-guarantee', 'By agreement'],
])('P38: a card says how its course can be taken (guided %s, dates %s, %s: %s)', (guided, onDates, slug, text) => {
  expect(waysText(waysOf({ guided, category: { slug, name: slug } }, onDates))).toBe(text);
});
