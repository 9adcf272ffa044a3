import { expect, test } from 'vitest';
import { nextStep } from './owed-list.tsx';

const late = { firstDay: '2025-12-01', remindsOn: null, onlyKept: false, undelivered: false };

test('P39: while the program reminds, its day is the next step; then it is up to staff', () => {
  expect(nextStep({ ...late, remindsOn: '2025-09-25' }, '2025-09-23')).toBe('We remind on Thu 25 Sept');
  expect(nextStep(late, '2025-10-02')).toContain('agree on instalments or cancel');
  expect(nextStep({ ...late, onlyKept: true }, '2025-10-02')).toContain('places are cancelled');
});

test('P39: a course that is about to begin or has begun, and a mail that did not arrive, come first', () => {
  expect(nextStep({ ...late, firstDay: '2025-10-09' }, '2025-10-02')).toContain('before Thu 9 Oct');
  expect(nextStep({ ...late, firstDay: '2025-09-23' }, '2025-09-24')).toContain('has begun');
  expect(nextStep({ ...late, remindsOn: '2025-09-25', undelivered: true }, '2025-09-23')).toContain('did not arrive');
});
