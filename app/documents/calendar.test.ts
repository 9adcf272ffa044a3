import { expect, test } from 'vitest';
import { calendarFaults, valuesOf } from '#tests/support/calendar-text.ts';
import { appointmentFile, calendarFile, dailyAppointmentFile } from './calendar.ts';

const organizer = { name: 'Bowerbird Academy', email: 'hello@bowerbirdacademy.example' };
const stamp = new Date('2025-09-08T00:00:00Z');
const day = (date: string) => ({ start: new Date(`${date}T23:00:00Z`), end: new Date(`${date}T23:30:00Z`) });
const long = 'Zertifizierung für Führungskräfte, 世界の情報セキュリティ, with a title longer than a line may be';

test('a file to subscribe to is whole, folds long lines by octets, and says how often to ask again', () => {
  const event = {
    uid: 'course-date-1@x',
    sequence: 7,
    stamp,
    status: 'TENTATIVE' as const,
    summary: long,
    description: `${long}; ${long}`,
    location: 'Sydney',
    url: 'https://academy.example/training-calendar/one',
    days: [day('2025-10-01'), day('2025-10-02')],
  };
  const text = calendarFile('Training', organizer, [event], { refreshMinutes: 360 });
  expect(calendarFaults(text)).toEqual([]);
  expect(valuesOf(text, 'REFRESH-INTERVAL')).toEqual(['PT6H']);
  expect(valuesOf(text, 'X-PUBLISHED-TTL')).toEqual(['PT6H']);
  expect(valuesOf(text, 'DTSTAMP')).toEqual(['20250908T000000Z', '20250908T000000Z']);
  expect(valuesOf(text, 'STATUS')).toEqual(['TENTATIVE', 'TENTATIVE']);
  expect(valuesOf(text, 'SUMMARY')[0]?.replaceAll('\\', '')).toBe(long);
  expect(calendarFile('Training', organizer, [event], { refreshMinutes: 360 })).toBe(text);
});

test.each(['REQUEST', 'CANCEL', 'PUBLISH'] as const)('parts of mails with the method %s are whole', (method) => {
  const own = {
    uid: 'place-1@x',
    sequence: 2,
    status: 'TENTATIVE' as const,
    summary: long,
    description: long,
    organizer,
    attendee: 'ada@example.com',
  };
  const days = [day('2025-10-03'), day('2025-10-04')];
  for (const text of [
    appointmentFile(method, stamp, { ...own, ...day('2025-10-01') }),
    dailyAppointmentFile(method, stamp, { ...own, location: 'Online', days }),
  ]) {
    expect(calendarFaults(text)).toEqual([]);
    expect(valuesOf(text, 'STATUS')[0]).toBe(method === 'CANCEL' ? 'CANCELLED' : 'TENTATIVE');
  }
});
