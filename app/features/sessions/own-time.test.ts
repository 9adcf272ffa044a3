import { afterEach, expect, test, vi } from 'vitest';
import { instantOf } from '#app/lib/wall-clock.ts';
import { ownTime } from './own-time.tsx';

afterEach(() => vi.unstubAllEnvs());

/** What a visitor of a zone reads beside a session of Brisbane that begins on 15 September 2025. */
function readIn(zone: string, startTime: string, endTime: string): string {
  vi.stubEnv('TZ', zone);
  const [start, end] = [startTime, endTime].map((time) =>
    instantOf('2025-09-15', time, 'Australia/Brisbane').getTime(),
  );
  return ownTime(`2025-09-15T${startTime}`, start, end);
}

test.each([
  ['Asia/Tokyo', '09:00', '17:00', ' (8:00 AM to 4:00 PM where you are)'],
  ['Europe/London', '09:00', '17:00', ' (12:00 AM to 8:00 AM where you are)'],
  ['Europe/London', '08:30', '17:00', ' (Sun 11:30 PM to Mon 8:00 AM where you are)'],
  ['Asia/Kathmandu', '09:00', '17:00', ' (4:45 AM to 12:45 PM where you are)'],
  ['Pacific/Auckland', '16:00', '22:30', ' (Mon 6:00 PM to Tue 12:30 AM where you are)'],
  ['Australia/Sydney', '09:00', '17:00', ''],
])('P14: in %s a session from %s to %s is%s', (zone, from, to, text) => {
  expect(readIn(zone, from, to)).toBe(text);
});

test('it can run as text in a page: it uses nothing from outside itself', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const alone = new Function(`return ${ownTime}`)() as typeof ownTime;
  expect(alone('2025-09-15T09:00', Date.UTC(2025, 8, 14, 23), Date.UTC(2025, 8, 15, 7))).toBe(
    ' (8:00 AM to 4:00 PM where you are)',
  );
});
