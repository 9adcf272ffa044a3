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
  ['Asia/Tokyo', '09:00', '17:00', ' (8:00\u00a0AM to 4:00\u00a0PM where you are)'],
  ['Europe/London', '09:00', '17:00', ' (12:00\u00a0AM to 8:00\u00a0AM where you are)'],
  ['Europe/London', '08:30', '17:00', ' (Sun\u00a011:30\u00a0PM to Mon\u00a08:00\u00a0AM where you are)'],
  ['Asia/Kathmandu', '09:00', '17:00', ' (4:45\u00a0AM to 12:45\u00a0PM where you are)'],
  ['Pacific/Auckland', '16:00', '22:30', ' (Mon\u00a06:00\u00a0PM to Tue\u00a012:30\u00a0AM where you are)'],
  ['Australia/Sydney', '09:00', '17:00', ''],
])('P14: in %s a session from %s to %s is%s', (zone, from, to, text) => {
  expect(readIn(zone, from, to)).toBe(text);
});

test('it can run as text in a page: it uses nothing from outside itself', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const alone = new Function(`return ${ownTime}`)() as typeof ownTime;
  expect(alone('2025-09-15T09:00', Date.UTC(2025, 8, 14, 23), Date.UTC(2025, 8, 15, 7))).toBe(
    ' (8:00\u00a0AM to 4:00\u00a0PM where you are)',
  );
});
