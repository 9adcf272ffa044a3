import { expect, test } from 'vitest';
import { courseDateWhen } from './words.ts';

test('P14: mails name no zone that is untrue of some days of a course date', () => {
  const times = { startsAt: '09:00', endsAt: '17:00', zone: 'Australia/Melbourne' };
  expect(courseDateWhen({ startsOn: '2025-10-02', endsOn: '2025-10-08', ...times })).toBe(
    '2 to 8 October 2025, 9:00 AM to 5:00 PM Melbourne time each day',
  );
  expect(courseDateWhen({ startsOn: '2025-10-06', endsOn: '2025-10-06', ...times })).toBe(
    '6 October 2025, 9:00 AM to 5:00 PM AEDT',
  );
});
