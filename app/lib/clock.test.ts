import { expect, test } from 'vitest';
import { clockFixedOn } from './clock.ts';
import { dayIn } from './dates.ts';

test('a fixed clock shows 9 am in Brisbane, and callers cannot change it', () => {
  const clock = clockFixedOn('2025-09-08');
  expect(clock.now().toISOString()).toBe('2025-09-07T23:00:00.000Z');
  clock.now().setFullYear(1999);
  expect(dayIn('Australia/Brisbane', clock.now())).toBe('2025-09-08');
});
