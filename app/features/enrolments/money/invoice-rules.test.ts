import { expect, test } from 'vitest';
import { dueOn, invoiceNumber, noteNumber, paymentReference, referencesIn } from './invoice-rules.ts';

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

test('the payment reference fits a bank transfer and is found again however it was typed', () => {
  expect([invoiceNumber(42), noteNumber(123_456)]).toEqual(['INV-00042', 'ADJ-123456']);
  const reference = paymentReference(999_999, 'BB-7KQ2MX');
  expect(reference).toBe('INV999999 BB7KQ2MX');
  expect(reference.length).toBeLessThanOrEqual(18);
  expect(referencesIn(reference)).toEqual({ enrolments: ['BB-7KQ2MX'], invoices: [999_999] });
  expect(referencesIn('Transfer from A SMITH inv-00042 bb 7kq2mx BB7KQ2MX')).toEqual({
    enrolments: ['BB-7KQ2MX'],
    invoices: [42],
  });
  expect(referencesIn('Invoice no. 42')).toEqual({ enrolments: [], invoices: [42] });
  expect(referencesIn('Salary BBQ KANGAROO 12, BBINVITE')).toEqual({ enrolments: [], invoices: [] });
});
