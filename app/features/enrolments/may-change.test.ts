import { expect, test } from 'vitest';
import type { Place, PlaceCourseDate } from './enrolment.ts';
import { chooseUntil, mayCancel, mayGiveAway, mayMove, openChoice } from './may-change.ts';

const day = (november: number) => `2025-11-${String(november).padStart(2, '0')}`;
/** A place on a date from 3 to 7 November; only what the rules ask for. */
const onDate = (state: PlaceCourseDate['state'] = 'confirmed', more: Partial<Place> = {}) =>
  ({
    ...{
      way: 'date',
      state: 'active',
      guidedFrom: null,
      modules: [],
      moveCap: null,
      chooseBy: null,
      chooseWhy: null,
    },
    courseDate: { state, startsOn: day(3), endsOn: day(7), privateSold: null },
    ...more,
  }) as Place;
/** Guided study of two modules from Monday 3 November; access ends with 2 November 2026. */
const guided = (opened = 0) =>
  ({
    ...onDate(),
    ...{ way: 'guided', courseDate: null, guidedFrom: day(3) },
    modules: [1, 2].map((number) => ({
      number,
      title: '',
      topics: [],
      openedAt: number <= opened ? new Date() : null,
    })),
  }) as Place;
const listed = { ...onDate(), way: 'next-date', courseDate: null } as Place;
const changed = onDate('confirmed', { chooseBy: day(10), chooseWhy: 'course-date-moved' });
const [course, combo] = [{ comboId: null }, { comboId: 1 }];

test('P100: a buyer may cancel until the first day', () => {
  expect(mayCancel(course, onDate(), 'buyer', day(2))).toBe('yes');
  expect(mayCancel(course, onDate(), 'buyer', day(3))).toBe('begun');
  expect(mayCancel(course, listed, 'buyer', day(3))).toBe('yes');
  expect(mayCancel(course, onDate('confirmed', { state: 'cancelled' }), 'buyer', day(2))).toBe('cancelled');
});

test('P39, P100: a date that was never confirmed, or that we changed, may be cancelled after its first day too', () => {
  expect(mayCancel(course, onDate('tentative'), 'buyer', day(10))).toBe('yes');
  expect(mayCancel(course, changed, 'buyer', day(5))).toBe('yes');
});

test('P99, P100: guided study may be cancelled until access is over, in a combo until it begins', () => {
  expect([2, 3].map((at) => mayCancel(combo, guided(), 'buyer', day(at)))).toEqual(['yes', 'begun']);
  expect(mayCancel(combo, guided(1), 'buyer', day(2))).toBe('begun');
  expect(mayCancel(course, guided(2), 'buyer', '2026-11-02')).toBe('yes');
  expect(mayCancel(course, guided(), 'buyer', '2026-11-03')).toBe('over');
});

test('P100: staff may cancel anything that is not cancelled', () => {
  expect(mayCancel(combo, onDate(), 'staff', day(20))).toBe('yes');
  expect(mayCancel(course, { ...guided(), state: 'completed' }, 'staff', '2027-01-01')).toBe('yes');
  expect(mayCancel(course, onDate('confirmed', { state: 'cancelled' }), 'staff', day(2))).toBe('cancelled');
});

test('P100: a buyer may move a place once before the first day; one that we changed, and staff, at any time', () => {
  expect([2, 3].map((at) => mayMove(onDate(), 'buyer', day(at)))).toEqual(['yes', 'begun']);
  expect(mayMove(onDate('confirmed', { moveCap: 100 }), 'buyer', day(2))).toBe('moved-before');
  expect(mayMove({ ...changed, moveCap: 50 }, 'buyer', day(5))).toBe('yes');
  expect(mayMove(onDate('confirmed', { moveCap: 50 }), 'staff', day(5))).toBe('yes');
  expect([guided(), listed].map((place) => mayMove(place, 'buyer', day(2)))).toEqual(['no-date', 'no-date']);
});

test('P100: a place may be given away until its first day, guided study until its first module', () => {
  expect([2, 3].map((at) => mayGiveAway(onDate(), day(at)))).toEqual(['yes', 'begun']);
  expect([mayGiveAway(guided(), day(20)), mayGiveAway(guided(1), day(2))]).toEqual(['yes', 'begun']);
  expect(mayGiveAway(listed, day(20))).toBe('yes');
  expect(mayGiveAway({ ...guided(), state: 'completed' }, '2027-01-01')).toBe('over');
});

test('P100: a choice ends after 14 days or on the eve of the first day, whichever is earlier; of one that has begun after 14 days', () => {
  expect(chooseUntil('2025-10-01', day(3))).toBe('2025-10-15');
  expect(chooseUntil('2025-10-20', day(3))).toBe(day(2));
  expect(chooseUntil(day(2), day(3))).toBe(day(2));
  expect(chooseUntil(day(3), day(3))).toBe(day(17));
});

test('P100: after its last day nothing is to choose about a date that takes place', () => {
  const asked = (state: 'confirmed' | 'cancelled') =>
    onDate(state, {
      chooseBy: day(2),
      chooseWhy: state === 'cancelled' ? 'course-date-cancelled' : 'course-date-moved',
    });
  expect(openChoice(asked('confirmed'), day(2))).toEqual({ by: day(2), why: 'course-date-moved' });
  expect(openChoice(asked('confirmed'), day(3))).toBeNull();
  expect(openChoice(asked('cancelled'), day(3))).toEqual({ by: day(2), why: 'course-date-cancelled' });
  expect(openChoice({ ...asked('confirmed'), state: 'cancelled' }, day(1))).toBeNull();
});
