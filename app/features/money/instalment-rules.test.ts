import { expect, test } from 'vitest';
import { checkInstalments, equalInstalments, mostInstalments } from './instalment-rules.ts';

const on = { openCents: 100_000, today: '2026-11-23' };
const two = [
  { dueOn: '2026-12-01', cents: 60_000 },
  { dueOn: '2027-01-05', cents: 40_000 },
];

test('P83: instalments add up to the open amount, to the cent', () => {
  expect(checkInstalments(two, on)).toBeNull();
  expect(checkInstalments(two, { ...on, openCents: 100_001 })).toEqual({
    ok: false,
    reason: 'sum',
    sumCents: 100_000,
    openCents: 100_001,
  });
});

test('P83: their days follow each other, from today on and within a year', () => {
  const [first = expect.unreachable(), last = expect.unreachable()] = two;
  expect(checkInstalments([], on)).toEqual({ ok: false, reason: 'none' });
  expect(checkInstalments([{ ...first, dueOn: '2026-11-22' }, last], on)).toEqual({ ok: false, reason: 'past' });
  expect(checkInstalments([{ ...first, dueOn: '2026-11-23' }, last], on)).toBeNull();
  expect(checkInstalments([first, { ...last, dueOn: '2026-12-01' }], on)).toEqual({ ok: false, reason: 'order' });
  expect(checkInstalments([first, { ...last, dueOn: '2027-11-24' }], on)).toBeNull();
  expect(checkInstalments([first, { ...last, dueOn: '2027-11-25' }], on)).toEqual({ ok: false, reason: 'too-late' });
});

test('P83: equal instalments lose no cent', () => {
  expect(equalInstalments(100_000, 3, { from: '2026-12-01', days: 30 })).toEqual([
    { dueOn: '2026-12-01', cents: 33_334 },
    { dueOn: '2026-12-31', cents: 33_333 },
    { dueOn: '2027-01-30', cents: 33_333 },
  ]);
});

test('P83: at most twelve instalments are agreed', () => {
  const agreed = (count: number) => equalInstalments(100_000, count, { from: '2026-12-01', days: 28 });
  expect(mostInstalments).toBe(12);
  expect(checkInstalments(agreed(12), on)).toBeNull();
  expect(checkInstalments(agreed(13), on)).toEqual({ ok: false, reason: 'none' });
});
