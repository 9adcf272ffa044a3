import { expect, test } from 'vitest';
import { oddities, todoInWords } from './shown-money.server.ts';

test('a payment to look at says what is left to do, not “Late” beside “Nothing owed”', () => {
  expect(oddities.late).toBe('Came late');
  expect(todoInWords(0)).toBe('All is settled');
  expect(todoInWords(29_900)).toBe('AU$299.00 still owed');
  expect(todoInWords(-10_100)).toBe('AU$101.00 to refund');
});
