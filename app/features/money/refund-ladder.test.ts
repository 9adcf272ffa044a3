import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayIn } from '#app/lib/dates.ts';
import type { SessionState } from '#app/lib/session-state.ts';
import { balanceOf, splitCredit } from './balance.ts';
import {
  costOfOpening,
  type RefundablePlace,
  reasonInWords,
  refundAt,
  refundSteps,
  type Study,
} from './refund-ladder.ts';
import { refundText } from './refund-text.ts';

const session = (firstDay: string, state: SessionState = 'confirmed'): Study => ({
  way: 'session',
  firstDay,
  state,
});
const ladder = { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: true, capsResale: true };
const place = (changes: Partial<RefundablePlace> = {}): RefundablePlace => ({
  ladder,
  amountCents: 229_900,
  placedAt: new Date('2025-09-01T10:00:00+10:00'),
  study: session('2025-12-15'),
  ...changes,
});
const at = (text: string) => new Date(`${text}+10:00`);
const back = (one: RefundablePlace, text: string) => {
  const { cents, reason } = refundAt(one, at(text));
  return [cents, reason];
};

test('P40: all until 14 days before the first day, half until 7, then nothing; days end at midnight in Brisbane', () => {
  expect(back(place(), '2025-12-01T23:59:59.999')).toEqual([229_900, 'two-weeks']);
  expect(back(place(), '2025-12-02T00:00:00')).toEqual([114_950, 'one-week']);
  expect(back(place(), '2025-12-08T23:59:59.999')).toEqual([114_950, 'one-week']);
  expect(back(place(), '2025-12-09T00:00:00')).toEqual([0, 'too-late']);
  expect(back(place(), '2025-12-20T00:00:00')).toEqual([0, 'too-late']);
  expect(refundText(place(), at('2025-10-01T09:00:00'))).toBe(
    'until 1 December AU$2,299 back, until 8 December AU$1,149.50, then nothing',
  );
  expect(refundSteps(place(), at('2025-12-05T09:00:00'))).toEqual([
    { cents: 114_950, reason: 'one-week', until: at('2025-12-09T00:00:00'), lastDay: '2025-12-08', before: null },
    { cents: 0, reason: 'too-late', until: null, lastDay: null, before: null },
  ]);
});

test('P40: half a cent counts for the buyer', () => {
  expect(back(place({ amountCents: 104_915 }), '2025-12-05T09:00:00')).toEqual([52_458, 'one-week']);
});

test('P40: the example of /terms, and a year where it is another', () => {
  const one = place({ study: session('2027-03-15'), placedAt: at('2026-11-01T09:00:00') });
  expect(refundText(one, one.placedAt)).toBe(
    'until 1 March 2027 AU$2,299 back, until 8 March 2027 AU$1,149.50, then nothing',
  );
});

test('P40: a Sydney session across the end of daylight saving keeps the days printed, ended by Brisbane’s midnight', () => {
  // Sydney leaves daylight saving on 5 April 2026; 11 pm in Brisbane on 30 March is already 31 March there.
  const one = place({ study: session('2026-04-13') });
  expect(back(one, '2026-03-30T23:59:59.999')).toEqual([229_900, 'two-weeks']);
  expect(refundAt(one, new Date('2026-03-31T00:59:59.999+11:00')).cents).toBe(229_900);
  expect(refundAt(one, new Date('2026-03-31T01:00:00+11:00')).cents).toBe(114_950);
  expect(refundAt(one, new Date('2026-04-06T23:59:59.999+10:00')).cents).toBe(114_950);
  expect(refundAt(one, new Date('2026-04-07T00:00:00+10:00')).cents).toBe(0);
});

