import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Trx } from '#app/db/client.server.ts';
import { startPromotion } from '#app/features/catalogue/promotions/commands.server.ts';
import { readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { readCourseRows } from '#app/features/catalogue/queries.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import {
  changePrice,
  confirmOriginals,
  endLapsedOriginals,
  makePlannedPrices,
  planPrice,
  takeConfirmationBack,
} from '#app/features/money/price-changes.server.ts';
import type { Actor } from '#app/features/people/actor.ts';
import { mayNow } from '#app/features/people/queries.server.ts';
import { dayIn } from '#app/lib/dates.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { type Change, publishChange } from '#tests/support/content-edits.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let owner: Actor;
let courseId: number;
const day = (text: string) => new Date(`${text}T02:00:00Z`);
const start = day('2025-09-08');
const momentOn = (at: Date) => ({ today: dayIn('Australia/Brisbane', at), now: at });
/** Publishes a change of a record, as an editor does. */
const publish = (kind: Change['kind'], key: string, to: Change['to'], on: Date) =>
  publishChange(database.db, { kind, key, to }, momentOn(on));
beforeEach(async () => {
  database = await createTestDatabase();
  const courses = [sampleCourse('a', { price: 1500, originalPrice: 1900 }), sampleCourse('b')];
  await fillDatabase(database.db, sampleContent(courses), momentOn(start));
  owner = (await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada Byron' }, start)).actor;
  const { id } = await database.db.selectFrom('courses').select('id').where('slug', '=', 'a').executeTakeFirstOrThrow();
  courseId = id;
});
afterEach(() => database.drop());

const write = <T>(run: (trx: Trx) => Promise<T>) => database.db.transaction().execute(run);
/** Changes the price of course a to dollars, on a day. */
const change = (price: number, original: number | null, on: Date, actor = owner) =>
  write((trx) =>
    changePrice(
      trx,
      { courseId, amountCents: price * 100, originalCents: original === null ? null : original * 100, note: null },
      { actor, now: on, today: dayIn('Australia/Brisbane', on) },
    ),
  );
const shown = async () => {
  const [row] = await readCourseRows(database.db, [courseId]);
  return [row?.priceCents, row?.originalPriceCents, row?.originalProof?.proof ?? null];
};
/** What the trace says that an action changed. */
const traced = async (action: string) => {
  const rows = await database.db
    .selectFrom('audit_entries')
    .innerJoin('audit_changes', 'entry_id', 'audit_entries.id')
    .select(['field', 'before', 'after'])
    .where('action', '=', action)
    .orderBy('field')
    .execute();
  return rows.map(({ field, before, after }) => [field, before, after]);
};
const periods = async () => {
  const rows = await database.db
    .selectFrom('prices')
    .selectAll()
    .where('course_id', '=', courseId)
    .orderBy('id')
    .execute();
  return rows;
};

test('P47: the original price of the brief is shown as such, also after the price changed, until the owner confirms it', async () => {
  expect(await shown()).toEqual([150_000, 190_000, 'the brief']);
  expect(await change(1600, 1900, day('2025-10-01'))).toMatchObject({ ok: true });
  expect(await shown()).toEqual([160_000, 190_000, 'the brief']);
  const by = { actor: owner, now: day('2025-10-02') };
  const confirmed = await write((trx) => confirmOriginals(trx, { courseId: null, proof: 'Invoices of 2024' }, by));
  expect(confirmed).toEqual([{ slug: 'a', originalCents: 190_000 }]);
  expect(await shown()).toEqual([160_000, 190_000, 'Invoices of 2024']);
  expect((await periods()).at(-1)).toMatchObject({ proved_at: by.now, proof: 'Invoices of 2024' });
  await change(1700, 1900, day('2025-10-03'));
  expect(await shown()).toEqual([170_000, 190_000, 'Invoices of 2024']);
  // The ledger never had it; what the owner confirmed is not the job's to take away.
  expect(await endLapsedOriginals(database.db, day('2026-10-03'))).toBe(0);
  expect(await shown()).toEqual([170_000, 190_000, 'Invoices of 2024']);
  expect(await write((trx) => takeConfirmationBack(trx, courseId, by))).toBe('Invoices of 2024');
  expect(await shown()).toEqual([170_000, 190_000, 'the brief']);
  expect(await write((trx) => takeConfirmationBack(trx, courseId, by))).toBeNull();
});

test('P47: a price is struck through only if the ledger has it for 28 days within six months, and no longer than that', async () => {
  // AU$1,500 from 8 September on. After 27 days nothing shows that it was charged long enough.
  expect(await change(1300, 1500, day('2025-10-05'))).toEqual({ ok: false, reason: 'not-charged' });
  expect(await change(1300, 2000, day('2026-01-05'))).toEqual({ ok: false, reason: 'not-charged' });
  expect(await change(1300, 1500, day('2025-10-06'))).toMatchObject({ ok: true });
  expect(await shown()).toEqual([130_000, 150_000, 'the ledger']);
  // Charged until 6 October: six months after 8 September the first of its 28 days no longer counts.
  expect(await endLapsedOriginals(database.db, day('2026-03-08'))).toBe(0);
  expect(await endLapsedOriginals(database.db, day('2026-03-09'))).toBe(1);
  expect(await shown()).toEqual([130_000, null, null]);
  expect(
    (await periods()).map(({ amount_cents, original_cents, proof }) => [amount_cents, original_cents, proof]),
  ).toEqual([
    [150_000, 190_000, 'the brief'],
    [130_000, 150_000, 'the ledger'],
    [130_000, null, null],
  ]);
  // P69: also what the program takes away is in the trace.
  expect(await traced('end-original-price')).toEqual([['originalPriceCents', 150_000, null]]);
});

test('P47: while a course is retired, nobody is charged its price', async () => {
  await publish('certification', 'first', null, day('2025-09-20'));
  expect(await publish('course', 'a', null, day('2025-09-20'))).toMatchObject({ ok: true });
  expect(await publish('course', 'a', {}, day('2025-10-20'))).toMatchObject({ ok: true });
  expect(await change(1300, 1500, day('2025-11-04'))).toEqual({ ok: false, reason: 'not-charged' });
  // Twelve days before it was retired and sixteen since it is back.
  expect(await change(1300, 1500, day('2025-11-05'))).toMatchObject({ ok: true });
  expect(await endLapsedOriginals(database.db, day('2026-03-09'))).toBe(1);
});

test('P47: an original price that nothing proves is not shown', async () => {
  await publish('course', 'a', { originalPrice: 2500 }, day('2025-09-20'));
  expect(await shown()).toEqual([150_000, null, null]);
});

test('P76: a planned change is made once, by the job, as that of who planned it; one that the rules refuse says why', async () => {
  const plan = (price: number, original: number | null, from: string) =>
    write((trx) =>
      planPrice(
        trx,
        {
          courseId,
          amountCents: price * 100,
          originalCents: original && original * 100,
          note: 'Spring',
          from: day(from),
        },
        { actor: owner, now: start },
      ),
    );
  expect(await plan(1400, null, '2025-10-01')).toMatchObject({ ok: true });
  expect(await plan(1450, null, '2025-10-01')).toEqual({ ok: false, reason: 'planned' });
  expect(await plan(1450, null, '2025-09-08')).toEqual({ ok: false, reason: 'past' });
  expect(await plan(1350, 1400, '2025-10-10')).toMatchObject({ ok: true });
  expect(await makePlannedPrices(database.db, day('2025-09-30'), mayNow('prices:change'))).toBe(0);
  const both = [
    makePlannedPrices(database.db, day('2025-10-02'), mayNow('prices:change')),
    makePlannedPrices(database.db, day('2025-10-02'), mayNow('prices:change')),
  ];
  expect((await Promise.all(both)).reduce((sum, made) => sum + made, 0)).toBe(1);
  expect(await shown()).toEqual([140_000, null, null]);
  expect(await traced('change-price')).toEqual([
    ['originalPriceCents', 190_000, null],
    ['priceCents', 150_000, 140_000],
  ]);
  const last = (await periods()).at(-1);
  expect(last).toMatchObject({ author: 'person', note: 'Spring', from_at: day('2025-10-02') });
  // AU$1,400 was charged for nine days by then.
  expect(await makePlannedPrices(database.db, day('2025-10-11'), mayNow('prices:change'))).toBe(0);
  const plans = await database.db.selectFrom('planned_prices').select(['outcome', 'fault']).orderBy('id').execute();
  expect(plans).toEqual([
    { outcome: 'made', fault: null },
    { outcome: 'refused', fault: expect.stringContaining('was not charged for four weeks') },
  ]);
});

test('P68: a planned price is not made when its planner may not change prices any more', async () => {
  const { db } = database;
  const { id, actor } = await makeStaff(db, { name: 'Grace', email: 'grace@academy.example' }, start);
  const before = await shown();
  const wish = { courseId, amountCents: 99_900, originalCents: null, note: null, from: day('2025-11-01') };
  expect(await write((trx) => planPrice(trx, wish, { actor, now: start }))).toMatchObject({ ok: true });
  await db.deleteFrom('staff_roles').where('person_id', '=', id).execute();
  expect(await makePlannedPrices(db, day('2025-11-02'), mayNow('prices:change'))).toBe(0);
  expect(await shown()).toEqual(before);
  const plan = db.selectFrom('planned_prices').select(['outcome', 'fault']).where('person_id', '=', id);
  expect(await plan.execute()).toEqual([
    { outcome: 'refused', fault: 'The person who planned it may not change prices any more.' },
  ]);
});

/** Plans a price of course a without an original, for a day. */
const plan = async (price: number, from: string) => {
  const wish = { courseId, amountCents: price * 100, originalCents: null, note: null, from: day(from) };
  const planned = await write((trx) => planPrice(trx, wish, { actor: owner, now: start }));
  if (!planned.ok) throw new Error(planned.reason);
};
/** How each plan ended, in the order of their days. */
const outcomes = async () => {
  const plans = database.db.selectFrom('planned_prices').select(['outcome', 'fault']).orderBy('from_at');
  return (await plans.execute()).map(({ outcome, fault }) => [outcome, fault]);
};
const tooLate = 'It could not be made when it was due, and a later price has taken its place.';
const makeOn = (on: string) => makePlannedPrices(database.db, day(on), mayNow('prices:change'));

test('P76: a sale that could not be made on its day is not made after the plan that ends it', async () => {
  await plan(1200, '2025-12-01');
  await plan(1500, '2025-12-08');
  await change(1500, null, day('2025-11-01'));
  // Whatever the reason was: the row of the sale is skipped while somebody else holds it.
  const holding = await database.db.startTransaction().execute();
  await holding.selectFrom('planned_prices').select('id').where('amount_cents', '=', 120_000).forUpdate().execute();
  expect([await makeOn('2025-12-02'), await makeOn('2025-12-09')]).toEqual([0, 0]);
  await holding.rollback().execute();
  expect(await makeOn('2025-12-10')).toBe(0);
  expect(await shown()).toEqual([150_000, null, null]);
  expect(await outcomes()).toEqual([
    ['refused', tooLate],
    ['refused', 'Nothing was changed: this is the price already.'],
  ]);
});

test('P76: after an outage only the last price that came due is made', async () => {
  await plan(1200, '2025-12-01');
  await plan(1450, '2025-12-08');
  expect(await makeOn('2025-12-09')).toBe(1);
  expect(await shown()).toEqual([145_000, null, null]);
  expect(await outcomes()).toEqual([
    ['refused', tooLate],
    ['made', null],
  ]);
});

test('P76: a price that was set by hand since stays; a lapsed original that the program took away hinders no plan', async () => {
  await change(1300, 1900, day('2025-09-09'));
  await plan(1200, '2025-12-01');
  await change(1350, 1900, day('2025-12-02'));
  expect(await makeOn('2025-12-03')).toBe(0);
  expect([(await shown())[0], await outcomes()]).toEqual([135_000, [['refused', tooLate]]]);
  await plan(1250, '2025-12-20');
  await change(1350, null, day('2025-12-21'));
  expect(await makeOn('2025-12-22')).toBe(1);
  expect(await shown()).toEqual([125_000, null, null]);
});

test('P76: when several people change a price at once, its periods follow each other without a gap or an overlap', async () => {
  const other = createDb(database.connection, () => undefined);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1000, max: 1899 }), { minLength: 2, maxLength: 5 }), async (prices) => {
      const results = await Promise.all(
        prices.map((price, at) =>
          (at % 2 ? other : database.db)
            .transaction()
            .execute((trx) =>
              changePrice(
                trx,
                { courseId, amountCents: price * 100, originalCents: 190_000, note: null },
                { actor: owner, now: day('2025-10-01'), today: '2025-10-01' },
              ),
            ),
        ),
      );
      expect(results.every(({ ok, ...why }) => ok || ('reason' in why && why.reason === 'unchanged'))).toBe(true);
      const rows = await periods();
      rows.forEach(({ until_at }, at) => {
        expect(until_at).toEqual(rows[at + 1]?.from_at ?? null);
      });
      const [row] = await readCourseRows(database.db, [courseId]);
      expect(row?.priceCents).toBe(rows.at(-1)?.amount_cents);
    }),
    { numRuns: 8 },
  );
  await other.destroy();
});

