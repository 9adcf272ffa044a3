import { expect, test } from 'vitest';
import type { Place, PlaceCourseDate } from '#app/features/enrolments/enrolment.ts';
import { isToCome } from './place-groups.ts';

/** A place in a course date from 3 to 7 November; only what the rule asks for. */
const placeIn = (state: PlaceCourseDate['state']) =>
  ({ courseDate: { state, startsOn: '2025-11-03', endsOn: '2025-11-07' } }) as Place;

test('P15: a past or cancelled date has no calendar entry', () => {
  expect(isToCome(placeIn('confirmed'), '2025-11-07')).toBe(true);
  expect(isToCome(placeIn('confirmed'), '2025-11-08')).toBe(false);
  expect(isToCome(placeIn('cancelled'), '2025-11-03')).toBe(false);
});
