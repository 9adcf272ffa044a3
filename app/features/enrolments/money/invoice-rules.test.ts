import { expect, test } from 'vitest';
import { dueOn, effectiveDue, invoiceNumber, noteNumber, paymentReference } from './invoice-rules.ts';

const holidays = new Set(['2025-10-06', '2025-12-25', '2025-12-26']);

test('P39: due 14 days after issue or two business days before the first day, never before issue', () => {
  expect(dueOn('2025-09-08', null, holidays)).toBe('2025-09-22');
  expect(dueOn('2025-09-08', '2025-12-15', holidays)).toBe('2025-09-22');
  expect(dueOn('2025-09-08', '2025-09-22', holidays)).toBe('2025-09-18');
  // A Tuesday after the King's Birthday: Thursday and Friday are the two business days before.
  expect(dueOn('2025-09-25', '2025-10-07', holidays)).toBe('2025-10-02');
  // A Monday after Christmas Day and Boxing Day.
  expect(dueOn('2025-12-20', '2025-12-29', holidays)).toBe('2025-12-23');
  expect(dueOn('2025-09-18', '2025-09-19', holidays)).toBe('2025-09-18');
});

test('P39: nothing is due until every session is confirmed', () => {
  const confirmed = (confirmedOn: string | null) => ({ state: 'confirmed' as const, confirmedOn });
  const tentative = { state: 'tentative' as const, confirmedOn: null };
  expect(effectiveDue('2025-09-22', [])).toBe('2025-09-22');
  expect(effectiveDue('2025-09-22', [confirmed(null), confirmed('2025-09-01')])).toBe('2025-09-22');
  expect(effectiveDue('2025-09-22', [confirmed('2025-10-01'), confirmed('2025-09-30')])).toBe('2025-10-01');
  expect(effectiveDue('2025-09-22', [confirmed(null), tentative])).toBeNull();
  expect(effectiveDue('2025-09-22', [{ state: 'cancelled', confirmedOn: null }])).toBe('2025-09-22');
});

test('the payment reference fits a bank transfer', () => {
  expect([invoiceNumber(42), noteNumber(123_456)]).toEqual(['INV-00042', 'ADJ-123456']);
  const reference = paymentReference(999_999, 'BB-7KQ2MX');
  expect(reference).toBe('INV999999 BB7KQ2MX');
  expect(reference.length).toBeLessThanOrEqual(18);
});
