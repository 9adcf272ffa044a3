import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { balanceOf, splitCredit } from './balance.ts';
import { costOfOpening, type PurchasedCourse, percentAt, refundAt, refundSteps, type Study } from './refund.ts';
import { refundRows, refundText } from './refund-words.ts';

const at = (text: string) => new Date(`${text}+10:00`);
const onDate = (firstDay: string, state: CourseDateState = 'confirmed') => ({ way: 'date', firstDay, state }) as const;
const guidedFrom = (from: string, modulesOpened = 0, modules = 12): Study => ({
  way: 'guided',
  from,
  modules,
  modulesOpened,
});
const course = (changes: Partial<PurchasedCourse> = {}): PurchasedCourse => ({
  id: 1,
  chargedCents: 229_900,
  discountCents: 0,
  boundAt: at('2025-09-01T10:00:00'),
  study: onDate('2025-12-15'),
  moveCap: null,
  academyChanged: false,
  ...changes,
});
const alone = (one: PurchasedCourse) => ({ combo: false, courses: [one] });
const comboOf = (...courses: PurchasedCourse[]) => ({ combo: true, courses });
/** What comes back of a single course, and why. */
const back = (one: PurchasedCourse, text: string) => {
  const { cents, courses } = refundAt(alone(one), at(text));
  return [cents, courses[0]?.reason];
};

test('P100: all until 14 days before the first day, half until 7, then nothing; days end at midnight in Brisbane', () => {
  expect(back(course(), '2025-12-01T23:59:59.999')).toEqual([229_900, 'early']);
  expect(back(course(), '2025-12-02T00:00:00')).toEqual([114_950, 'late']);
  expect(back(course(), '2025-12-08T23:59:59.999')).toEqual([114_950, 'late']);
  expect(back(course(), '2025-12-09T00:00:00')).toEqual([0, 'too-late']);
  expect(back(course(), '2025-12-15T00:00:00')).toEqual([0, 'begun']);
  expect(refundText(alone(course()), at('2025-10-01T09:00:00'))).toBe(
    'until 1 December AU$2,299 back, until 8 December AU$1,149.50, then nothing',
  );
});

test('P100: half a cent counts for the buyer', () => {
  expect(back(course({ chargedCents: 104_915 }), '2025-12-05T09:00:00')).toEqual([52_458, 'late']);
});

test('P100: a date in Sydney across the end of daylight saving keeps the days printed, ended by Brisbane’s midnight', () => {
  // Sydney leaves daylight saving on 5 April 2026; 11 pm in Brisbane on 30 March is already 31 March there.
  const purchase = alone(course({ study: onDate('2026-04-13') }));
  expect(refundAt(purchase, new Date('2026-03-31T00:59:59.999+11:00')).cents).toBe(229_900);
  expect(refundAt(purchase, new Date('2026-03-31T01:00:00+11:00')).cents).toBe(114_950);
  expect(refundAt(purchase, at('2026-04-06T23:59:59.999')).cents).toBe(114_950);
  expect(refundAt(purchase, at('2026-04-07T00:00:00')).cents).toBe(0);
});

test('P100: all within 24 hours of enrolling, but not from the first day on', () => {
  const near = course({ boundAt: at('2025-12-05T15:30:00') });
  expect(back(near, '2025-12-06T15:29:59.999')).toEqual([229_900, 'first-hours']);
  expect(back(near, '2025-12-06T15:30:00')).toEqual([114_950, 'late']);
  const eve = course({ boundAt: at('2025-12-14T20:00:00') });
  expect(back(eve, '2025-12-14T23:59:59.999')).toEqual([229_900, 'first-hours']);
  expect(back(eve, '2025-12-15T00:00:00')).toEqual([0, 'begun']);
  expect(refundText(alone(eve), eve.boundAt)).toBe('until 14 December AU$2,299 back, then nothing');
  expect(back(course({ boundAt: at('2025-12-15T08:00:00') }), '2025-12-15T08:01:00')).toEqual([0, 'begun']);
});

