import { expect, test } from 'vitest';
import type { Place, PlaceSession } from '#app/features/enrolments/enrolment.ts';
import { isCancellable, isToCome } from './place-groups.ts';

/** A place in a session from 3 to 7 November; only what the rules ask for. */
const placeIn = (state: PlaceSession['state']) =>
  ({ state: 'active', guidedFrom: null, session: { state, startsOn: '2025-11-03', endsOn: '2025-11-07' } }) as Place;

test('P40: a place can be given up until its date is over', () => {
  expect(isCancellable(placeIn('confirmed'), '2025-11-07')).toBe(true);
  expect(isCancellable(placeIn('confirmed'), '2025-11-08')).toBe(false);
});

test('P40: of a class that was cancelled while it ran the buyer has the refund to choose after its last day too', () => {
  expect(isCancellable(placeIn('cancelled'), '2025-11-10')).toBe(true);
});

test('P39: of a date that was held without being confirmed cancelling stays free', () => {
  expect(isCancellable(placeIn('tentative'), '2025-11-10')).toBe(true);
});

test('P15: a past or cancelled date has no calendar entry', () => {
  expect(isToCome(placeIn('confirmed'), '2025-11-07')).toBe(true);
  expect(isToCome(placeIn('confirmed'), '2025-11-08')).toBe(false);
  expect(isToCome(placeIn('cancelled'), '2025-11-03')).toBe(false);
});