test('P76: prices are the owner’s: admissions, editor, instructor and reader change, plan and confirm none', async () => {
  const wish = { courseId, amountCents: 100_000, originalCents: null, note: null };
  for (const role of ['admissions', 'editor', 'instructor', 'reader'] as const) {
    const actor = staffActor({ id: 1, name: 'Ada' }, role);
    const by = { actor, now: start, today: '2025-09-08' };
    await expect(
      write((trx) => changePrice(trx, wish, by)),
      role,
    ).rejects.toThrow(NotPermitted);
    await expect(
      write((trx) => planPrice(trx, { ...wish, from: day('2026-01-01') }, by)),
      role,
    ).rejects.toThrow(NotPermitted);
    await expect(
      write((trx) => confirmOriginals(trx, { courseId, proof: 'x' }, by)),
      role,
    ).rejects.toThrow(NotPermitted);
    await expect(
      write((trx) => takeConfirmationBack(trx, courseId, by)),
      role,
    ).rejects.toThrow(NotPermitted);
  }
});

test('P47: the end of a promotion is never moved; its words may change', async () => {
  const { lasts } = sampleContent([]).promotion;
  const change = (to: Change['to']) => publish('promotion', 'promotion', to, day('2025-09-09'));
  expect(await change({ lasts: { ...lasts, days: lasts.days + 7 } })).toEqual({
    ok: false,
    reason: 'unsound',
    faults: ['promotion lasts: cannot change: the end of a promotion is never moved (P47)'],
  });
  expect(await change({ subject: 'Combos of spring' })).toMatchObject({ ok: true });
});

