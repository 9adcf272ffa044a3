import { expect, test } from 'vitest';
import { standingOfClass, timesText } from './class-times.ts';

const at = (text: string) => new Date(`${text}:00+10:00`);

test('times are short; a class that begins in the afternoon says so', () => {
  expect([timesText('09:00', '17:00'), timesText('18:00', '21:00'), timesText('12:30', '16:05')]).toEqual([
    '9:00 – 5:00',
    '6:00 – 9:00 PM',
    '12:30 – 4:05 PM',
  ]);
});

test('how a class stands follows the clock, to the minute', () => {
  const brisbane = { startsAt: '09:00', zone: 'Australia/Brisbane' };
  const its = { begins: at('2026-11-30T09:00'), ends: at('2026-11-30T17:00'), ...brisbane };
  const standing = (now: string) => standingOfClass({ ...its, now: at(now) });
  expect([
    standing('2026-11-30T06:59'),
    standing('2026-11-30T07:00'),
    standing('2026-11-30T08:42'),
    standing('2026-11-30T09:00'),
    standing('2026-11-30T16:59'),
    standing('2026-11-30T17:00'),
  ]).toEqual(['', 'in 120 min', 'in 18 min', 'now', 'now', 'over']);
  const sydney = {
    begins: at('2026-11-30T07:30'),
    ends: at('2026-11-30T15:30'),
    startsAt: '08:30',
    zone: 'Australia/Sydney',
  };
  expect(standingOfClass({ ...sydney, now: at('2026-11-30T05:00') })).toBe('8:30 AM in Sydney');
  expect(standingOfClass({ ...sydney, now: at('2026-11-29T23:30') })).toBe('tomorrow, 8:30 AM in Sydney');
  const evening = { begins: at('2026-11-30T18:00'), ends: at('2026-11-30T21:00'), ...brisbane, startsAt: '18:00' };
  expect(standingOfClass({ ...evening, now: at('2026-11-30T08:00') })).toBe('tonight');
});
