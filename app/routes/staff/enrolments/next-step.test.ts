import { expect, test } from 'vitest';
import { nextStep } from './next-step.ts';

const late = { dueOn: '2025-09-22', firstDay: '2025-12-01', inInstalments: false, undelivered: false };

test('P39: the program reminds three and ten days after the due day, then it is up to staff', () => {
  expect(nextStep(late, '2025-09-23')).toBe('We remind the buyer on Thursday 25 September 2025.');
  expect(nextStep(late, '2025-09-25')).toBe('We remind the buyer on Thursday 2 October 2025.');
  expect(nextStep(late, '2025-10-02')).toContain('agree on instalments, or cancel');
});

test('P39: a course that is about to begin or has begun, and a mail that did not arrive, come first', () => {
  expect(nextStep({ ...late, firstDay: '2025-10-09' }, '2025-10-02')).toContain('begins on Thursday 9 October 2025');
  expect(nextStep({ ...late, firstDay: '2025-09-23' }, '2025-09-24')).toContain('has begun');
  expect(nextStep({ ...late, undelivered: true }, '2025-09-23')).toContain('did not arrive');
});

test('P83: instalments are reminded of also after the first day', () => {
  const instalments = { ...late, firstDay: '2025-09-01', inInstalments: true };
  expect(nextStep(instalments, '2025-09-23')).toBe('We remind the buyer on Thursday 25 September 2025.');
});
