import { expect, test } from 'vitest';
import { type ChosenFacts, groupOf, whyNot } from './chosen-rules.ts';

const today = '2025-09-08';
const facts: ChosenFacts = {
  balanceCents: 229_900,
  dueOn: '2025-09-01',
  startsOn: '2025-11-03',
  onItsWay: false,
  nameMissing: true,
  unnamedOn: '2025-11-03',
  remindedOn: null,
  agreedOn: null,
  askedOn: null,
  instalments: 0,
};
const asked = { today, until: '2025-09-22' };

test('P79: nobody is reminded who owes nothing, to whom nothing is due, or who was reminded in the last three days', () => {
  const remind = (parts: Partial<ChosenFacts>) => whyNot('remind', { ...facts, ...parts }, asked);
  expect(remind({})).toBe(null);
  expect(remind({ balanceCents: 0 })).toBe('owes-nothing');
  expect(remind({ balanceCents: -100 })).toBe('owes-nothing');
  expect(remind({ dueOn: null })).toBe('not-due');
  expect(remind({ remindedOn: '2025-09-06' })).toBe('reminded');
  expect(remind({ remindedOn: '2025-09-05' })).toBe(null);
});

test('P79: names are asked for until the course begins, and not again within three days', () => {
  const ask = (parts: Partial<ChosenFacts>) => whyNot('ask-names', { ...facts, ...parts }, asked);
  expect(ask({ balanceCents: 0, dueOn: null })).toBe(null);
  expect(ask({ nameMissing: false })).toBe('all-named');
  expect(ask({ unnamedOn: '2025-09-09' })).toBe(null);
  // Another course of the same enrolment may have begun.
  expect(ask({ startsOn: '2025-09-01' })).toBe(null);
  expect(ask({ unnamedOn: null })).toBe('begun');
  expect(ask({ askedOn: '2025-09-06' })).toBe('asked');
});

test('P79: more time is given for debts due before the new day, and several agreed instalments stay', () => {
  const more = (parts: Partial<ChosenFacts>) => whyNot('more-time', { ...facts, ...parts }, asked);
  expect(more({ instalments: 1 })).toBe(null);
  expect(more({ instalments: 2 })).toBe('in-instalments');
  expect(more({ dueOn: '2025-09-22' })).toBe('due-later');
  expect(more({ dueOn: '2025-09-21' })).toBe(null);
  expect(more({ balanceCents: 0 })).toBe('owes-nothing');
});

test('effects are counted by late debts and by courses that start soon', () => {
  expect(groupOf('remind', facts, asked)).toBe('late');
  expect(groupOf('more-time', { ...facts, dueOn: today }, asked)).toBe('due');
  expect(groupOf('ask-names', { ...facts, unnamedOn: '2025-09-22' }, asked)).toBe('soon');
  expect(groupOf('ask-names', facts, asked)).toBe('ahead');
  expect(groupOf('more-time', { ...facts, startsOn: '2025-09-22' }, asked)).toBe('late');
  expect(groupOf('more-time', { ...facts, startsOn: '2025-09-21' }, asked)).toBe('after-start');
  expect(groupOf('remind', { ...facts, startsOn: '2025-09-21' }, asked)).toBe('late');
});
