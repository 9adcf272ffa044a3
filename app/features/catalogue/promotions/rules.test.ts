import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse } from '#tests/support/sample-snapshot.ts';
import { comboPrice, combosWithin, isRunning, promotionText, timeLeft } from './rules.ts';

const promotion = { subject: 'Career Booster Combos', endsAt: '2025-09-12T00:00:00Z' };
const combo = (discountPercent: number, ...prices: number[]) => ({
  id: 1,
  slug: 'c',
  title: 'C',
  description: '',
  discountPercent,
  courses: prices.map((price, at) => listedCourse(at, { price }).card),
});

test('P16: the promotion runs until the exact instant of its end', () => {
  expect(isRunning(promotion, new Date('2025-09-11T23:59:59.999Z'))).toBe(true);
  expect(isRunning(promotion, new Date('2025-09-12T00:00:00Z'))).toBe(false);
});

test('P17: the banner’s figure is the largest discount there is', () => {
  expect(promotionText(promotion, [combo(15, 1), combo(30, 1)])).toBe('up to 30% off on Career Booster Combos');
  expect(promotionText(promotion, [combo(12, 1)])).toBe('up to 12% off on Career Booster Combos');
});

test('P16, P17: the price is the sum less the discount, and reverts when the promotion ends', () => {
  expect(comboPrice(combo(30, 1499, 3299, 4299), true)).toEqual({
    priceCents: 636_700,
    sumCents: 909_700,
    savingCents: 273_000,
  });
  expect(comboPrice(combo(30, 1499, 3299, 4299), false)).toEqual({
    priceCents: 909_700,
    sumCents: 909_700,
    savingCents: 0,
  });
});

test('P17: the price is never above the exact discounted price, and less than a dollar below it', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 30 }), (list, percent) => {
      const { priceCents, sumCents, savingCents } = comboPrice(combo(percent, ...list), true);
      const exact = (sumCents * (100 - percent)) / 100;
      expect(priceCents).toBeLessThanOrEqual(exact);
      expect(exact - priceCents).toBeLessThan(100);
      expect(priceCents + savingCents).toBe(sumCents);
    }),
  );
});

test('P16: the countdown begins at 3 d 19 h 14 m 18 s, rolls over, and stops at zero', () => {
  const span = (((3 * 24 + 19) * 60 + 14) * 60 + 18) * 1000;
  expect(timeLeft(span)).toEqual({ days: 3, hours: 19, minutes: 14, seconds: 18 });
  expect(timeLeft(span - 19_000)).toEqual({ days: 3, hours: 19, minutes: 13, seconds: 59 });
  expect(timeLeft(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 });
  expect(timeLeft(0)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  expect(timeLeft(-5000)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});

test('P17: a quest line’s combos are those made of its courses only', () => {
  const [first, second, third] = [0, 1, 2].map((at) => listedCourse(at, { price: 1000 }).card);
  if (!first || !second || !third) throw new Error('no courses');
  const steps = [first, second].map((course) => ({ course, reason: 'Why', alsoNeeds: [] }));
  const inside = { ...combo(20), slug: 'inside', courses: [second, first] };
  const across = { ...combo(20), slug: 'across', courses: [second, third] };
  expect(combosWithin([across, inside], { steps })).toEqual([{ combo: inside, savingCents: 40_000 }]);
});
