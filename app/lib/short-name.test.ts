import { expect, test } from 'vitest';
import { nameWithin } from './short-name.ts';

test.each([
  ['Certified Ethical Hacker (CEH)', 42, 'Certified Ethical Hacker (CEH)'],
  ['Certified Information Systems Security Professional (CISSP)', 42, 'CISSP'],
  ['Certified Information Privacy Professional/Europe (CIPP/E)', 42, 'CIPP/E'],
  ['Microsoft Identity and Access Administrator (SC-300)', 44, 'Microsoft Identity and Access Administrator'],
  ['Virtual Desktop Security with Azure Virtual Desktop and Citrix', 42, 'Virtual Desktop Security'],
  ['Cloud Security Architecture across AWS, Azure and Google Cloud', 42, 'Cloud Security Architecture'],
  ['AWS Certified Solutions Architect - Associate (SAA-C03)', 42, 'AWS Certified Solutions Architect'],
  ['Governance, Risk and Compliance in Practice', 40, 'Governance, Risk and Compliance'],
  [
    'Microsoft Security, Compliance and Identity Fundamentals (SC-900)',
    40,
    'Microsoft Security, Compliance and Identity Fundamentals',
  ],
  ['Programming for Security in Python and Go', 38, 'Programming for Security in Python'],
  [
    'Chief Information Security Officer Leadership Programme',
    42,
    'Chief Information Security Officer Leadership Programme',
  ],
])('%s within %i: %s', (title, most, name) => {
  expect(nameWithin(title, most)).toBe(name);
});
