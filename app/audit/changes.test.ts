import { expect, test } from 'vitest';
import { changesBetween } from './changes.ts';

test('P69: only different fields are changes; a new record has no values before, a removed one none after', () => {
  const before = { day: '2025-09-15', seats: 12, venue: 'Sydney', decidedBy: null };
  expect(changesBetween(before, { day: '2025-09-22', seats: 12, venue: null, decidedBy: null })).toEqual([
    { field: 'day', before: '2025-09-15', after: '2025-09-22' },
    { field: 'venue', before: 'Sydney', after: null },
  ]);
  expect(changesBetween(before, before)).toEqual([]);
  expect(changesBetween({}, { cents: 0, venue: null, told: false })).toEqual([
    { field: 'cents', before: null, after: 0 },
    { field: 'told', before: null, after: false },
  ]);
  expect(changesBetween({ cents: 0 }, {})).toEqual([{ field: 'cents', before: 0, after: null }]);
});
