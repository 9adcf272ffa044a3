import { expect, test } from 'vitest';
import { remarkOf, weeksOf } from './weeks.server.ts';

const date = {
  ...{ state: 'confirmed', decided_by: null, lacks_people: false, left: 6, waiting: 0 },
};
const today = '2026-11-30';

test.each([
  ['Confirmed', false, {}],
  ['Decide today', true, { state: 'tentative', decided_by: '2026-11-30' }],
  ['Decide: 5 days late', true, { state: 'tentative', decided_by: '2026-11-25' }],
  ['Decide Fri 4 Dec', false, { state: 'tentative', decided_by: '2026-12-04', waiting: 2 }],
  ['Below minimum', true, { lacks_people: true }],
  ['Full, 4 waiting', false, { left: 0, waiting: 4 }],
  ['Full', false, { left: 0 }],
  ['3 waiting', false, { waiting: 3 }],
])('%s', (text, late, change) => {
  expect(remarkOf({ ...date, ...change }, today)).toEqual({ text, late });
});

test('each of the weeks is there, with its dates and public holidays, also the one in which nothing starts', () => {
  const weeks = weeksOf([{ startsOn: '2026-12-07' }, { startsOn: '2026-12-09' }, { startsOn: '2027-01-04' }], {
    ...{ today, last: '2027-01-11' },
    holidays: [
      { name: 'Boxing Day', day: '2026-12-26' },
      { name: 'Christmas Day', day: '2026-12-25' },
      { name: 'King’s Birthday', day: '2026-10-05' },
    ],
  });
  expect(weeks.map(({ label, dates, closed }) => [label, dates.length, closed])).toEqual([
    ['30 Nov', 0, []],
    ['7 Dec', 2, []],
    ['14 Dec', 0, []],
    ['21 Dec', 0, ['Fri 25 Dec: Christmas Day', 'Sat 26 Dec: Boxing Day']],
    ['28 Dec', 0, []],
    ['4 Jan', 1, []],
    ['11 Jan', 0, []],
  ]);
});

test('a week with more dates than are shown says so, and takes nothing from the weeks after it', () => {
  const many = (count: number, startsOn: string) => Array.from({ length: count }, () => ({ startsOn }));
  const of = (...dates: { startsOn: string }[]) =>
    weeksOf(dates, { today, last: '2026-12-20', holidays: [] }).map(({ dates: shown, cut }) => [shown.length, cut]);
  expect(of(...many(13, '2026-12-01'), ...many(12, '2026-12-07'), ...many(1, '2026-12-14'))).toEqual([
    [12, true],
    [12, false],
    [1, false],
  ]);
  // A large academy: of each week fewer, so that the page stays one to look over.
  expect(of(...many(30, '2026-12-01'), ...many(6, '2026-12-07'), ...many(25, '2026-12-14'))).toEqual([
    [6, true],
    [6, false],
    [6, true],
  ]);
});

test('on a Sunday the first week is the next one', () => {
  expect(weeksOf([], { today: '2026-12-06', last: '2026-12-20', holidays: [] }).map(({ label }) => label)).toEqual([
    '7 Dec',
    '14 Dec',
  ]);
});
