import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';
import { type BookingKind, bookingKindOf, bookingKinds } from './kinds.ts';
import {
  bookableDays,
  freeAdviser,
  freeStartsOn,
  isOffered,
  openSpans,
  spansOf,
  startsOn,
  type Taken,
} from './rules.ts';

const settings: BookingSettings = {
  advisers: 2,
  pause: 10,
  breaks: [{ from: '12:30', to: '13:00' }],
  lengths: { 'career-counseling': 30, 'virtual-tour': 20 },
  holidays: new Set(['2025-10-06']),
};
const at = (text: string) => new Date(`${text}:00+10:00`);
const times = (starts: Date[]) => starts.map((start) => wallClockAt(academyZone, start).time);

test('P20: times follow each other by length and pause, inside business hours and around breaks', () => {
  expect(times(startsOn('2025-09-08', 'career-counseling', settings)).join(' ')).toBe(
    '09:00 09:45 10:30 11:15 12:00 13:00 13:45 14:30 15:15 16:00 16:45 17:30',
  );
  expect(times(startsOn('2025-09-13', 'virtual-tour', settings)).join(' ')).toBe(
    '10:00 10:30 11:00 11:30 12:00 13:00 13:30 14:00 14:30 15:00 15:30',
  );
  expect(startsOn('2025-09-14', 'virtual-tour', settings)).toEqual([]);
  expect(startsOn('2025-10-06', 'virtual-tour', settings)).toEqual([]);
});

test('P20: times are offered from two hours ahead to four weeks ahead', () => {
  const free = (day: string, now: string) =>
    times(freeStartsOn(day, 'career-counseling', settings, { taken: [], now: at(now) }));
  expect(free('2025-09-08', '2025-09-08T13:15')).toEqual(['15:15', '16:00', '16:45', '17:30']);
  expect(free('2025-09-08', '2025-09-08T13:16')[0]).toBe('16:00');
  expect(free('2025-10-07', '2025-09-09T10:30')).toEqual(['09:00', '09:45', '10:30']);
  expect(bookableDays(at('2025-09-08T00:10'))).toHaveLength(29);
  expect(bookableDays(at('2025-09-08T00:10')).at(-1)).toBe('2025-10-06');
  expect(isOffered(at('2025-09-09T09:45'), 'career-counseling', settings, at('2025-09-08T09:00'))).toBe(true);
  expect(isOffered(at('2025-09-09T09:50'), 'career-counseling', settings, at('2025-09-08T09:00'))).toBe(false);
});

test('a time is free while one adviser is, and the pause belongs to a booking', () => {
  const span = (start: string) => spansOf('virtual-tour', at(start), settings).occupied;
  const taken = [{ adviser: 1, ...span('2025-09-09T09:00') }];
  expect(span('2025-09-09T09:00').end).toEqual(at('2025-09-09T09:30'));
  expect(freeAdviser(span('2025-09-09T09:00'), taken, 2)).toBe(2);
  expect(freeAdviser(span('2025-09-09T09:00'), taken, 1)).toBeNull();
  expect(freeAdviser(span('2025-09-09T09:15'), taken, 1)).toBeNull();
  expect(freeAdviser(span('2025-09-09T09:30'), taken, 1)).toBe(1);
  // It ends as the other begins.
  expect(freeAdviser(span('2025-09-09T08:30'), taken, 1)).toBe(1);
});

const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const anyBreak = fc
  .tuple(minute, minute)
  .filter(([from, to]) => from !== to)
  .map(([a, b]) => ({ from: timeOf(Math.min(a, b)), to: timeOf(Math.max(a, b)) }));
const anyNow = fc.date({ min: at('2025-01-01T00:00'), max: at('2029-12-01T00:00'), noInvalidDate: true });
const anySettings = fc.record({
  advisers: fc.integer({ min: 1, max: 3 }),
  pause: fc.integer({ min: 0, max: 60 }),
  breaks: fc.array(anyBreak, { maxLength: 3 }),
  lengths: fc.record({
    'career-counseling': fc.integer({ min: 5, max: 240 }),
    'virtual-tour': fc.integer({ min: 5, max: 240 }),
  }),
});
const anyKind = fc.constantFrom(...(Object.keys(bookingKinds) as BookingKind[]));