test('P31: the refund of the first 24 hours is a step of its own, which ends tomorrow at a time', () => {
  // Half comes back until the end of 8 December; enrolled the day before at 2:13 pm.
  const now = at('2025-12-07T14:13:00');
  const purchase = alone(course({ boundAt: now }));
  expect(refundRows(purchase, now)).toMatchObject([
    {
      cents: 229_900,
      word: 'Until',
      day: 'Monday 8 December, 2:13 PM Brisbane time',
      near: 'tomorrow, 2:13 PM Brisbane time',
    },
    { cents: 114_950, word: 'Until', day: 'Monday 8 December', near: null },
    { cents: 0, word: 'From', day: 'Tuesday 9 December', near: null },
  ]);
  expect(refundText(purchase, now)).toBe(
    'until 8 Dec 2025, 2:13 PM (Brisbane time) AU$2,299 back, until 8 December AU$1,149.50, then nothing',
  );
});

test('P100: after a move a refund is never more than on the day of the move', () => {
  const moved = (moveCap: 100 | 50 | 0) => course({ study: onDate('2026-03-02'), moveCap });
  expect(back(moved(100), '2025-12-10T12:00:00')).toEqual([229_900, 'early']);
  expect(back(moved(50), '2025-12-10T12:00:00')).toEqual([114_950, 'moved']);
  expect(back(moved(0), '2025-12-13T12:00:00')).toEqual([0, 'moved']);
  expect(back(moved(50), '2026-02-20T12:00:00')).toEqual([114_950, 'late']);
  expect(back(moved(50), '2026-02-28T12:00:00')).toEqual([0, 'too-late']);
  expect(back({ ...moved(50), study: onDate('2026-03-02', 'tentative') }, '2025-12-10T12:00:00')).toEqual([
    114_950,
    'moved',
  ]);
  expect(refundText(alone(moved(50)), at('2025-12-10T12:00:00'))).toBe(
    'until 23 February 2026 AU$1,149.50 back, then nothing',
  );
});

test('P100: the cap of a move is what the date gives on that day, and of two moves the lower', () => {
  const percent = (moveCap: 100 | 50 | null, state: CourseDateState = 'confirmed') =>
    percentAt({ ...course({ moveCap }), study: onDate('2025-12-15', state) }, at('2025-12-05T12:00:00')).percent;
  expect([percent(null), percent(100), percent(null, 'tentative'), percent(50, 'tentative')]).toEqual([
    50, 50, 100, 50,
  ]);
});

test('P39, P100: all comes back when the academy changed the date, whatever was moved, and while it is not confirmed', () => {
  const late = '2025-12-12T12:00:00';
  expect(back(course({ academyChanged: true, moveCap: 0 }), late)).toEqual([229_900, 'academy-changed']);
  expect(back(course({ study: onDate('2025-12-15', 'cancelled') }), late)).toEqual([229_900, 'academy-changed']);
  const tentative = course({ study: onDate('2025-12-15', 'tentative') });
  expect(back(tentative, late)).toEqual([229_900, 'tentative']);
  expect(refundText(alone(tentative), at('2025-10-01T09:00:00'))).toMatch(/^until 1 December AU\$2,299 back, until 8/);
});

test('P39: nothing is charged for a course without a date, so nothing comes back', () => {
  const listed = course({ chargedCents: 0, study: { way: 'next-date' } });
  expect(back(listed, '2025-12-12T12:00:00')).toEqual([0, 'no-date']);
  expect(refundText(alone(listed), at('2025-12-12T12:00:00'))).toBe(
    'nothing to pay, because nothing is charged before the course has a date',
  );
});

// AU$5,499 and twelve modules: each is AU$458.25. Access ends with 12 October 2026.
test.each([
  ['the day before the Monday', '2025-10-12T23:59:59.999', [549_900, 504_075, 320_775, 0]],
  ['the Monday', '2025-10-13T00:00:00', [549_900, 504_075, 320_775, 0]],
  ['the last day of access', '2026-10-12T23:59:59.999', [549_900, 504_075, 320_775, 0]],
  ['the anniversary', '2026-10-13T00:00:00', [0, 0, 0, 0]],
])('P100: guided study on %s, with 0, 1, 5 and all modules opened', (_, day, cents) => {
  const refunds = [0, 1, 5, 12].map(
    (opened) => back(course({ chargedCents: 549_900, study: guidedFrom('2025-10-13', opened) }), day)[0],
  );
  expect(refunds).toEqual(cents);
});

