import { expect, test } from 'vitest';
import { type RowFacts, remarkOf } from './enrolment-list.server.ts';

const today = '2026-11-22';
const paid: RowFacts = {
  places: 2,
  totalCents: 459_800,
  balanceCents: 0,
  dueOn: null,
  nameMissing: false,
  choosing: false,
  waiting: false,
  belowMinimum: false,
  mailFailed: false,
};
const text = (facts: Partial<RowFacts>) => remarkOf({ ...paid, ...facts }, today)?.text ?? null;

test('only the most urgent remark is shown', () => {
  expect(text({})).toBe(null);
  expect(text({ balanceCents: 459_800, dueOn: '2026-12-08' })).toBe('Due 8 Dec');
  expect(text({ balanceCents: 459_800, dueOn: today })).toBe('Due 22 Nov');
  expect(text({ balanceCents: 459_800 })).toBe('Not due yet');
  expect(text({ balanceCents: 100, dueOn: '2026-12-08' })).toBe('Part paid');
  expect(text({ balanceCents: 100, waiting: true })).toBe('Waits for a date');
  expect(text({ belowMinimum: true, waiting: true })).toBe('Below minimum');
  expect(text({ belowMinimum: true, nameMissing: true })).toBe('Name missing');
  expect(text({ nameMissing: true, choosing: true })).toBe('Choice open');
  expect(text({ places: 0 })).toBe('Cancelled');
  expect(text({ places: 0, balanceCents: -1 })).toBe('Refund to send');
  expect(text({ places: 0, mailFailed: true })).toBe('Mail came back');
  expect(text({ mailFailed: true, balanceCents: 1, dueOn: '2026-11-16' })).toBe('6 days late');
  expect(remarkOf({ ...paid, balanceCents: 1, dueOn: '2026-11-21' }, today)).toEqual({
    text: '1 day late',
    alarm: true,
  });
});
