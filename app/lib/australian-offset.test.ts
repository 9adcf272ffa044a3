import { expect, test } from 'vitest';
import { australianOffset } from './wall-clock.ts';

const hour = 3_600_000;

test.each(['Adelaide', 'Brisbane', 'Canberra', 'Darwin', 'Hobart', 'Melbourne', 'Perth', 'Sydney'])(
  'P14: the clocks of %s are ahead of UTC as the time zone database says, in every hour in which they may change',
  (place) => {
    const timeZone = `Australia/${place}`;
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const wrong: string[] = [];
    for (let year = 2009; year <= 2040; year++) {
      // The first eight days of April and October, and one day in between.
      for (const [month, days] of [
        [3, 8],
        [6, 1],
        [9, 8],
        [11, 1],
      ] as const) {
        const from = Date.UTC(year, month, 1) - 14 * hour;
        for (let instant = from; instant < from + days * 24 * hour; instant += hour) {
          const [, hours = '0', minutes = '0'] = /GMT\+(\d+):(\d+)/.exec(format.format(instant)) ?? [];
          const wanted = Number(hours) * 60 + Number(minutes);
          if (australianOffset(timeZone, instant) !== wanted) wrong.push(new Date(instant).toISOString());
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);

test('nothing is said of zones and years that follow other rules', () => {
  expect(australianOffset('Pacific/Auckland', Date.UTC(2026, 0, 1))).toBeUndefined();
  expect(australianOffset('Australia/Lord_Howe', Date.UTC(2026, 0, 1))).toBeUndefined();
  expect(australianOffset('Australia/Perth', Date.UTC(2008, 0, 1))).toBeUndefined();
});