test('P40: all for 24 hours from placing, but not from the first day on; a session that starts within the ladder', () => {
  const near = place({ placedAt: at('2025-12-05T15:30:00') });
  expect(back(near, '2025-12-06T15:29:59.999')).toEqual([229_900, 'first-24-hours']);
  expect(back(near, '2025-12-06T15:30:00')).toEqual([114_950, 'one-week']);
  expect(refundText(near, near.placedAt)).toBe(
    'until 6 Dec 2025, 3:30 PM (Brisbane time) AU$2,299 back, until 8 December AU$1,149.50, then nothing',
  );
  const eve = place({ placedAt: at('2025-12-14T20:00:00') });
  expect(back(eve, '2025-12-14T23:59:59.999')).toEqual([229_900, 'first-24-hours']);
  expect(back(eve, '2025-12-15T00:00:00')).toEqual([0, 'too-late']);
  expect(refundText(eve, eve.placedAt)).toBe('until 14 December AU$2,299 back, then nothing');
  const lastHours = place({ placedAt: at('2025-12-08T12:00:00') });
  expect(refundSteps(lastHours, lastHours.placedAt).map(({ cents, until }) => [cents, until])).toEqual([
    [229_900, at('2025-12-09T12:00:00')],
    [0, null],
  ]);
  const begun = place({ placedAt: at('2025-12-15T08:00:00') });
  expect(back(begun, '2025-12-15T08:01:00')).toEqual([0, 'too-late']);
});

test('P40: a contract under another ladder gives by its own days and hours, and says them', () => {
  const other = place({ ladder: { fullDays: 21, halfDays: 3, fullHours: 48, repricesKept: false, capsResale: false } });
  expect(back(other, '2025-11-24T23:59:59.999')).toEqual([229_900, 'two-weeks']);
  expect(back(other, '2025-11-25T00:00:00')).toEqual([114_950, 'one-week']);
  expect(back(other, '2025-12-12T23:59:59.999')).toEqual([114_950, 'one-week']);
  expect(back(other, '2025-12-13T00:00:00')).toEqual([0, 'too-late']);
  expect(refundText(other, at('2025-10-01T09:00:00'))).toBe(
    'until 24 November AU$2,299 back, until 12 December AU$1,149.50, then nothing',
  );
  expect(back({ ...other, placedAt: at('2025-12-08T12:00:00') }, '2025-12-10T11:59:59')).toEqual([
    229_900,
    'first-24-hours',
  ]);
  expect(reasonInWords('first-24-hours', other.ladder)).toContain('within the last 48 hours');
  expect(reasonInWords('two-weeks', other.ladder)).toContain('It is 21 days or more');
  expect(reasonInWords('one-week', other.ladder)).toContain('It is 20 to 3 days');
  expect(reasonInWords('too-late', other.ladder)).toContain('less than 3 days');
});

test('P31: one line a day: the moment at which the 24 hours end stands in the line of that day', () => {
  // Half comes back until the end of 8 December; placed the day before at 2:13 pm.
  const one = place({ placedAt: at('2025-12-07T14:13:00') });
  expect(refundSteps(one, one.placedAt)).toEqual([
    {
      cents: 114_950,
      reason: 'one-week',
      until: at('2025-12-09T00:00:00'),
      lastDay: '2025-12-08',
      before: { until: at('2025-12-08T14:13:00'), cents: 229_900 },
    },
    { cents: 0, reason: 'too-late', until: null, lastDay: null, before: null },
  ]);
  expect(refundText(one, one.placedAt)).toBe(
    'until 8 December AU$1,149.50 back (AU$2,299 until 2:13 PM that day, Brisbane time), then nothing',
  );
  // Past that moment nothing of it is left to say.
  expect(refundText(one, at('2025-12-08T15:00:00'))).toBe('until 8 December AU$1,149.50 back, then nothing');
});

test('P40: a move keeps the lower of the refunds for its day and for the day of the cancellation', () => {
  const moved = (day: string, from = session('2025-12-15')) =>
    place({ study: session('2026-03-02'), moves: [{ at: at(day), from }] });
  expect(back(moved('2025-12-01T12:00:00'), '2025-12-10T12:00:00')).toEqual([229_900, 'two-weeks']);
  expect(back(moved('2025-12-05T12:00:00'), '2025-12-10T12:00:00')).toEqual([114_950, 'lower-after-move']);
  expect(back(moved('2025-12-12T12:00:00'), '2025-12-13T12:00:00')).toEqual([0, 'lower-after-move']);
  expect(back(moved('2025-12-05T12:00:00'), '2026-02-20T12:00:00')).toEqual([114_950, 'one-week']);
  expect(back(moved('2025-12-05T12:00:00'), '2026-02-28T12:00:00')).toEqual([0, 'too-late']);
  const fromTentative = moved('2025-12-12T12:00:00', session('2025-12-15', 'tentative'));
  expect(back(fromTentative, '2025-12-13T12:00:00')).toEqual([229_900, 'two-weeks']);
  expect(refundText(moved('2025-12-05T12:00:00'), at('2025-12-10T12:00:00'))).toBe(
    'until 23 February 2026 AU$1,149.50 back, then nothing',
  );
});

