import { expect, test } from 'vitest';
import { waysOf, waysText } from './ways.ts';

test.each<[guided: boolean, next: string | null, category: string, text: string]>([
  [true, '14 Dec · Online', 'soc', 'Next 14 Dec · Online, or guided'],
  [false, '14 Dec · Online', 'soc', 'Next 14 Dec · Online'],
  [true, null, 'soc', 'Guided'],
  [false, null, 'soc', 'No date yet'],
  [false, null, 'job-guarantee', 'By agreement'],
])('P38: a card says how its course can be taken (guided %s, next date %s, %s: %s)', (guided, next, slug, text) => {
  expect(waysText(waysOf({ guided, category: { slug, name: slug } }, next !== null), next)).toBe(text);
});
