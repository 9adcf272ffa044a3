import { expect, test } from 'vitest';
import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import { invoiceFacts } from '#tests/support/money-facts.ts';
import { duesToAsk, nextReminderOn, stepOf } from './payment-steps.ts';

test.each([
  ['2025-09-18', null],
  ['2025-09-19', -3],
  ['2025-09-24', -3],
  ['2025-09-25', 3],
  ['2025-10-01', 3],
  ['2025-10-02', 10],
  ['2025-10-22', 10],
  ['2025-10-23', null],
])('P39: of what is due on 22 September, %s has reached reminder %s', (today, step) => {
  expect(stepOf({ dueOn: '2025-09-22' }, today)).toBe(step);
});

/** Due on 22 September; the first day is given. */
const open = (firstDay: string | null, agreed = 0): OpenInvoice => ({
  id: 1,
  facts: invoiceFacts,
  debt: 1,
  printedDueOn: '2025-09-22',
  dueOn: '2025-09-22',
  openCents: 1000,
  dueCents: 1000,
  askedCents: 1000,
  choosingCents: 0,
  undecided: false,
  firstDay,
  instalments: agreed ? [{ id: 2, dueOn: '2025-09-22', openCents: agreed, dueCents: agreed, askedCents: agreed }] : [],
});

test('P39: reminders stop on the first day, except those for what was agreed', () => {
  const cents = (firstDay: string | null, agreed = 0) =>
    duesToAsk([open(firstDay, agreed)], '2025-09-25').map((due) => due.cents);
  expect([cents('2025-09-26'), cents('2025-09-25'), cents('2025-09-24'), cents(null)]).toEqual([
    [1000],
    [],
    [],
    [1000],
  ]);
  expect([cents('2025-09-25', 1000), cents('2025-09-01', 400)]).toEqual([[1000], [600, 400]]);
  expect(nextReminderOn([open('2025-09-25')], '2025-09-20')).toBeNull();
  expect(nextReminderOn([open('2025-09-26')], '2025-09-20')).toBe('2025-09-25');
});
