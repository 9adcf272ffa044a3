import { expect, test } from 'vitest';
import { nextOpening, openingText } from './opening-hours.ts';

const brisbane = (text: string) => new Date(`${text}+10:00`);
const holidays = new Set(['2025-10-06']);

test.each([
  ['2025-09-08T08:59:59', { day: '2025-09-08', time: '09:00' }],
  ['2025-09-08T09:00:00', 'open'],
  ['2025-09-08T17:59:59', 'open'],
  ['2025-09-08T18:00:00', { day: '2025-09-09', time: '09:00' }],
  ['2025-09-13T09:59:59', { day: '2025-09-13', time: '10:00' }],
  ['2025-10-04T16:00:00', { day: '2025-10-07', time: '09:00' }],
  ['2025-10-06T12:00:00', { day: '2025-10-07', time: '09:00' }],
])('P20: at %s in Brisbane the next opening is %o', (now, opening) => {
  expect(nextOpening(brisbane(now), holidays)).toEqual(opening);
});

test('P20: the page says whether the academy is open, and when it opens again', () => {
  expect(openingText(brisbane('2025-10-03T12:00:00'), holidays)).toMatch(/^We are open now\./);
  expect(openingText(brisbane('2025-10-04T16:00:00'), holidays)).toContain(
    'open again on Tuesday 7 October 2025, 9:00 AM Brisbane time',
  );
});
