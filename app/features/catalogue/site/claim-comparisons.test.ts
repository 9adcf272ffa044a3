import { expect, test } from 'vitest';
import { comparisons } from '#app/features/content/site-schemas.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { isContradicted, type OwnFigures, ownRecord } from './claim-comparisons.ts';

const own: OwnFigures = {
  courses: 164,
  certifications: 12,
  instructors: 16,
  learners: 1_234_567,
  passRates: [94, 65, 80],
  ratings: [4.6, 5, 4.8],
};

test('each comparison is a sentence with the figure counted', () => {
  expect(comparisons.map((compare) => ownRecord(compare, own))).toEqual([
    'The catalogue holds 164 courses.',
    'The site has pages for 12 certifications.',
    'The site names 16 instructors.',
    'The courses count 1,234,567 learners in all; someone who took two counts twice.',
    'The pass rates shown for single certifications run from 65% to 94%.',
    'The ratings shown for single courses run from 4.6 to 5.0.',
    'Staff answer Mon-Fri from 9:00 AM to 6:00 PM and Sat from 10:00 AM to 4:00 PM, Brisbane time; the site itself is open at any hour.',
  ]);
});

test('the claims that the site’s own records contradict say so', async () => {
  const { claims } = await readAcademy();
  const silent = claims.filter(({ compare, beside, ownRecords }) => !compare && !beside && !ownRecords);
  expect(silent).toEqual([]);
});

test('P106: a figure above the count of our own records is contradicted, and so is support at every hour', () => {
  expect(isContradicted({ value: '250+', compare: 'courses' }, own)).toBe(true);
  expect(isContradicted({ value: '164+', compare: 'courses' }, own)).toBe(false);
  expect(isContradicted({ value: '24/7', compare: 'office-hours' }, own)).toBe(true);
  // A rate is of other things than those that we count.
  expect(isContradicted({ value: '97%', compare: 'pass-rates' }, own)).toBe(false);
});

test('claims that give different figures for one thing name each other', async () => {
  const { claims } = await readAcademy();
  const beside = (id: string) => claims.find((claim) => claim.id === id)?.beside ?? [];
  for (const { id } of claims) {
    for (const other of beside(id)) expect(beside(other), other).toContain(id);
  }
});
