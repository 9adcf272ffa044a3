import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Piece, planPieces } from './divide-payment.server.ts';

const piece = (id: number, enrolmentId: number | null, amountCents: number, sentCents = 0): Piece => ({
  id,
  enrolmentId,
  amountCents,
  sentCents,
});

test('a payment is divided, and made whole again as it arrived', () => {
  expect(
    planPieces(
      [piece(1, null, 300)],
      new Map([
        [7, 100],
        [8, 200],
      ]),
    ),
  ).toEqual({
    ok: true,
    kept: [{ id: 1, enrolmentId: 7, amountCents: 100 }],
    made: [{ enrolmentId: 8, amountCents: 200 }],
    removed: [],
  });
  expect(planPieces([piece(1, 7, 100), piece(2, 8, 200)], new Map([[null, 300]]))).toEqual({
    ok: true,
    kept: [{ id: 1, enrolmentId: null, amountCents: 300 }],
    made: [],
    removed: [2],
  });
});

test('a refunded part stays with its enrolment', () => {
  const pieces = [piece(1, null, 100), piece(2, 8, 200, 150)];
  expect(planPieces(pieces, new Map([[7, 300]]))).toEqual({
    ok: false,
    reason: 'refunded',
    enrolmentId: 8,
    sentCents: 150,
  });
  expect(planPieces(pieces, new Map([[8, 300]]))).toEqual({
    ok: true,
    kept: [
      { id: 2, enrolmentId: 8, amountCents: 150 },
      { id: 1, enrolmentId: 8, amountCents: 150 },
    ],
    made: [],
    removed: [],
  });
});

test('the payment that arrived keeps a part above zero: never that of an enrolment that was refunded all of its part', () => {
  const pieces = [piece(1, null, 100), piece(2, 8, 200, 200), piece(3, 9, 50, 20)];
  const wanted = new Map([
    [8, 200],
    [9, 150],
  ]);
  expect(planPieces(pieces, wanted)).toEqual({
    ok: true,
    kept: [
      { id: 2, enrolmentId: 8, amountCents: 200 },
      { id: 3, enrolmentId: 9, amountCents: 20 },
      { id: 1, enrolmentId: 9, amountCents: 130 },
    ],
    made: [],
    removed: [],
  });
});

test('whatever is wanted after whatever was, each enrolment has exactly that, and no cent comes or goes', () => {
  const share = fc.tuple(fc.option(fc.integer({ min: 1, max: 4 })), fc.integer({ min: 1, max: 50 }), fc.nat(50));
  const shares = fc.array(share, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      shares,
      fc.array(fc.tuple(fc.option(fc.integer({ min: 1, max: 4 })), fc.nat(60)), { maxLength: 4 }),
      (rows, asked) => {
        const pieces = rows.map(([enrolment, cents, sent], at) =>
          piece(at + 1, enrolment, cents, Math.min(cents, sent)),
        );
        const arrived = rows.reduce((sum, [, cents]) => sum + cents, 0);
        const wanted = new Map<number | null, number>();
        let left = arrived;
        for (const [enrolment, cents] of [...asked, [null, arrived] as const]) {
          const some = Math.min(cents, left);
          if (some > 0) wanted.set(enrolment, (wanted.get(enrolment) ?? 0) + some);
          left -= some;
        }
        const sentOf = (enrolment: number | null) =>
          pieces.reduce((sum, one) => sum + (one.enrolmentId === enrolment ? one.sentCents : 0), 0);
        const plan = planPieces(pieces, wanted);
        const possible = [null, 1, 2, 3, 4].every((enrolment) => (wanted.get(enrolment) ?? 0) >= sentOf(enrolment));
        expect(plan.ok).toBe(possible);
        if (!plan.ok) return;
        const all = [...plan.kept, ...plan.made];
        for (const enrolment of [null, 1, 2, 3, 4]) {
          const has = all.reduce((sum, one) => sum + (one.enrolmentId === enrolment ? one.amountCents : 0), 0);
          expect(has).toBe(wanted.get(enrolment) ?? 0);
        }
        expect(all.every(({ amountCents }) => amountCents > 0)).toBe(true);
        expect([...plan.kept.map(({ id }) => id), ...plan.removed].toSorted()).toEqual(pieces.map(({ id }) => id));
        expect(plan.kept.some(({ id }) => id === 1)).toBe(true);
        for (const one of pieces.filter(({ sentCents }) => sentCents > 0)) {
          const kept = plan.kept.find(({ id }) => id === one.id);
          expect(kept?.enrolmentId).toBe(one.enrolmentId);
          expect(kept?.amountCents).toBeGreaterThanOrEqual(one.sentCents);
        }
      },
    ),
  );
});
