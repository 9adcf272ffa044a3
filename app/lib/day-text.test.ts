import { expect, test } from 'vitest';
import { dayTyped } from './day-text.ts';

const today = '2026-11-29';
const typed = (text: string) => dayTyped(text, today);

test('a day is read as people type it', () => {
  for (const text of ['26/11/2026', '26-11-2026', '26 Nov', '26 november 2026', '2026-11-26', ' 26/11 ']) {
    expect(typed(text), text).toBe('2026-11-26');
  }
});

test('without a year it is the latest that is not after today', () => {
  expect([typed('29 Nov'), typed('30 Nov'), typed('1/2')]).toEqual(['2026-11-29', '2025-11-30', '2026-02-01']);
});

test('an amount, a name and a day that no month has are no day', () => {
  expect(['2699', '12.50', '31 Feb', '4 weeks', 'May', ''].map(typed)).toEqual([null, null, null, null, null, null]);
});
