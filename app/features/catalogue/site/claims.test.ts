import { expect, test } from 'vitest';
import { claimNote, claimsWithRecords, shownClaims } from './claims.ts';

const own = {
  courses: 164,
  certifications: 12,
  instructors: 16,
  learners: 900,
  passRates: [65, 94],
  ratings: [4.6, 5],
};
const figure = { source: 'academy brief, 2025', asOf: '2025' };
const claims = [
  { ...figure, id: 'offered', value: '250+', wording: 'courses', compare: 'courses' as const },
  { ...figure, id: 'trained', value: '485,234', wording: 'students trained', asOf: '2025-09', beside: ['learners'] },
  { ...figure, id: 'learners', value: '83,145+', wording: 'learners', asOf: '2025-09-08' },
];

test('P6: a figure carries its source and its date in words', () => {
  expect(shownClaims(claims).map(claimNote)).toEqual([
    'Source: academy brief, 2025. As of 2025.',
    'Source: academy brief, 2025. As of September 2025.',
    'Source: academy brief, 2025. As of Monday 8 September 2025.',
  ]);
});

test('the register says what the site’s own records and its other figures say', () => {
  expect(claimsWithRecords(claims, own).map(({ id, records }) => [id, records])).toEqual([
    ['offered', ['The catalogue holds 164 courses.']],
    ['trained', ['Elsewhere the site says 83,145+ learners.']],
    ['learners', []],
  ]);
});

test('P106: a hidden figure is in no list, and no other figure names it', () => {
  const hidden = claims.map((claim) => (claim.id === 'learners' ? { ...claim, hidden: true } : claim));
  expect(claimsWithRecords(hidden, own).map(({ id, records }) => [id, records])).toEqual([
    ['offered', ['The catalogue holds 164 courses.']],
    ['trained', []],
  ]);
});
