import { expect, test } from 'vitest';
import { holidaysIn, isAhead, type LiveHour, occurrencesOf, weeklyInWords } from './live-hours.ts';

/** Tuesdays at 6:00 PM, from 16 September to 14 October 2025. */
const hour = (parts: Partial<LiveHour> = {}): LiveHour => ({
  id: 1,
  instructor: 'Hamish Doyle',
  startsAt: '18:00',
  minutes: 60,
  zone: 'Australia/Brisbane',
  firstOn: '2025-09-16',
  lastOn: '2025-10-14',
  endedFrom: null,
  ...parts,
});
const free = { holidays: new Set<string>(), daysOff: new Map<string, string>() };
const all = { from: '2025-01-01', to: '2026-12-31' };
const daysOf = (...args: Parameters<typeof occurrencesOf>) =>
  occurrencesOf(...args).map(({ day, off }) => (off ? `${day} off` : day));

test('P60: it is held every week on its weekday, from the first day to the last', () => {
  expect(daysOf(hour(), free, all)).toEqual(['2025-09-16', '2025-09-23', '2025-09-30', '2025-10-07', '2025-10-14']);
  expect(daysOf(hour({ lastOn: '2025-10-13' }), free, all).at(-1)).toBe('2025-10-07');
  expect(daysOf(hour(), free, { from: '2025-09-23', to: '2025-10-07' })).toEqual([
    '2025-09-23',
    '2025-09-30',
    '2025-10-07',
  ]);
});

test('P60: on a public holiday, on a day that staff named, and after the end, an hour is off', () => {
  const named = { holidays: new Set(['2025-09-23']), daysOff: new Map([['2025-09-30', 'Hamish is away.']]) };
  expect(daysOf(hour({ endedFrom: '2025-10-08' }), named, all)).toEqual([
    '2025-09-16',
    '2025-09-23 off',
    '2025-09-30 off',
    '2025-10-07',
    '2025-10-14 off',
  ]);
});

test('P60: 6:00 PM stays 6:00 PM when daylight saving begins in Sydney, on 5 October 2025', () => {
  const starts = occurrencesOf(hour({ zone: 'Australia/Sydney' }), free, all).map((one) => one.starts.toISOString());
  expect(starts.slice(2)).toEqual(['2025-09-30T08:00:00.000Z', '2025-10-07T07:00:00.000Z', '2025-10-14T07:00:00.000Z']);
});

test('P60: it is ahead until its last day, or the day before staff ended it', () => {
  expect(isAhead(hour(), '2025-10-14')).toBe(true);
  expect(isAhead(hour(), '2025-10-15')).toBe(false);
  expect(isAhead(hour({ endedFrom: '2025-10-01' }), '2025-09-30')).toBe(true);
  expect(isAhead(hour({ endedFrom: '2025-10-01' }), '2025-10-01')).toBe(false);
  expect(isAhead(hour({ endedFrom: '2025-09-16' }), '2025-09-01')).toBe(false);
  // The last Tuesday is the 7th, whatever day of that week was typed.
  expect(isAhead(hour({ lastOn: '2025-10-10' }), '2025-10-08')).toBe(false);
  expect(weeklyInWords(hour({ lastOn: '2025-10-10' }), '2025-09-20')).toContain('until Tuesday 7 October 2025');
});

test('P60: its words say weekday, times, zone, and until when', () => {
  expect(weeklyInWords(hour(), '2025-09-01')).toBe(
    'Tuesdays from Tuesday 16 September 2025, 6:00 PM to 7:00 PM AEST, until Tuesday 14 October 2025',
  );
  expect(weeklyInWords(hour({ zone: 'Australia/Sydney', minutes: 90 }), '2025-10-08')).toBe(
    'Tuesdays, 6:00 PM to 7:30 PM AEDT, until Tuesday 14 October 2025',
  );
});

test('P60: the holidays are those of the state of its zone', () => {
  const holidays = [
    { states: ['QLD'], days: ['2025-10-06'] },
    { states: ['NSW', 'VIC'], days: ['2025-12-26'] },
  ];
  expect([...holidaysIn('Australia/Brisbane', holidays)]).toEqual(['2025-10-06']);
  expect([...holidaysIn('Australia/Melbourne', holidays)]).toEqual(['2025-12-26']);
});

test('P14, P60: an hour that summer time begins or ends within is told by the clock of its city', () => {
  const melbourne = hour({ zone: 'Australia/Melbourne', lastOn: '2025-12-16' });
  expect(weeklyInWords(melbourne, '2025-09-20')).toContain('6:00 PM to 7:00 PM Melbourne time');
  expect(weeklyInWords(melbourne, '2025-10-20')).toContain('6:00 PM to 7:00 PM AEDT');
  // It begins and ends in summer time, and there is a winter between.
  const aYear = hour({ zone: 'Australia/Melbourne', firstOn: '2026-12-01', lastOn: '2027-11-30' });
  for (const today of ['2026-11-28', '2026-12-05', '2027-04-05'])
    expect(weeklyInWords(aYear, today)).toContain('6:00 PM to 7:00 PM Melbourne time, until Tuesday 30 November 2027');
  expect(weeklyInWords(aYear, '2027-10-04')).toContain('6:00 PM to 7:00 PM AEDT');
});
