import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withdrawDiscount } from './combo-discount.ts';

const kept = (id: number, discount: number, withdrawnCents = 0) => ({
  id,
  withdrawableCents: discount,
  withdrawnCents,
});
const gone = (id: number, ladderCents: number, { withdrawn = 0, used = 0 } = {}) => ({
  id,
  ladderCents,
  withdrawnCents: withdrawn,
  withdrawableCents: used,
});
const withdrawn = (...places: Parameters<typeof withdrawDiscount>) => Object.fromEntries(withdrawDiscount(...places));

test('P40: kept courses lose their discount, never more of it than the ladder gives for the others', () => {
  expect(withdrawn([gone(1, 100_000)], [kept(2, 30_000), kept(3, 20_000)])).toEqual({ 1: 0, 2: 30_000, 3: 20_000 });
  expect(withdrawn([gone(1, 40_000)], [kept(2, 30_000), kept(3, 20_000)])).toEqual({ 1: 0, 2: 30_000, 3: 10_000 });
  expect(withdrawn([gone(1, 0)], [kept(2, 30_000)])).toEqual({ 1: 0, 2: 0 });
});

test('P40: the part of a cancelled course that had begun loses its share of the discount as well', () => {
  expect(withdrawn([gone(1, 0, { used: 45_000 }), gone(2, 100_000)], [])).toEqual({ 1: 45_000, 2: 0 });
  expect(withdrawn([gone(1, 20_000, { used: 45_000 })], [])).toEqual({ 1: 20_000 });
  // In whatever order: what could not be taken with the first is taken with the next.
  expect(withdrawn([gone(2, 100_000)], [kept(1, 45_000, 20_000)])).toEqual({ 1: 45_000, 2: 0 });
});

test('P40: the discount withdrawn from a course is refunded with it', () => {
  expect(withdrawn([gone(2, 60_000, { withdrawn: 30_000 })], [kept(3, 20_000, 20_000)])).toEqual({ 2: 0, 3: 20_000 });
});

const share = fc.integer({ min: 0, max: 50_000 });
const combo = fc.array(
  fc.record({ discount: share, ladder: share, used: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    minLength: 2,
    maxLength: 4,
  },
);

test('P40: the same cancellations give the same sum in every order and grouping, between nothing and the ladder', () => {
  fc.assert(
    fc.property(combo, fc.infiniteStream(fc.nat(3)), fc.nat(15), (courses, picks, mask) => {
      const cancelled = courses.map((_, id) => id).filter((id) => (mask >> id) & 1);
      const run = (groups: readonly (readonly number[])[]) => {
        const state = courses.map(({ discount }, id) => kept(id, discount));
        const sums = groups.map((group) => {
          const before = state.reduce((sum, one) => sum + one.withdrawnCents, 0);
          const givenUp = group.map((id) => {
            const { ladder, discount, used } = courses[id] ?? { ladder: 0, discount: 0, used: 0 };
            return {
              ...gone(id, ladder, { used: Math.floor(discount * used) }),
              withdrawnCents: state[id]?.withdrawnCents ?? 0,
            };
          });
          const others = state.filter(({ id }) => !group.includes(id));
          for (const [id, cents] of withdrawDiscount(givenUp, others)) {
            const one = givenUp.find((place) => place.id === id) ?? others.find((place) => place.id === id);
            expect(cents).toBeGreaterThanOrEqual(group.includes(id) ? 0 : (one?.withdrawnCents ?? 0));
            expect(cents).toBeLessThanOrEqual(one?.withdrawableCents ?? 0);
            state[id] = { id, withdrawnCents: cents, withdrawableCents: one?.withdrawableCents ?? 0 };
          }
          const ladder = givenUp.reduce((sum, { ladderCents }) => sum + ladderCents, 0);
          const back = ladder + before - state.reduce((sum, one) => sum + one.withdrawnCents, 0);
          expect(back).toBeGreaterThanOrEqual(0);
          return back;
        });
        return sums.reduce((sum, cents) => sum + cents, 0);
      };
      const groups = Object.values(Object.groupBy(cancelled, () => picks.next().value));
      const ladder = cancelled.reduce((sum, id) => sum + (courses[id]?.ladder ?? 0), 0);
      const together = run([cancelled]);
      expect(together).toBeLessThanOrEqual(ladder);
      expect(run(groups.map((group) => group ?? []))).toBe(together);
      expect(run(cancelled.toReversed().map((id) => [id]))).toBe(together);
    }),
  );
});
