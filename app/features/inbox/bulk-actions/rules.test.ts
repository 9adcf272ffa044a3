import { expect, test } from 'vitest';
import { type BuyerFacts, whyNot } from './rules.ts';

const facts: BuyerFacts = {
  balanceCents: 549_900,
  dueOn: '2025-09-22',
  onItsWay: false,
  nameMissing: true,
  unnamedOn: '2025-11-24',
  lately: false,
};

test.each([
  [{}, null],
  [{ balanceCents: 0 }, 'owes-nothing'],
  [{ balanceCents: -100 }, 'owes-nothing'],
  [{ dueOn: null }, 'not-due'],
  [{ onItsWay: true }, 'on-its-way'],
  [{ lately: true }, 'lately'],
  [{ nameMissing: false }, null],
] as const)('P101: a buyer with %o is reminded, or left out for %s', (changed, why) => {
  expect(whyNot('remind', { ...facts, ...changed })).toBe(why);
});

test.each([
  [{}, null],
  [{ nameMissing: false }, 'all-named'],
  [{ unnamedOn: null }, 'begun'],
  [{ lately: true }, 'lately'],
  [{ balanceCents: 0 }, null],
] as const)('P101: a buyer with %o is asked for names, or left out for %s', (changed, why) => {
  expect(whyNot('ask-names', { ...facts, ...changed })).toBe(why);
});