test('P100: guided study counts half a cent for the buyer, and says what opening a module takes off', () => {
  const eight = (opened: number) => course({ study: guidedFrom('2025-10-13', opened, 8) });
  const now = at('2025-10-20T09:00:00');
  // 287.375 dollars a module.
  expect([0, 1, 2, 7, 8].map((opened) => refundAt(alone(eight(opened)), now).cents)).toEqual([
    229_900, 201_163, 172_425, 28_738, 0,
  ]);
  expect([0, 1, 7, 8].map((opened) => costOfOpening(alone(eight(opened)), 1, now))).toEqual([
    28_737, 28_738, 28_738, 0,
  ]);
  expect(costOfOpening(alone(course()), 1, now)).toBe(0);
  expect(back(eight(0), '2025-10-12T23:59:59.999')).toEqual([229_900, 'not-started']);
  expect(refundText(alone(eight(0)), at('2025-09-08T09:00:00'))).toBe(
    'AU$2,299 back while no module is opened, about AU$287.38 less for each of the 8 modules opened, and nothing after 12 October 2026, when access ends',
  );
});

test('P100: the refund of guided study in words says modules and the day on which access ends', () => {
  const text = (opened: number, now: string) =>
    refundText(alone(course({ chargedCents: 549_900, study: guidedFrom('2025-10-13', opened) })), at(now));
  expect(text(5, '2025-10-20T09:00:00')).toBe(
    'AU$3,207.75 back for the 7 of 12 modules not opened yet, AU$458.25 less for each further module opened, and nothing after 12 October 2026, when access ends',
  );
  expect(text(12, '2025-10-20T09:00:00')).toBe('nothing, because all 12 modules were opened');
  expect(text(5, '2026-10-13T00:00:00')).toBe('nothing, because access to the modules ended on 12 October 2026');
});

// Cloud Defender: AU$1,499, AU$3,299 and AU$4,299, each 30% less.
const first = course({ id: 1, chargedCents: 104_915, discountCents: 44_985, study: onDate('2025-10-13') });
const second = course({ id: 2, chargedCents: 230_897, discountCents: 99_003, study: onDate('2025-11-10') });
const third = course({ id: 3, chargedCents: 300_888, discountCents: 129_012, study: guidedFrom('2025-12-01', 0, 6) });

test('P99: of a combo each course that has not begun gives back by its own days', () => {
  const refund = (text: string) => refundAt(comboOf(first, second, third), at(text));
  expect(refund('2025-09-20T09:00:00').cents).toBe(104_915 + 230_897 + 300_888);
  // The first is in its half.
  expect(refund('2025-10-02T09:00:00')).toEqual({
    cents: 52_458 + 230_897 + 300_888,
    courses: [
      { id: 1, cents: 52_458, reason: 'late' },
      { id: 2, cents: 230_897, reason: 'early' },
      { id: 3, cents: 300_888, reason: 'not-started' },
    ],
    begun: { ids: [], cents: 0 },
  });
});

test('P99: the combo’s discount on courses that have begun is taken off, never below zero', () => {
  const refund = (text: string, ...courses: PurchasedCourse[]) => refundAt(comboOf(...courses), at(text));
  expect(refund('2025-10-13T09:00:00', first, second, third)).toEqual({
    cents: 230_897 + 300_888 - 44_985,
    courses: [
      { id: 2, cents: 230_897, reason: 'early' },
      { id: 3, cents: 300_888, reason: 'not-started' },
    ],
    begun: { ids: [1], cents: 44_985 },
  });
  // The second gives half, AU$1,154.49: less than the discount on the two others.
  const opened = { ...third, study: guidedFrom('2025-12-01', 1, 6) };
  expect(refund('2025-11-01T09:00:00', first, second, opened)).toMatchObject({
    cents: 0,
    begun: { ids: [1, 3], cents: 115_449 },
  });
  expect(refund('2025-12-01T09:00:00', first, second, opened)).toMatchObject({ cents: 0, courses: [] });
});

