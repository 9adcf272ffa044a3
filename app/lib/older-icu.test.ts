import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// What WebKitGTK with ICU 72 writes for a day, as Chrome 111 and Safari 16.4 did; the server's ICU 78 has no comma there.
const older = 'Monday, 15 September 2025';

beforeAll(() => {
  class DateTimeFormat {
    format = () => older;
  }
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat, NumberFormat: DateTimeFormat });
  for (const kind of [Date, Number] as const) vi.spyOn(kind.prototype, 'toLocaleString').mockReturnValue(older);
  vi.spyOn(Date.prototype, 'toLocaleDateString').mockReturnValue(older);
  vi.spyOn(Date.prototype, 'toLocaleTimeString').mockReturnValue(older);
  vi.resetModules();
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
});

test('dates, times and amounts of pages read the same where Intl writes otherwise', async () => {
  const dates = await import('./dates.ts');
  const short = await import('./short-dates.ts');
  const money = await import('./money.ts');
  const clock = await import('./wall-clock.ts');
  expect([
    dates.formatDay('2025-09-15'),
    dates.formatDays('2025-09-29', '2025-10-03'),
    dates.formatDayAndMonth('2025-09-15'),
    dates.formatMonth('2025-09'),
    dates.shortWeekday('2025-09-15'),
    dates.shortMonth('2025-09-15'),
    short.formatMoment(new Date('2025-09-07T23:00:00Z')),
    clock.formatTime('09:00'),
    clock.formatTime('17:30'),
    money.formatMoney(219950),
    money.formatCount(485234),
  ]).toEqual([
    'Monday 15 September 2025',
    '29 September to 3 October 2025',
    '15 September',
    'September 2025',
    'Mon',
    'Sept',
    '8 Sept 2025, 9:00 AM',
    '9:00 AM',
    '5:30 PM',
    'AU$2,199.50',
    '485,234',
  ]);
});
