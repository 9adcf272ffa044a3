import { afterEach, expect, test, vi } from 'vitest';
import { ownTime } from './own-time.tsx';
import { type OwnTimes, ownTimesOf } from './own-times.ts';

afterEach(() => vi.unstubAllEnvs());

const days = {
  startDate: '2025-09-15',
  endDate: '2025-09-19',
  zone: 'Australia/Brisbane',
  delivery: 'both' as const,
};
const overTheChange = { startDate: '2025-10-02', endDate: '2025-10-08' };

/** What a visitor of a zone reads beside a course date. */
function readIn(zone: string, startTime: string, endTime: string, parts: Partial<typeof days> = {}): string {
  vi.stubEnv('TZ', zone);
  return ownTime(...online(ownTimesOf({ ...days, ...parts, startTime, endTime })));
}

function online(times: OwnTimes | null): OwnTimes {
  return times ?? expect.unreachable();
}

test('P14: who attends in a room is where it is, and reads no other time', () => {
  expect(ownTimesOf({ ...days, delivery: 'in-person', startTime: '09:00', endTime: '17:00' })).toBeNull();
});

test.each([
  ['Asia/Tokyo', '09:00', '17:00', ' (8:00\u00a0AM to 4:00\u00a0PM where you are)'],
  ['Europe/London', '09:00', '17:00', ' (12:00\u00a0AM to 8:00\u00a0AM where you are)'],
  ['Europe/London', '08:30', '17:00', ' (Sun\u00a011:30\u00a0PM to Mon\u00a08:00\u00a0AM where you are)'],
  ['Asia/Kathmandu', '09:00', '17:00', ' (4:45\u00a0AM to 12:45\u00a0PM where you are)'],
  ['Pacific/Auckland', '16:00', '22:30', ' (Mon\u00a06:00\u00a0PM to Tue\u00a012:30\u00a0AM where you are)'],
  ['Australia/Sydney', '09:00', '17:00', ''],
])('P14: in %s a course date from %s to %s is%s', (zone, from, to, text) => {
  expect(readIn(zone, from, to)).toBe(text);
});

test.each([
  ['Australia/Brisbane', 'Australia/Sydney', '9:00\u00a0AM to 5:00\u00a0PM', '8:00\u00a0AM to 4:00\u00a0PM'],
  ['Australia/Sydney', 'Australia/Brisbane', '9:00\u00a0AM to 5:00\u00a0PM', '10:00\u00a0AM to 6:00\u00a0PM'],
])(
  'P14: in %s both times of a course date in %s over the begin of summer time are told',
  (zone, there, first, last) => {
    const text = ` (${first} where you are, ${last} on the last day)`;
    expect(readIn(zone, '09:00', '17:00', { ...overTheChange, zone: there })).toBe(text);
  },
);

test('P14: where summer time begins for both, nothing differs', () => {
  expect(readIn('Australia/Melbourne', '09:00', '17:00', { ...overTheChange, zone: 'Australia/Sydney' })).toBe('');
});

test('it can run as text in a page: it uses nothing from outside itself', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const alone = new Function(`return ${ownTime}`)() as typeof ownTime;
  expect(alone(...online(ownTimesOf({ ...days, startTime: '09:00', endTime: '17:00' })))).toBe(
    ' (8:00\u00a0AM to 4:00\u00a0PM where you are)',
  );
});
