import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strawsOf } from './straws.tsx';

const drawn = (...seats: [sold: number, held: number, total: number, minimum: number | null]) => {
  const [sold, held, total, minimum] = seats;
  const { straws, each, treasure, title } = strawsOf({ sold, held, total, minimum });
  const signs = { sold: '|', held: ':', free: '.' };
  return { picture: straws.map((kind) => signs[kind]).join(''), each, treasure, title };
};

test('a straw is a seat: sold ones stand, held ones are dotted, free ones are stubs, the treasure lies at the minimum', () => {
  expect(drawn(4, 1, 12, 5)).toEqual({
    picture: '||||:.......',
    each: 1,
    treasure: { after: 5, reached: false },
    title: '4 of 12 seats sold, 1 held, minimum 5 not reached',
  });
  expect(drawn(9, 0, 9, 4)).toMatchObject({
    picture: '|||||||||',
    treasure: { after: 4, reached: true },
    title: '9 of 9 seats sold, minimum 4 reached',
  });
  expect(drawn(0, 0, 3, null)).toMatchObject({ picture: '...', treasure: null, title: '0 of 3 seats sold' });
});

test('above 24 seats one straw is two, and the words beside the picture say so', () => {
  expect(drawn(24, 0, 24, 6)).toMatchObject({ each: 1, picture: '|'.repeat(24) });
  expect(drawn(7, 2, 26, 6)).toEqual({
    picture: '||||:........',
    each: 2,
    treasure: { after: 3, reached: true },
    title: '7 of 26 seats sold, 2 held, minimum 6 reached; one straw is 2 seats',
  });
  expect(drawn(0, 0, 60, 5).each).toBe(4);
});

test('at most 24 straws are drawn, one that stands for any seat that is sold, none when none is', () => {
  const seats = fc.nat({ max: 400 });
  fc.assert(
    fc.property(seats, seats, fc.integer({ min: 1, max: 400 }), (sold, held, total) => {
      const { straws } = strawsOf({ sold, held, total, minimum: null });
      expect(straws.length).toBeLessThanOrEqual(24);
      expect(straws.includes('sold')).toBe(sold > 0);
      if (sold >= total) expect(straws).not.toContain('free');
    }),
  );
});
