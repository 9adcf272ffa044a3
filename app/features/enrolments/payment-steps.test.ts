import { expect, test } from 'vitest';
import { stepOf } from './payment-steps.ts';

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
