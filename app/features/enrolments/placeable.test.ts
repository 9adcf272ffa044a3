import { expect, test } from 'vitest';
import { guidedStarts, isGuidedStart } from './placeable.ts';

// Good Friday and Easter Monday, and the Brisbane show of 2026.
const holidays = new Set(['2026-04-03', '2026-04-06', '2026-08-12']);

test.each([
  // An ordinary week: three business days lie between Tuesday and Monday, two between Wednesday and Monday.
  ['Sunday', '2026-11-22', '2026-11-30'],
  ['Monday', '2026-11-23', '2026-11-30'],
  ['Tuesday', '2026-11-24', '2026-11-30'],
  ['Wednesday', '2026-11-25', '2026-12-07'],
  ['Thursday', '2026-11-26', '2026-12-07'],
  ['Friday', '2026-11-27', '2026-12-07'],
  ['Saturday', '2026-11-28', '2026-12-07'],
  // The week before Easter: of Tuesday 31 March to Thursday 2 April only the last two follow Tuesday.
  ['the Monday before Easter', '2026-03-30', '2026-04-06'],
  ['the Tuesday before Easter', '2026-03-31', '2026-04-13'],
  ['Easter Monday', '2026-04-06', '2026-04-13'],
  ['the Tuesday after Easter', '2026-04-07', '2026-04-13'],
  // The show is on Wednesday 12 August.
  ['the Monday of the Brisbane show', '2026-08-10', '2026-08-17'],
  ['the Tuesday of the Brisbane show', '2026-08-11', '2026-08-24'],
])('P38: the first Monday offered on %s leaves three business days', (_, today, first) => {
  const mondays = guidedStarts(today, holidays);
  expect(mondays[0]).toBe(first);
  expect(mondays.every((monday) => new Date(`${monday}T00:00:00Z`).getUTCDay() === 1)).toBe(true);
});

test('P38: the last Monday offered lies within twelve weeks, and no other day is a start', () => {
  expect(guidedStarts('2026-11-25', holidays)).toHaveLength(11);
  expect(guidedStarts('2026-11-25', holidays).at(-1)).toBe('2027-02-15');
  expect(guidedStarts('2026-11-23', holidays).at(-1)).toBe('2027-02-15');
  expect(isGuidedStart('2027-02-22', '2026-11-25', holidays)).toBe(false);
  expect(isGuidedStart('2026-12-08', '2026-11-25', holidays)).toBe(false);
  expect(isGuidedStart('2026-11-23', '2026-11-25', holidays)).toBe(false);
});
