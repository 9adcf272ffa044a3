import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comboPrice } from '#app/features/catalogue/promotions/rules.ts';
import { gstIn } from '#app/lib/gst.ts';
import { shareOut } from '#app/lib/shares.ts';
import { agreedPrices, comboDiscountOf, priceOfCourse, pricesOfCombo, quoteOfPrices } from './pricing.ts';

const courses = (...prices: number[]) =>
  prices.map((priceCents, at) => ({ id: at, priceId: 10 + at, title: `Course ${at}`, priceCents }));
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
const cents = fc.integer({ min: 0, max: 10_000_000 });

test('shares by largest remainder sum to the total, each within one of its exact part', () => {
  expect(shareOut(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(shareOut(5, [0, 3])).toEqual([0, 5]);
  expect(shareOut(0, [0, 0])).toEqual([0, 0]);
  expect(() => shareOut(1, [0])).toThrow('nothing');
  fc.assert(
    fc.property(
      cents,
      fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 20 }),
      (total, weights) => {
        const shares = shareOut(total, weights);
        expect(sum(shares)).toBe(total);
        shares.forEach((share, at) => {
          expect(Math.abs(share - (total * (weights[at] ?? 0)) / sum(weights))).toBeLessThan(1);
        });
      },
    ),
  );
});

test('GST is one eleventh of the total to the nearest cent (section 9-90)', () => {
  expect([0, 5, 6, 11, 16, 17, 229_900].map(gstIn)).toEqual([0, 0, 1, 1, 1, 2, 20_900]);
  fc.assert(
    fc.property(cents, (total) => {
      expect(Math.abs(11 * gstIn(total) - total)).toBeLessThan(6);
    }),
  );
});

test('a combo’s shares name their discount, and its course keeps its own price when the promotion is over', () => {
  const combo = { discountPercent: 30, courses: courses(149_900, 329_900, 429_900) };
  expect(pricesOfCombo(combo, true)).toMatchObject([
    { courseId: 0, priceId: 10, priceCents: 149_900, discountCents: 44_985, discount: 'Combo −30%' },
    { courseId: 1, priceId: 11, priceCents: 329_900, discountCents: 99_003, discount: 'Combo −30%' },
    { courseId: 2, priceId: 12, priceCents: 429_900, discountCents: 129_012, discount: 'Combo −30%' },
  ]);
  expect(pricesOfCombo(combo, false).map(({ discountCents, discount }) => [discountCents, discount])).toEqual(
    Array.from({ length: 3 }, () => [0, null]),
  );
});

test('P30: the prices of a combo per course and attendee sum to its price, and no share is below zero', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 });
  const made = fc.record({
    prices: fc.array(price, { minLength: 1, maxLength: 3 }),
    percent: fc.integer({ min: 1, max: 100 }),
    attendees: fc.integer({ min: 1, max: 20 }),
    running: fc.boolean(),
  });
  fc.assert(
    fc.property(made, ({ prices, percent, attendees, running }) => {
      const combo = { discountPercent: percent, courses: courses(...prices) };
      const quote = quoteOfPrices(pricesOfCombo(combo, running), attendees);
      expect(quote.totalCents).toBe(comboPrice(combo, running).priceCents * attendees);
      expect(quote.sumCents - quote.discountCents).toBe(quote.totalCents);
      expect(quote.gstCents).toBe(gstIn(quote.totalCents));
      for (const line of quote.lines) {
        expect(line.discountCents).toBeGreaterThanOrEqual(0);
        expect(line.eachCents).toBeGreaterThanOrEqual(0);
        expect(line.totalCents).toBe(line.eachCents * attendees);
      }
    }),
  );
});

test('P38: a course on the list for the next date is invoiced later', () => {
  const combo = { discountPercent: 10, courses: courses(110_000, 220_000) };
  expect(quoteOfPrices(pricesOfCombo(combo, true), 2, ['date', 'next-date'])).toMatchObject({
    totalCents: 594_000,
    gstCents: 54_000,
    nowCents: 198_000,
    nowGstCents: 18_000,
    discount: 'Combo −10%',
  });
  const [course] = courses(110_000);
  if (!course) throw new Error('no course');
  expect(quoteOfPrices(priceOfCourse(course), 1, ['date'])).toMatchObject({ nowCents: 110_000, discount: null });
});

const anyPrices = fc
  .array(
    fc.record({ price: fc.integer({ min: 0, max: 900_000 }), saving: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((courses) =>
    courses.map(({ price, saving }, at) => ({
      ...{ courseId: at, priceId: null, title: 'A course', priceCents: price },
      ...{ discountCents: Math.floor(price * saving), discount: 'Combo −30%' },
    })),
  );

test('P117: of a combo’s saving and an agreed discount the larger counts, whole and to the cent, never both', () => {
  fc.assert(
    fc.property(anyPrices, fc.integer({ min: 0, max: 90 }), (prices, percent) => {
      const charged = quoteOfPrices(agreedPrices(prices, { name: 'Councilworks', percent }), 1).totalCents;
      const combo = quoteOfPrices(prices, 1).totalCents;
      const agreed = prices.reduce((sum, { priceCents: cents }) => sum + cents - Math.ceil((cents * percent) / 100), 0);
      expect(charged).toBe(Math.min(combo, agreed));
    }),
  );
});

test('P117: an agreed discount names who agreed, and half a cent is the buyer’s', () => {
  const [price] = agreedPrices(priceOfCourse({ id: 1, priceId: 7, title: 'CCNA', priceCents: 229_905 }), {
    name: 'Councilworks',
    percent: 10,
  });
  expect(price).toMatchObject({ discountCents: 22_991, discount: 'Agreed with Councilworks: 10% off' });
});

test('P111: GST of 17 equal lines is one eleventh of their total', () => {
  const ccna = priceOfCourse({ id: 1, priceId: 7, title: 'CCNA', priceCents: 99_900 });
  const { discount, totalCents, gstCents } = quoteOfPrices(agreedPrices(ccna, { name: null, percent: 15 }), 17);
  expect([discount, totalCents, gstCents]).toEqual(['Agreed −15%', 1_443_555, 131_232]);
});

test('P99: of a discount only what the combo took off can be taken back', () => {
  const [combo] = pricesOfCombo(
    { discountPercent: 30, courses: [{ id: 1, priceId: 7, title: 'CCNA', priceCents: 99_900 }] },
    true,
  );
  const [agreed] = agreedPrices(priceOfCourse({ id: 1, priceId: 7, title: 'CCNA', priceCents: 99_900 }), {
    name: null,
    percent: 10,
  });
  expect([combo && comboDiscountOf(combo), agreed && comboDiscountOf(agreed)]).toEqual([combo?.discountCents, 0]);
});

test('P114: a price for one person is met to the cent over all courses, and takes nothing off a lower price', () => {
  const own = [199_900, 229_905, 99_999].map((priceCents, id) => ({ id, priceId: 7, title: 'CCNA', priceCents }));
  const prices = own.flatMap(priceOfCourse);
  const agreed = agreedPrices(prices, { name: 'Councilworks', percent: 0, seatCents: 333_333 });
  expect(quoteOfPrices(agreed, 12)).toMatchObject({ totalCents: 12 * 333_333, discount: 'Agreed with Councilworks' });
  expect(agreedPrices(prices, { name: null, percent: 0, seatCents: 600_000 })).toBe(prices);
});
