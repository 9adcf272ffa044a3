import { expect, test } from 'vitest';
import { detailsInWords } from './history.ts';

test('what staff did is told in days and dollars, without what stayed the same', () => {
  expect(detailsInWords({ to: '2025-09-22', from: '2025-09-15' })).toBe('from 15 September 2025, to 22 September 2025');
  expect(detailsInWords({ to: '2025-09-15', from: '2025-09-15' })).toBe('');
  expect(detailsInWords({ to: 5, from: 3 })).toBe('from 3, to 5');
  expect(detailsInWords({ amountCents: 1_649_700 })).toBe('AU$16,497');
  expect(detailsInWords({ 'BB-JA9HDQ': 'AU$5,499', 'payment-id': 3 })).toBe('BB-JA9HDQ AU$5,499, payment id 3');
  expect(detailsInWords(null)).toBe('');
});
