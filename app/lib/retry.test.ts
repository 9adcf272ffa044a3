import { expect, test } from 'vitest';
import { retryDelayMs, retryTimes } from './retry.ts';

test('P35: three retries, 1 s doubling to at most 30 s', () => {
  expect(retryTimes).toBe(3);
  expect([0, 1, 2, 3, 4, 5, 20].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
