import { expect, test } from 'vitest';
import { instantOf } from '#app/lib/wall-clock.ts';
import { acceptedEnd, offerEnd } from './offer-end.server.ts';

const inBrisbane = (day: string, time: string) => instantOf(day, time, 'Australia/Brisbane');
/** Enrolment ends with 30 October. */
const courseDate = { enrolmentEndsOn: '2025-10-30', startsOn: '2025-11-03' };

test('P48: an offer lasts 72 hours from when its mail was taken, at most to the end of enrolment', () => {
  expect(offerEnd(inBrisbane('2025-10-20', '09:00'), courseDate)).toEqual(inBrisbane('2025-10-23', '09:00'));
  expect(offerEnd(inBrisbane('2025-10-30', '09:00'), courseDate)).toEqual(inBrisbane('2025-10-31', '00:00'));
});

test('P48: enrolment of a date that lasts beyond its first day ends with the first day', () => {
  const late = { enrolmentEndsOn: '2025-11-07', startsOn: '2025-11-03' };
  expect(offerEnd(inBrisbane('2025-11-03', '09:00'), late)).toEqual(inBrisbane('2025-11-04', '00:00'));
});

test.each([
  ['early, they are kept to the end of the offer', '08:00', '09:00', '09:00'],
  ['in the last minute, they are kept for 15 minutes', '08:59', '09:00', '09:14'],
  ['ten minutes before enrolment ends, they are kept for ten minutes', '23:50', '23:55', '24:00'],
])('P48: accepted %s', (_, acceptedAt, until, kept) => {
  const day = '2025-10-30';
  const end = kept === '24:00' ? inBrisbane('2025-10-31', '00:00') : inBrisbane(day, kept);
  expect(acceptedEnd(inBrisbane(day, until), inBrisbane(day, acceptedAt), courseDate)).toEqual(end);
});