test('P40: all comes back when the academy changed it, when the seat was sold again, and while it is tentative', () => {
  const late = '2025-12-12T12:00:00';
  const moves = [{ at: at('2025-12-12T10:00:00'), from: session('2025-12-15') }];
  expect(back(place({ academyChanged: true, moves }), late)).toEqual([229_900, 'academy-changed']);
  expect(back(place({ study: session('2025-12-15', 'cancelled') }), late)).toEqual([229_900, 'academy-changed']);
  expect(back(place({ seatSoldAgain: true }), late)).toEqual([229_900, 'seat-sold-again']);
  const tentative = place({ study: session('2025-12-15', 'tentative') });
  expect(back(tentative, late)).toEqual([229_900, 'tentative']);
  expect(refundText(tentative, at('2025-10-01T09:00:00'))).toMatch(/^until 1 December AU\$2,299 back, until 8/);
  expect(back(place({ study: { way: 'next-date' } }), late)).toEqual([229_900, 'no-date']);
  expect(refundText(place({ study: { way: 'next-date' } }), at(late))).toBe(
    'nothing to pay, because nothing is charged before the course has a date',
  );
});

test('P40: a seat sold again brings back what is left, but after a move in all no more than on its day', () => {
  const rest = (moved: string, leftCents: number, capsResale = true) =>
    back(
      place({
        ...{ seatSoldAgain: true, amountCents: leftCents, wholeCents: 229_900, study: session('2026-03-02') },
        ladder: { ...ladder, capsResale },
        moves: [{ at: at(moved), from: session('2025-12-15') }],
      }),
      '2026-03-02T09:00:00',
    );
  const [full, half, nothing] = ['2025-12-01T12:00:00', '2025-12-05T12:00:00', '2025-12-12T12:00:00'];
  expect(rest(full, 229_900)).toEqual([229_900, 'seat-sold-again']);
  expect(rest(full, 114_950)).toEqual([114_950, 'seat-sold-again']);
  expect(rest(half, 229_900)).toEqual([114_950, 'sold-again-after-move']);
  expect(rest(half, 114_950)).toEqual([0, 'sold-again-after-move']);
  // Staff gave back more than the ladder.
  expect(rest(half, 50_000)).toEqual([0, 'sold-again-after-move']);
  expect(rest(nothing, 229_900)).toEqual([0, 'sold-again-after-move']);
  expect(rest(nothing, 229_900, false)).toEqual([229_900, 'seat-sold-again']);
});

const guided = (modulesOpened: number, changes: Partial<RefundablePlace> = {}) =>
  place({
    amountCents: 549_900,
    study: { way: 'guided', from: '2025-10-13', modules: 12, modulesOpened },
    ...changes,
  });

