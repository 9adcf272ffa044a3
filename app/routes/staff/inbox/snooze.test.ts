import { expect, test } from 'vitest';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { snoozeUntil } from './snooze.ts';

const at = (text: string) => new Date(`${text}:00+10:00`);

test('an item that is put off is back after an hour, also past midnight, or at nine on a morning', () => {
  const late = at('2025-09-08T23:30');
  expect(snoozeUntil('hour', '', late)).toEqual(at('2025-09-09T00:30'));
  expect(snoozeUntil('tomorrow', '', late)).toEqual(at('2025-09-09T09:00'));
  // In UTC it is still the 8th.
  expect(snoozeUntil('tomorrow', '', at('2025-09-09T01:00'))).toEqual(at('2025-09-10T09:00'));
  expect(snoozeUntil('day', '2025-09-12', late)).toEqual(at('2025-09-12T09:00'));
});

test('a day that is over, today, or far away is refused', () => {
  const now = at('2025-09-08T08:00');
  expect(snoozeUntil('day', '2025-09-07', now)).toBeNull();
  expect(snoozeUntil('day', '2025-09-08', now)).toBeNull();
  expect(snoozeUntil('day', '2025-11-07', now)).toEqual(at('2025-11-07T09:00'));
  expect(snoozeUntil('day', '2025-11-08', now)).toBeNull();
});

test('an answer is promised until the academy closes on the business day after: over a weekend, a holiday, after hours', () => {
  const holidays = new Set(['2025-10-06']);
  const by = (came: string) => promisedAnswerBy(at(came), holidays);
  expect(by('2025-09-08T10:00')).toEqual(at('2025-09-09T18:00'));
  // After hours it came on the same day.
  expect(by('2025-09-08T23:59')).toEqual(at('2025-09-09T18:00'));
  expect(by('2025-09-12T10:00')).toEqual(at('2025-09-15T18:00'));
  expect(by('2025-10-03T10:00')).toEqual(at('2025-10-07T18:00'));
});
