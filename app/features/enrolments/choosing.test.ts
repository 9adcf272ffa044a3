import { expect, test } from 'vitest';
import { chooseUntil, openChoice } from './choosing.ts';
import type { Place } from './enrolment.ts';

test('P40: a choice ends after 14 days or on the eve of the first day, whichever is earlier; of one that has begun after 14 days', () => {
  expect(chooseUntil('2025-10-01', '2025-11-03')).toBe('2025-10-15');
  expect(chooseUntil('2025-10-20', '2025-11-03')).toBe('2025-11-02');
  expect(chooseUntil('2025-11-02', '2025-11-03')).toBe('2025-11-02');
  expect(chooseUntil('2025-11-03', '2025-11-03')).toBe('2025-11-17');
  expect(chooseUntil('2025-11-05', '2025-11-03')).toBe('2025-11-19');
});

test('P40: after its last day nothing is to choose about a date that takes place', () => {
  const place = (state: 'confirmed' | 'cancelled'): Pick<Place, 'state' | 'session' | 'chooseBy' | 'chooseWhy'> => ({
    state: 'active',
    chooseBy: '2025-11-02',
    chooseWhy: state === 'cancelled' ? 'session-cancelled' : 'session-moved',
    session: {
      id: 1,
      slug: 'one',
      state,
      startsOn: '2025-11-03',
      endsOn: '2025-11-07',
      startsAt: '09:00',
      endsAt: '17:00',
      zone: 'Australia/Brisbane',
      delivery: 'online',
      venue: null,
      room: null,
      street: null,
      joiningLink: null,
      instructor: 'Mara Quill',
      minimum: 1,
      decidedBy: null,
      confirmedOn: null,
    },
  });
  expect(openChoice(place('confirmed'), '2025-11-02')).toEqual({ by: '2025-11-02', why: 'session-moved' });
  expect(openChoice(place('confirmed'), '2025-11-03')).toBeNull();
  expect(openChoice(place('cancelled'), '2025-11-03')).toEqual({ by: '2025-11-02', why: 'session-cancelled' });
  expect(openChoice({ ...place('confirmed'), state: 'cancelled' }, '2025-11-01')).toBeNull();
});
