import { expect, test } from 'vitest';
import { lastDayFrom, mayBe, type OfferAct, type OfferState, offerFile, offerName, stateOn } from './rules.ts';

test('P111: an offer is open on its last day and over on the next', () => {
  const sent = { state: 'sent', lastDay: '2025-09-22' } as const;
  expect(stateOn(sent, '2025-09-22')).toBe('sent');
  expect(stateOn(sent, '2025-09-23')).toBe('over');
  expect(stateOn({ ...sent, state: 'accepted' }, '2025-09-23')).toBe('accepted');
});

test('P111: a sent offer is never changed, only answered or followed by a new version', () => {
  const acts: OfferAct[] = ['change', 'delete', 'send', 'new-version', 'accept', 'decline'];
  const of = (state: OfferState) => acts.filter((act) => mayBe(state, act));
  expect(of('draft')).toEqual(['change', 'delete', 'send']);
  expect(of('sent')).toEqual(['new-version', 'accept', 'decline']);
  expect(of('declined')).toEqual(['new-version']);
  expect(of('over')).toEqual(['new-version']);
  expect([...of('accepted'), ...of('replaced')]).toEqual([]);
});

test('P111: an offer ends after 14 days, or with enrolment for the first of its dates', () => {
  expect(lastDayFrom('2025-09-08', [])).toBe('2025-09-22');
  expect(lastDayFrom('2025-09-08', ['2025-10-30', '2025-09-14'])).toBe('2025-09-14');
});

test('P111: a version is named from the second on', () => {
  expect([offerName(42, 1), offerName(42, 2)]).toEqual(['OFF-00042', 'OFF-00042, version 2']);
  expect([offerFile(42, 1), offerFile(42, 2)]).toEqual(['OFF-00042.pdf', 'OFF-00042-2.pdf']);
});
