import { expect, test } from 'vitest';
import { localTimes } from './shown.server.ts';

const zones = ['Australia/Sydney', 'Australia/Brisbane', 'Australia/Melbourne', 'Australia/Sydney'];

test('in summer the south is an hour ahead of Brisbane, in winter all clocks show the same', () => {
  expect(localTimes(zones, new Date('2026-11-30T08:42:00+10:00'))).toBe(
    '8:42 AM in Brisbane, 9:42 AM in Sydney and Melbourne',
  );
  expect(localTimes(zones, new Date('2026-07-01T12:00:00+10:00'))).toBe('12:00 PM in Brisbane, Sydney and Melbourne');
  expect(localTimes([], new Date('2026-07-01T00:05:00+10:00'))).toBe('12:05 AM in Brisbane');
});