// AU$5,499 and twelve modules: each is AU$458.25. Access ends with 12 October 2026.
test.each([
  ['the day before the Monday', '2025-10-12T23:59:59.999', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['the Monday', '2025-10-13T00:00:00', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['1 day after it', '2025-10-14T12:00:00', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['180 days after it', '2026-04-11T12:00:00', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['360 days after it', '2026-10-08T12:00:00', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['the last day of access', '2026-10-12T23:59:59.999', [549_900, 504_075, 320_775, 0], 'modules-left'],
  ['the anniversary', '2026-10-13T00:00:00', [0, 0, 0, 0], 'access-over'],
  ['370 days after it', '2026-10-18T12:00:00', [0, 0, 0, 0], 'access-over'],
  ['500 days after it', '2027-02-25T12:00:00', [0, 0, 0, 0], 'access-over'],
])('P40: guided study on %s, with 0, 1, 5 and all modules opened', (_, day, cents, reason) => {
  const refunds = [0, 1, 5, 12].map((opened) => refundAt(guided(opened), at(day)));
  expect(refunds.map((refund) => refund.cents)).toEqual(cents);
  expect(refunds[1]?.reason).toBe(reason);
});

test('P40: guided study counts half a cent for the buyer, and says what opening a module takes off', () => {
  const eight = (modulesOpened: number) =>
    place({ study: { way: 'guided', from: '2025-10-13', modules: 8, modulesOpened } });
  const now = at('2025-10-20T09:00:00');
  // 287.375 dollars a module.
  expect([0, 1, 2, 7, 8].map((opened) => refundAt(eight(opened), now).cents)).toEqual([
    229_900, 201_163, 172_425, 28_738, 0,
  ]);
  expect([0, 1, 7, 8].map((opened) => costOfOpening(eight(opened), now))).toEqual([28_737, 28_738, 28_738, 0]);
  expect(costOfOpening(eight(0), at('2025-09-08T09:00:00'))).toBe(28_737);
  expect(costOfOpening(eight(1), at('2026-10-13T00:00:00'))).toBe(0);
  expect(costOfOpening(place(), now)).toBe(0);
  expect(refundText(eight(0), at('2025-09-08T09:00:00'))).toBe(
    'AU$2,299 back while no module is opened, about AU$287.38 less for each of the 8 modules opened, and nothing after 12 October 2026, when access ends',
  );
  expect(back(eight(0), '2025-10-12T23:59:59.999')).toEqual([229_900, 'not-started']);
});

test('P40: the refund of guided study in words says modules and the day on which access ends', () => {
  const now = at('2025-10-20T09:00:00');
  expect(refundText(guided(5), now)).toBe(
    'AU$3,207.75 back for the 7 of 12 modules not opened yet, AU$458.25 less for each further module opened, and nothing after 12 October 2026, when access ends',
  );
  expect(refundText(guided(12), now)).toBe('nothing, because all 12 modules were opened');
  expect(refundText(guided(5), at('2026-10-13T00:00:00'))).toBe(
    'nothing, because access to the modules ended on 12 October 2026',
  );
  expect(refundSteps(guided(5), now).map(({ cents, lastDay }) => [cents, lastDay])).toEqual([
    [320_775, '2026-10-12'],
    [0, null],
  ]);
});

test('P40: the steps agree with the refund at every instant, and never rise', () => {
  const first = Date.parse('2025-12-15T00:00:00+10:00');
  const hour = 3_600_000;
  const hours = fc.integer({ min: -60 * 24, max: 5 * 24 });
  fc.assert(
    fc.property(hours, fc.nat(60 * 24), fc.integer({ min: 0, max: 1_000_000 }), (placed, later, amountCents) => {
      const one = place({ placedAt: new Date(first + placed * hour), amountCents });
      const now = new Date(first + (placed + later) * hour);
      const steps = refundSteps(one, one.placedAt);
      const step = steps.find(({ until }) => until === null || now < until);
      const shown = step?.before && now < step.before.until ? step.before.cents : step?.cents;
      expect(shown).toBe(refundAt(one, now).cents);
      const ends = steps.map(({ until, lastDay }) => lastDay ?? (until && dayIn('Australia/Brisbane', until)));
      expect(new Set(ends).size).toBe(ends.length);
      expect(steps.map(({ cents }) => cents)).toEqual(steps.map(({ cents }) => cents).toSorted((a, b) => b - a));
      expect(step?.cents).toBeLessThanOrEqual(amountCents);
    }),
  );
});

test('P39, P40: a credit lowers the debt first, and only the rest is paid out', () => {
  expect(balanceOf({ invoicedCents: 229_900, creditedCents: 0, paidCents: 100_000, refundedCents: 0 })).toBe(129_900);
  expect(splitCredit(229_900, 114_950)).toEqual({ stillOwedCents: 114_950, refundCents: 0 });
  expect(splitCredit(129_900, 229_900)).toEqual({ stillOwedCents: 0, refundCents: 100_000 });
  expect(splitCredit(0, 114_950)).toEqual({ stillOwedCents: 0, refundCents: 114_950 });
  expect(splitCredit(-500, 114_950)).toEqual({ stillOwedCents: 0, refundCents: 114_950 });
  // More is owed: what was overpaid before pays a part of it.
  expect(splitCredit(104_930, -44_970)).toEqual({ stillOwedCents: 149_900, refundCents: 0 });
  expect(splitCredit(-500, -44_970)).toEqual({ stillOwedCents: 44_470, refundCents: 0 });
});

test('P40: after two moves the lowest of all their days counts, not only that of the last', () => {
  const moves = [
    { at: at('2025-12-05T09:00:00'), from: session('2025-12-15') },
    { at: at('2025-12-06T09:00:00'), from: session('2026-02-02') },
  ];
  const moved = place({ study: session('2026-03-02'), moves });
  expect(back(moved, '2025-12-07T09:00:00')).toEqual([114_950, 'lower-after-move']);
});