test('P16: the first promotion ends its time after the database was filled, whatever is published since', async () => {
  const { days, hours, minutes, seconds } = sampleContent([]).promotion.lasts;
  const ends = start.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  await publish('promotion', 'promotion', { subject: 'Combos of spring' }, day('2025-09-09'));
  expect(await readPromotion(database.db)).toEqual({
    subject: 'Combos of spring',
    endsAt: new Date(ends).toISOString(),
  });
});

test('P47: another promotion is another record: one at a time, its end fixed, and no price raised for it', async () => {
  const { db } = database;
  await publish('course', 'a', { originalPrice: undefined }, day('2025-09-09'));
  await publish('course', 'b', { price: 1000 }, day('2025-09-09'));
  const both = { slug: 'both', title: 'Both', description: 'Two courses together.', courses: ['a', 'b'] };
  expect(await publish('combo', 'both', { ...both, discountPercent: 30 }, day('2025-09-09'))).toMatchObject({
    ok: true,
  });
  const begin = (on: Date, until: Date, actor = owner) =>
    write((trx) => startPromotion(trx, { subject: 'Combos of spring', until }, { actor, now: on }));
  const first = await readPromotion(db);
  const ends = new Date(first.endsAt);
  expect(await begin(new Date(ends.getTime() - 1000), day('2026-12-01'))).toEqual({
    ok: false,
    reason: 'running',
    until: ends,
  });
  expect(await begin(ends, ends)).toEqual({ ok: false, reason: 'past' });
  expect(await begin(ends, day('2099-12-31'))).toEqual({ ok: false, reason: 'too-long' });
  const later = new Date(ends.getTime() + 3_600_000);
  expect(await change(1600, null, later)).toMatchObject({ ok: true });
  const dearer = new Date(later.getTime() + 27 * 86_400_000);
  expect(await begin(dearer, new Date(dearer.getTime() + 7 * 86_400_000))).toMatchObject({
    ok: false,
    reason: 'raised',
  });
  // A combo that is no longer offered makes nothing dearer.
  const combos = (retired_at: Date | null) => db.updateTable('combos').set({ retired_at }).execute();
  await combos(later);
  await db
    .transaction()
    .execute(async (trx) => {
      const without = { subject: 'Without combos', until: new Date(dearer.getTime() + 86_400_000) };
      expect(await startPromotion(trx, without, { actor: owner, now: dearer })).toMatchObject({ ok: true });
      throw new Error('taken back');
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'));
  await combos(null);
  const free = new Date(later.getTime() + 28 * 86_400_000);
  const end = new Date(free.getTime() + 7 * 86_400_000);
  await expect(begin(free, end, staffActor({ id: 1, name: 'Ada' }, 'admissions'))).rejects.toThrow(NotPermitted);
  expect(await begin(free, end)).toMatchObject({ ok: true });
  expect(await readPromotion(db)).toEqual({ subject: 'Combos of spring', endsAt: end.toISOString() });
  expect(await begin(free, end)).toMatchObject({ ok: false, reason: 'running' });
  // While it runs, a price of its courses may fall and not rise.
  expect(await change(1700, null, free)).toMatchObject({ ok: false, reason: 'on-promotion' });
  expect(await change(1550, null, free)).toMatchObject({ ok: true });
  // An original price beside the same price raises nothing.
  expect(await change(1550, 1600, new Date(free.getTime() + 60_000))).toMatchObject({ ok: true });
  // The planned end of a sale waits for the end of the promotion.
  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'a')
    .executeTakeFirstOrThrow();
  const hour = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000);
  const plan = { courseId, amountCents: 170_000, originalCents: null, note: '' };
  const planned = await write((trx) =>
    planPrice(trx, { ...plan, from: hour(free, 2) }, { actor: owner, now: hour(free, 1) }),
  );
  expect(planned).toMatchObject({ ok: true });
  expect(await makePlannedPrices(db, hour(free, 3), mayNow('prices:change'))).toBe(0);
  expect(await makePlannedPrices(db, hour(end, 1), mayNow('prices:change'))).toBe(1);
  await expect(
    db
      .updateTable('promotions')
      .set({ ends_at: day('2028-01-01') })
      .execute(),
  ).rejects.toThrow();
});

