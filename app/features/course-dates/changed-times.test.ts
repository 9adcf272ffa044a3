import { expect, test } from 'vitest';
import { type CourseDateTimes, changeOfTimes } from './changed-times.ts';

const before: CourseDateTimes = {
  startDate: '2025-11-03',
  endDate: '2025-11-07',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 60,
  delivery: 'in-person',
  venue: 'Sydney',
  instructor: 'mara',
  enrolmentEnds: '2025-10-31',
  decidedBy: '2025-10-20',
};

test('P40: only another day, place or way to attend asks the buyers', () => {
  const change = (parts: Partial<CourseDateTimes>) => changeOfTimes(before, { ...before, ...parts });
  expect(change({})).toBe('nothing');
  expect(change({ startDate: '2025-11-04' })).toBe('asks');
  expect(change({ endDate: '2025-11-06' })).toBe('asks');
  expect(change({ venue: 'Brisbane' })).toBe('asks');
  expect(change({ delivery: 'both' })).toBe('asks');
  expect(change({ delivery: 'online', venue: null })).toBe('asks');
  expect(change({ startTime: '09:30' })).toBe('tells');
  expect(change({ endTime: '16:30' })).toBe('tells');
  expect(change({ breakMinutes: 30 })).toBe('tells');
  expect(change({ instructor: 'lena' })).toBe('tells');
  expect(change({ instructor: 'lena', venue: 'Brisbane' })).toBe('asks');
  expect(change({ enrolmentEnds: '2025-10-30' })).toBe('deadlines');
  expect(change({ decidedBy: '2025-10-19' })).toBe('deadlines');
  expect(change({ decidedBy: null, startTime: '10:00' })).toBe('tells');
});
