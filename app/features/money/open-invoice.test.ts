import { expect, test } from 'vitest';
import { cardPayments, nextPayment } from './open-invoice.ts';

const invoice = (dueOn: string | null, cents: number, later: readonly [string, number][] = []) => ({
  dueOn,
  dueCents: cents + later.reduce((sum, [, one]) => sum + one, 0),
  choosingCents: 0,
  instalments: later.map(([day, one], id) => ({ id, dueOn: day, openCents: one, dueCents: one, askedCents: one })),
});

test('P29: by card one pays what is due first, or everything', () => {
  const today = '2025-09-10';
  const all = { cents: 1000, dueOn: null };
  expect(cardPayments(1000, [invoice('2025-09-22', 1000)], today)).toEqual([all]);
  // Nothing is due before the date is confirmed; who wants to pay may.
  expect(cardPayments(1000, [invoice(null, 0)], today)).toEqual([all]);
  const two = [invoice('2025-09-22', 600), invoice('2025-09-30', 400)];
  expect(cardPayments(1000, two, today)).toEqual([{ cents: 600, dueOn: '2025-09-22' }, all]);
  const instalments: [string, number][] = [
    ['2025-09-01', 200],
    ['2025-09-10', 300],
    ['2025-10-10', 500],
  ];
  // What is overdue goes with what is due today.
  expect(cardPayments(1000, [invoice('2025-09-01', 0, instalments)], today)).toEqual([
    { cents: 500, dueOn: '2025-09-01' },
    all,
  ]);
  // By bank transfer as well.
  const agreed = { ...invoice('2025-09-01', 0, instalments), openCents: 1000 };
  expect([nextPayment(agreed, today), nextPayment(agreed, '2025-09-09'), nextPayment(agreed, '2025-08-30')]).toEqual([
    500, 200, 200,
  ]);
  expect(nextPayment({ ...invoice(null, 0), openCents: 1000 }, today)).toBe(1000);
});