test('P47: while a promotion runs, no price rises under a combo by any way, and no dearer course comes into one', async () => {
  const { db } = database;
  const combo = (slug: string, courses: string[], on: Date) =>
    publish(
      'combo',
      slug,
      { slug, title: slug, description: 'Two courses together.', courses, discountPercent: 20 },
      on,
    );
  const price = (slug: string, to: number, on: Date) => publish('course', slug, { price: to }, on);
  const running = new Date((await readPromotion(db)).endsAt).getTime() - 1000;
  const at = (days: number) => new Date(running - days * 86_400_000);
  const ok = { ok: true };
  const tooDear = (slug: string, course: string) => ({
    ok: false,
    reason: 'unsound',
    faults: [expect.stringMatching(`^combo ${slug}: it is on promotion until .*, and ${course} cost less`)],
  });
  await publish('course', 'a', { originalPrice: undefined }, at(3));
  await price('b', 1000, at(3));
  await publish('course', 'c', { ...sampleCourse('c', { price: 1500 }) }, at(3));
  expect(await combo('both', ['a', 'b'], at(3))).toMatchObject(ok);
  expect(await price('a', 1600, at(2))).toEqual(tooDear('both', 'a'));
  // A course of no combo rises, and then comes into one.
  expect(await price('c', 2500, at(2))).toMatchObject(ok);
  expect(await combo('more', ['b', 'c'], at(1))).toEqual(tooDear('more', 'c'));
  // A combo is retired, its course rises, and it comes back.
  expect(await publish('combo', 'both', null, at(1))).toMatchObject(ok);
  expect(await price('a', 1600, at(1))).toMatchObject(ok);
  expect(await combo('both', ['a', 'b'], at(0))).toEqual(tooDear('both', 'a'));
  // Prices that fall are no matter, nor is a rise after the end.
  expect(await price('a', 1500, at(0))).toMatchObject(ok);
  expect(await price('c', 1500, at(0))).toMatchObject(ok);
  expect(await combo('both', ['a', 'b'], at(0))).toMatchObject(ok);
  expect(await price('a', 1700, at(-1))).toMatchObject(ok);
  expect(await price('c', 2500, at(-1))).toMatchObject(ok);
  expect(await combo('more', ['b', 'c'], at(-1))).toMatchObject(ok);
});
