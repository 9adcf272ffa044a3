import { expect, test } from 'vitest';
import { agreementOn, ladderOn } from './agreement.ts';

const numbers = { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: true, capsResale: true };

test('P40: an enrolment gets the last ladder that is in force on its day', () => {
  const ladders = [
    { ...numbers, id: 1, from: null },
    { ...numbers, id: 2, from: null },
    { ...numbers, id: 4, from: '2027-01-01' },
    { ...numbers, id: 3, from: '2027-03-01' },
  ];
  const days = ['2026-12-31', '2027-01-01', '2027-02-28', '2027-03-01'];
  expect(days.map((day) => ladderOn(ladders, day).id)).toEqual([2, 4, 4, 3]);
  expect(() => ladderOn([{ ...numbers, id: 4, from: '2027-01-01' }], '2026-12-31')).toThrow('no refund ladder');
});

test('P28: nobody agrees to terms that are not stored', () => {
  const ladders = [{ ...numbers, id: 1, from: null }];
  expect(() => agreementOn({ termsId: null, ladders }, '2026-12-31')).toThrow('no text of /terms');
});
