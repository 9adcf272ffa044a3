import { expect, test } from 'vitest';
import { lookAgain } from './look-again.ts';

const course = (until: string) => ({ title: 'Privacy', facts: [{ text: 'law as at November 2026', until }] });
const holidays = [{ days: ['2027-01-01', '2029-01-01'] }];
const exam = (checked?: string, status: 'current' | 'retired' = 'current') => ({
  code: 'X-1',
  status,
  ...(checked ? { checked } : {}),
});

test('words hold on their last day and no longer', () => {
  const on = (today: string) => lookAgain({ courses: [course('2027-05-31')], exams: [], holidays }, today);
  expect(on('2027-05-31')).toEqual([]);
  expect(on('2027-06-01')).toEqual([{ where: 'Privacy', text: '"law as at November 2026" held until 31 May 2027' }]);
});

test('exams are checked once a year, unless they are retired or were never found', () => {
  const exams = [exam('2026-11-21'), exam(), exam('2020-01-01', 'retired')];
  expect(lookAgain({ courses: [], exams, holidays }, '2027-11-21')).toEqual([]);
  expect(lookAgain({ courses: [], exams, holidays }, '2027-11-22')).toEqual([
    { where: 'exams.yaml', text: 'X-1 was last checked on 21 November 2026' },
  ]);
});

test('public holidays are known for a year ahead', () => {
  expect(lookAgain({ courses: [], exams: [], holidays }, '2028-01-02')).toEqual([]);
  expect(lookAgain({ courses: [], exams: [], holidays }, '2028-01-03')).toEqual([
    { where: 'holidays.yaml', text: 'the last public holiday is 1 January 2029' },
  ]);
  expect(lookAgain({ courses: [], exams: [], holidays: [] }, '2028-01-01')).toHaveLength(1);
});
