import { expect, test } from 'vitest';
import { accessEndsOn, isAccessOver } from './guided-access.ts';

test('P38: access is twelve months from the Monday: its last day is the one before the anniversary', () => {
  expect(accessEndsOn('2025-10-13')).toBe('2026-10-12');
  expect(accessEndsOn('2026-01-05')).toBe('2027-01-04');
  // A year with a leap day in it, and a Monday that is a leap day itself.
  expect(accessEndsOn('2027-12-06')).toBe('2028-12-05');
  expect(accessEndsOn('2044-02-29')).toBe('2045-02-28');
  expect(isAccessOver('2025-10-13', '2026-10-12')).toBe(false);
  expect(isAccessOver('2025-10-13', '2026-10-13')).toBe(true);
});
