import { expect, test } from 'vitest';
import { waysOf, waysText } from './ways.ts';

test.each<[guided: boolean, onDates: boolean, category: string, text: string, list: boolean]>([
  [true, true, 'soc', 'On dates or guided', false],
  [false, true, 'soc', 'On dates', false],
  [true, false, 'soc', 'Guided', false],
  [false, false, 'soc', 'Next date: join the list', true],
  [false, false, 'job-guarantee', 'By agreement', false],
])('P38: every course can be taken in some way (guided %s, dates %s, %s: %s)', (guided, onDates, slug, text, list) => {
  const ways = waysOf({ guided, category: { slug, name: slug } }, onDates);
  expect([waysText(ways), ways.list]).toEqual([text, list]);
});
