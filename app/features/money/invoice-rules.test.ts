import { expect, test } from 'vitest';
import { dueOn, invoiceNumber, noteNumber, notTooSoon, paymentReference } from './invoice-rules.ts';

// The King's Birthday, Christmas, Easter 2026 with Anzac Day after it, and the Brisbane show of 2026.
const holidays = new Set([
  '2025-10-06',
  '2025-12-25',
  '2025-12-26',
  '2026-04-03',
  '2026-04-06',
  '2026-04-25',
  '2026-08-12',
]);

test('P39: due 14 days after issue or two business days before the first day', () => {
  expect(dueOn('2025-09-08', null, holidays)).toBe('2025-09-22');
  expect(dueOn('2025-09-08', '2025-12-15', holidays)).toBe('2025-09-22');
  expect(dueOn('2025-09-08', '2025-09-22', holidays)).toBe('2025-09-18');
  // A Tuesday after the King's Birthday: Thursday and Friday are the two business days before.
  expect(dueOn('2025-09-25', '2025-10-07', holidays)).toBe('2025-10-02');
  // A Monday after Christmas Day and Boxing Day.
  expect(dueOn('2025-12-18', '2025-12-29', holidays)).toBe('2025-12-23');
});

test.each([
  ['a Sunday for Monday', '2026-11-22', '2026-11-23', '2026-11-25'],
  ['a Monday for the same day', '2026-11-23', '2026-11-23', '2026-11-26'],
  ['a Wednesday for Friday', '2026-11-25', '2026-11-27', '2026-11-30'],
  ['a Friday for Monday', '2026-11-27', '2026-11-30', '2026-12-02'],
  ['a Saturday for Tuesday', '2026-11-28', '2026-12-01', '2026-12-02'],
  ['a Tuesday for the Monday after it', '2026-11-24', '2026-11-30', '2026-11-27'],
  ['Maundy Thursday for Easter Tuesday', '2026-04-02', '2026-04-07', '2026-04-09'],
  ['Good Friday for Easter Tuesday', '2026-04-03', '2026-04-07', '2026-04-09'],
  ['the day before the Brisbane show for Thursday', '2026-08-11', '2026-08-13', '2026-08-17'],
  ['the Saturday before Christmas', '2025-12-20', '2025-12-29', '2025-12-24'],
])('P39: issued on %s it is due three business days later, not sooner', (_, issued, firstDay, due) => {
  expect(dueOn(issued, firstDay, holidays)).toBe(due);
});

test('P39: the invoice that replaces another keeps its day unless that is too soon', () => {
  expect(notTooSoon('2026-11-22', '2026-12-06', holidays)).toBe('2026-12-06');
  expect(notTooSoon('2026-11-22', '2026-11-20', holidays)).toBe('2026-11-25');
});

test('the payment reference fits a bank transfer', () => {
  expect([invoiceNumber(42), noteNumber(123_456)]).toEqual(['INV-00042', 'ADJ-123456']);
  const reference = paymentReference(999_999, 'BB-7KQ2MX');
  expect(reference).toBe('INV999999 BB7KQ2MX');
  expect(reference.length).toBeLessThanOrEqual(18);
});
