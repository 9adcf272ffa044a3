import { expect, test } from 'vitest';
import { calendarLinks } from './calendar-links.ts';

const day = (date: string) => ({ start: new Date(`${date}T23:00:00Z`), end: new Date(`${date}T23:30:00Z`) });
const asked = (address = '') => Object.fromEntries(new URL(address).searchParams);

test('an entry of three days repeats daily in Google, and is one of whole days in Outlook', () => {
  const links = calendarLinks({
    title: 'A & B',
    where: 'Online',
    days: ['2026-12-06', '2026-12-07', '2026-12-08'].map(day),
  });
  expect(asked(links?.google)).toMatchObject({
    text: 'A & B',
    dates: '20261206T230000Z/20261206T233000Z',
    recur: 'RRULE:FREQ=DAILY;COUNT=3',
  });
  expect(asked(links?.outlook)).toMatchObject({ enddt: '2026-12-08T23:30:00.000Z', allday: 'true' });
});

test('an entry of one hour is that hour in both', () => {
  const links = calendarLinks({ title: 'Talk', where: 'Online', days: [day('2026-12-06')] });
  expect(asked(links?.google)).not.toHaveProperty('recur');
  expect(asked(links?.outlook)).not.toHaveProperty('allday');
});
