import { expect, test } from 'vitest';
import { refundHint } from './choice-fields.tsx';

// P100: all of it until 14 days before the first day, half until 7, then nothing after the first 24 hours.
test.each([
  ['2026-11-30', 'Full refund until 30 November'],
  ['2026-12-01', 'Half refund until 7 December'],
  ['2026-12-07', 'Half refund until 7 December'],
  ['2026-12-08', 'No refund after 24 hours'],
  ['2026-12-14', 'No refund after 24 hours'],
])('P31: on %s the choice says of a date that begins on 14 December: %s', (today, text) => {
  expect(refundHint('2026-12-14', today)).toBe(text);
});