test('P20: whatever is booked, bookings of one adviser never overlap, and all lie in open hours', () => {
  // Each wish names a kind, a day ahead and which of its free times is taken; a person who finds one books it.
  const wishes = fc.array(fc.tuple(anyKind, fc.integer({ min: 0, max: 28 }), fc.nat()), { maxLength: 40 });
  fc.assert(
    fc.property(anyNow, anySettings, wishes, fc.integer({ min: 0, max: 28 }), (now, parts, wanted, holidayIn) => {
      const holiday = addDays(academyDay(now), holidayIn);
      const rules: BookingSettings = { ...parts, holidays: new Set([holiday]) };
      const booked: (Taken & { bookingEnd: Date })[] = [];
      for (const [kind, days, which] of wanted) {
        const day = addDays(academyDay(now), days);
        const free = freeStartsOn(day, kind, rules, { taken: booked, now });
        const start = free[which % Math.max(1, free.length)];
        if (!start) continue;
        const { end, occupied } = spansOf(kind, start, rules);
        const adviser = freeAdviser(occupied, booked, rules.advisers);
        if (adviser === null) expect.unreachable('a free time has no adviser');
        booked.push({ adviser, ...occupied, bookingEnd: end });
      }
      for (const [index, one] of booked.entries()) {
        expect(one.start.getTime() - now.getTime()).toBeGreaterThanOrEqual(2 * 3_600_000);
        expect(one.start.getTime() - now.getTime()).toBeLessThanOrEqual(28 * 24 * 3_600_000);
        const [from, to] = [wallClockAt(academyZone, one.start), wallClockAt(academyZone, one.bookingEnd)];
        expect(to.day).toBe(from.day);
        expect(from.day).not.toBe(holiday);
        const weekday = new Date(`${from.day}T00:00:00Z`).getUTCDay();
        expect(weekday).not.toBe(0);
        const [opens, closes] = weekday === 6 ? ['10:00', '16:00'] : ['09:00', '18:00'];
        expect(from.time >= opens && to.time <= closes).toBe(true);
        for (const pause of rules.breaks) expect(to.time <= pause.from || pause.to <= from.time).toBe(true);
        for (const other of booked.slice(index + 1)) {
          if (other.adviser !== one.adviser) continue;
          expect(one.end <= other.start || other.end <= one.start).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test.each(['Australia/Sydney', 'Europe/London', 'America/New_York', 'Pacific/Auckland', 'Australia/Lord_Howe'])(
  'P14: across the change of the clocks in %s every time stays the same in Brisbane, and is shown as that zone has it',
  (zone) => {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    const offsets = new Set<number>();
    for (let day = '2025-09-01'; day <= '2026-04-30'; day = addDays(day, 1)) {
      const starts = startsOn(day, 'virtual-tour', { ...settings, holidays: new Set() });
      const [open] = openSpans(day, settings);
      if (open) expect(starts.length).toBeGreaterThan(10);
      for (const start of starts) {
        const here = wallClockAt(academyZone, start);
        const there = wallClockAt(zone, start);
        expect(here.day).toBe(day);
        const [year, month, date] = there.day.split('-');
        expect(format.format(start)).toBe(`${date}/${month}/${year}, ${there.time}`);
        offsets.add(Date.parse(`${there.day}T${there.time}Z`) - Date.parse(`${here.day}T${here.time}Z`));
      }
    }
    expect(offsets.size).toBe(2);
  },
);

test('an unknown name is no kind', () => {
  expect(bookingKindOf('virtual-tour')).toBe('virtual-tour');
  expect(bookingKindOf('constructor')).toBeNull();
});
