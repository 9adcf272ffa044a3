import { expect, test } from 'vitest';
import { promisedAnswerBy } from './promised-answer.ts';
import { wallClockAt } from './wall-clock.ts';

const brisbane = 'Australia/Brisbane';
const holidays = new Set(['2026-12-25', '2026-12-28']);
const promised = (came: string) => {
  const { day, time } = wallClockAt(brisbane, promisedAnswerBy(new Date(`${came}:00+10:00`), holidays));
  return `${day} ${time}`;
};

test.each([
  ['a Monday morning: Tuesday', '2026-11-30T08:00', '2026-12-01 18:00'],
  ['a Monday evening, after closing: Tuesday', '2026-11-30T22:30', '2026-12-01 18:00'],
  ['a Friday: Monday', '2026-11-27T16:59', '2026-11-30 18:00'],
  [
    'a Saturday, on which the shop is open but which is no business day: Monday',
    '2026-11-28T10:30',
    '2026-11-30 18:00',
  ],
  ['the Thursday before Christmas: Tuesday, after two holidays and a weekend', '2026-12-24T12:00', '2026-12-29 18:00'],
])('what came on %s, until closing', (_, came, until) => {
  expect(promised(came)).toBe(until);
});
