import { expect, test } from 'vitest';
import {
  instantsOf,
  periodFault,
  periodIn,
  periodOfQuarter,
  periodText,
  quarterIn,
  quarterOf,
  quarterText,
  weekStart,
  weeksOf,
} from './period.ts';

const read = (query: string) => periodIn(new URLSearchParams(query), '2026-11-23');

test('P85: a period is whole days in Brisbane, half open, whatever clocks do elsewhere', () => {
  expect(read('from=2026-10-01&to=2026-12-31')).toEqual({ from: '2026-10-01', end: '2027-01-01' });
  // Sydney puts its clock forward on 4 October; Brisbane is ten hours ahead of UTC on both ends.
  expect(instantsOf({ from: '2026-10-01', end: '2027-01-01' })).toEqual({
    from: new Date('2026-09-30T14:00:00Z'),
    end: new Date('2026-12-31T14:00:00Z'),
  });
  expect(periodText({ from: '2026-10-01', end: '2027-01-01' })).toBe('1 October to 31 December 2026');
});

test('P85: an invalid period shows eleven whole weeks and the present one', () => {
  const usual = { from: '2026-09-07', end: '2026-11-24' };
  for (const query of [
    '',
    'from=2026-10-01',
    'from=2026-02-30&to=2026-03-01',
    'from=2026-10-02&to=2026-10-01',
    'from=1&to=2',
  ]) {
    expect(read(query)).toEqual(usual);
  }
  expect(read('from=2020-01-01&to=2026-01-01')).toEqual(usual);
});

test('P85: an invalid period says why other days are shown', () => {
  const fault = (query: string) => periodFault(new URLSearchParams(query));
  expect([fault(''), fault('from=2026-10-01&to=2026-10-01')]).toEqual([null, null]);
  expect(fault('from=2026-12-31&to=2026-01-01')).toBe('The last day is before the first.');
  expect(fault('from=2026-12-31')).toBe('Choose a first and a last day.');
  expect(fault('from=2020-01-01&to=2026-01-01')).toBe('Choose at most three years.');
});

test('P83: quarters begin in July, October, January and April', () => {
  expect(['2026-07-01', '2026-09-30', '2026-10-01', '2026-12-31', '2027-01-01', '2027-06-30'].map(quarterOf)).toEqual([
    '2026-07',
    '2026-07',
    '2026-10',
    '2026-10',
    '2027-01',
    '2027-04',
  ]);
  expect(quarterIn(new URLSearchParams(), '2026-11-23')).toBe('2026-07');
  expect(quarterIn(new URLSearchParams('quarter=2026-10'), '2026-11-23')).toBe('2026-10');
  expect(quarterIn(new URLSearchParams('quarter=2026-11'), '2026-11-23')).toBe('2026-07');
  expect(periodOfQuarter('2026-10')).toEqual({ from: '2026-10-01', end: '2027-01-01' });
  expect(quarterText('2026-10')).toBe('October to December 2026');
});

test('P85: the weeks of a period begin on Mondays, the first and last cut by it', () => {
  expect(weeksOf({ from: '2026-11-18', end: '2026-12-01' })).toEqual(['2026-11-16', '2026-11-23', '2026-11-30']);
  expect(weeksOf({ from: '2026-11-16', end: '2026-11-23' })).toEqual(['2026-11-16']);
  // A cut week is called by the first of its days.
  const cut = { from: '2026-11-18', end: '2026-12-01' };
  expect(weeksOf(cut).map((monday) => weekStart(monday, cut))).toEqual(['2026-11-18', '2026-11-23', '2026-11-30']);
});
