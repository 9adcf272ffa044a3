import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatTime,
  instantOf,
  instantWithOffset,
  timeWithOffset,
  unbrokenTimes,
  wallClockAt,
  zoneAbbreviation,
} from './wall-clock.ts';

test('P14: the abbreviation is the right one for the zone and the date', () => {
  expect(zoneAbbreviation('Australia/Brisbane', '2025-11-12')).toBe('AEST');
  expect(zoneAbbreviation('Australia/Sydney', '2025-09-15')).toBe('AEST');
  expect(zoneAbbreviation('Australia/Sydney', '2025-10-13')).toBe('AEDT');
  expect(zoneAbbreviation('Australia/Melbourne', '2025-10-27')).toBe('AEDT');
});

test('P14: wall-clock time to instant, before and in daylight saving', () => {
  expect(instantOf('2025-10-13', '09:00', 'Australia/Brisbane').toISOString()).toBe('2025-10-12T23:00:00.000Z');
  expect(instantOf('2025-10-13', '09:00', 'Australia/Sydney').toISOString()).toBe('2025-10-12T22:00:00.000Z');
  expect(instantOf('2025-09-15', '09:00', 'Australia/Sydney').toISOString()).toBe('2025-09-14T23:00:00.000Z');
});

test('P78: an instant in a file is what the clock of the academy showed, with its offset', () => {
  const instant = new Date('2025-11-25T22:06:09.500Z');
  expect(instantWithOffset('Australia/Brisbane', instant)).toBe('2025-11-26T08:06:09+10:00');
  expect(new Date(instantWithOffset('Australia/Sydney', instant))).toEqual(new Date('2025-11-25T22:06:09Z'));
});

test('an instant converts back to the same wall-clock time in its zone, on any day', () => {
  const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true });
  const zone = fc.constantFrom('Australia/Brisbane', 'Australia/Sydney', 'Europe/London');
  fc.assert(
    // Hours that daylight saving skips in none of these zones.
    fc.property(day, fc.integer({ min: 4, max: 23 }), zone, (date, hour, timeZone) => {
      const [wanted, time] = [date.toISOString().slice(0, 10), `${String(hour).padStart(2, '0')}:30`];
      const format = new Intl.DateTimeFormat('en-CA', {
        timeZone,
        hourCycle: 'h23',
        dateStyle: 'short',
        timeStyle: 'short',
      } as const);
      expect(format.format(instantOf(wanted, time, timeZone))).toBe(`${wanted}, ${time}`);
    }),
  );
});

test('times are formatted for readers', () => {
  expect(['09:00', '12:30', '17:00', '00:15'].map(formatTime)).toEqual(['9:00 AM', '12:30 PM', '5:00 PM', '12:15 AM']);
});

test.each([
  ['Australia/Brisbane', '2025-10-05', '02:30'],
  ['Australia/Sydney', '2025-10-05', '03:30'],
  ['America/Los_Angeles', '2025-10-04', '09:30'],
  ['Asia/Kathmandu', '2025-10-04', '22:15'],
])('P14: what a clock in %s shows at one instant', (zone, day, time) => {
  expect(wallClockAt(zone, new Date('2025-10-04T16:30:00Z'))).toEqual({ day, time });
});

test.each([
  ['2025-09-15', 'Australia/Brisbane', '2025-09-15T09:00:00+10:00'],
  ['2025-10-13', 'Australia/Sydney', '2025-10-13T09:00:00+11:00'],
  ['2025-09-15', 'Asia/Kolkata', '2025-09-15T09:00:00+05:30'],
  ['2025-09-15', 'America/St_Johns', '2025-09-15T09:00:00-02:30'],
])('P14: 9 am on %s in %s is %s', (day, zone, text) => {
  expect(timeWithOffset(day, '09:00', zone)).toBe(text);
});

test('no line of a page breaks between a time of day and its AM or PM', () => {
  expect(unbrokenTimes('13 October, 8:30 AM to 6:00 PM AEDT, until AMP')).toBe(
    '13 October, 8:30\u00a0AM to 6:00\u00a0PM AEDT, until AMP',
  );
});