test('P99: opening the first module of a combo’s course ends its refund, and a further one changes nothing', () => {
  const now = at('2025-09-20T09:00:00');
  expect(costOfOpening(comboOf(first, second, third), 3, now)).toBe(300_888 + 129_012);
  expect(costOfOpening(comboOf(first, second, { ...third, study: guidedFrom('2025-12-01', 1, 6) }), 3, now)).toBe(0);
});

test('P39, P99: a course of a combo whose date is not confirmed, or that has none, has not begun', () => {
  const unsure = { ...first, study: onDate('2025-10-13', 'tentative') };
  const listed = { ...second, chargedCents: 0, study: { way: 'next-date' } as const };
  const { cents, begun } = refundAt(comboOf(unsure, listed, third), at('2025-10-20T09:00:00'));
  expect([cents, begun.ids]).toEqual([104_915 + 300_888, []]);
});

test('P99: the steps of a combo are of the whole', () => {
  expect(refundText(comboOf(first, second), at('2025-09-20T09:00:00'))).toBe(
    'until 29 September AU$3,358.12 back, until 6 October AU$2,833.55, until 12 October AU$2,308.97, until 27 October AU$1,859.12, until 3 November AU$704.64, then nothing',
  );
});

const hour = 3_600_000;
const someCourse = fc
  .record({
    begins: fc.integer({ min: -30, max: 60 }),
    placed: fc.integer({ min: -40, max: 0 }),
    cents: fc.nat(1_000_000),
    discount: fc.nat(200_000),
    moveCap: fc.constantFrom(null, 100 as const, 50 as const, 0 as const),
    guided: fc.boolean(),
    opened: fc.nat(6),
  })
  .map(({ begins, placed, cents, discount, moveCap, guided, opened }, id = 0): PurchasedCourse => {
    const day = new Date(Date.parse('2025-12-15T00:00:00Z') + begins * 24 * hour).toISOString().slice(0, 10);
    const study = guided ? guidedFrom(day, opened, 6) : onDate(day);
    const boundAt = new Date(at('2025-12-15T09:00:00').getTime() + placed * 24 * hour);
    return { id, chargedCents: cents, discountCents: discount, boundAt, study, moveCap, academyChanged: false };
  });
const purchases = fc.record({ combo: fc.boolean(), courses: fc.array(someCourse, { minLength: 1, maxLength: 3 }) });

test('P99, P100: the steps agree with the refund at every instant, never rise, and stay between nothing and the charge', () => {
  const now = at('2025-12-15T09:00:00');
  fc.assert(
    fc.property(purchases, fc.nat(24 * 400), (purchase, later) => {
      const then = new Date(now.getTime() + later * hour);
      const steps = refundSteps(purchase, now);
      const step = steps.find(({ until }) => until === null || then < until);
      expect(step?.cents).toBe(refundAt(purchase, then).cents);
      const sums = steps.map(({ cents }) => cents);
      expect(sums).toEqual(sums.toSorted((a, b) => b - a));
      const charged = purchase.courses.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
      expect(sums.every((cents) => cents >= 0 && cents <= charged)).toBe(true);
    }),
  );
});

test('P39, P100: a refund lowers the debt first, and only the rest is paid out', () => {
  expect(balanceOf({ invoicedCents: 229_900, creditedCents: 0, paidCents: 100_000, refundedCents: 0 })).toBe(129_900);
  expect(splitCredit(229_900, 114_950)).toEqual({ stillOwedCents: 114_950, refundCents: 0 });
  expect(splitCredit(129_900, 229_900)).toEqual({ stillOwedCents: 0, refundCents: 100_000 });
  expect(splitCredit(0, 114_950)).toEqual({ stillOwedCents: 0, refundCents: 114_950 });
  expect(splitCredit(-500, 114_950)).toEqual({ stillOwedCents: 0, refundCents: 114_950 });
});
