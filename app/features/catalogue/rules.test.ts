import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tierOf, xpOf } from './rules.ts';

test('P5: XP is hours × rate, rounded to 50, between 1,000 and 5,999', () => {
  expect(xpOf({ hours: 40, level: 'Beginner' })).toBe(1600);
  expect(xpOf({ hours: 45, level: 'Intermediate' })).toBe(2500);
  expect(xpOf({ hours: 50, level: 'Advanced' })).toBe(3500);
  expect(xpOf({ hours: 72, level: 'Expert' })).toBe(5999);
  expect(xpOf({ hours: 24, level: 'Beginner' })).toBe(1000);
  expect(xpOf({ hours: 220, level: 'Intermediate' })).toBe(5999);
});

test('P5: XP never leaves its range and never falls with more hours', () => {
  const level = fc.constantFrom('Beginner', 'Intermediate', 'Advanced', 'Expert' as const);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), level, (hours, at) => {
      const xp = xpOf({ hours, level: at });
      expect(xp).toBeGreaterThanOrEqual(1000);
      expect(xp).toBeLessThanOrEqual(5999);
      expect(xpOf({ hours: hours + 1, level: at })).toBeGreaterThanOrEqual(xp);
    }),
  );
});

test('P7: tiers', () => {
  expect(tierOf).toEqual({ Beginner: 'bronze', Intermediate: 'silver', Advanced: 'gold', Expert: 'diamond' });
});
