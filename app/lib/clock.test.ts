import { expect, test } from 'vitest';
import { academyToday, openClock, trueTime } from './clock.ts';

/** A clock by which tests set the true time; `at` is UTC. */
function world(at: string) {
  let now = new Date(at);
  return {
    trueNow: () => now,
    set(next: string) {
      now = new Date(next);
    },
  };
}

test('without TODAY the clock shows the true time', () => {
  const { trueNow } = world('2026-11-22T09:41:00Z');
  expect(openClock(undefined, trueNow).now().toISOString()).toBe('2026-11-22T09:41:00.000Z');
});

test('TODAY shifts the clock by whole days, and it runs on past midnight', () => {
  // In Brisbane it is already the 23rd.
  const { trueNow, set } = world('2026-11-22T15:41:10.250Z');
  const clock = openClock('2025-09-08', trueNow);
  expect([clock.now().toISOString(), academyToday(clock)]).toEqual(['2025-09-07T15:41:10.250Z', '2025-09-08']);
  set('2026-11-23T14:00:00Z');
  expect([clock.now().toISOString(), academyToday(clock)]).toEqual(['2025-09-08T14:00:00.000Z', '2025-09-09']);
});

test('two programs with one TODAY show the same time, and one started again later that day does not go back', () => {
  const { trueNow, set } = world('2026-11-21T21:00:00Z');
  const first = openClock('2099-12-31', trueNow);
  set('2026-11-22T13:59:59Z');
  const second = openClock('2099-12-31', trueNow);
  expect(second.now()).toEqual(first.now());
  expect(second.now().toISOString()).toBe('2099-12-31T13:59:59.000Z');
});

test('TODAY with a time starts there in Brisbane and runs on', () => {
  const { trueNow, set } = world('2026-11-22T09:41:00Z');
  const clock = openClock('2025-09-08T09:00', trueNow);
  expect(clock.now().toISOString()).toBe('2025-09-07T23:00:00.000Z');
  set('2026-11-22T10:11:00Z');
  expect(clock.now().toISOString()).toBe('2025-09-07T23:30:00.000Z');
});

test.each([undefined, '2025-09-08', '2025-09-08T09:00'])('the true time is told whatever TODAY says: %s', (today) => {
  const { trueNow, set } = world('2026-11-22T09:41:00Z');
  const clock = openClock(today, trueNow);
  set('2026-11-22T12:00:00Z');
  expect(trueTime(clock)).toEqual(new Date('2026-11-22T12:00:00Z'));
});
