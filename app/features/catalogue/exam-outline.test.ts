import { expect, test } from 'vitest';
import { examOutline } from './exam-outline.ts';

test('weights are read from the wording of the domains', () => {
  expect(examOutline(['Security and risk management (16 per cent)', 'Asset security (10 per cent)'])).toEqual([
    { name: 'Security and risk management', share: 16 },
    { name: 'Asset security', share: 10 },
  ]);
});

test('without a weight for each domain all keep their wording', () => {
  const domains = ['Active Directory (40 of 100 points)', 'Reports (10 per cent)', 'Pivoting'];
  expect(examOutline(domains)).toEqual(domains.map((name) => ({ name, share: null })));
});
