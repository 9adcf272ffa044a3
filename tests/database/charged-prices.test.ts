import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCourseRows } from '#app/features/catalogue/queries.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { makePlannedPrices, planPrice } from '#app/features/money/price-changes.server.ts';
import type { Actor } from '#app/features/people/actor.ts';
import { mayNow } from '#app/features/people/queries.server.ts';
import { priceProofs } from '#app/routes/storefront/price-proofs.server.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

// Which days count as those on which a price was charged (P47). Course a costs AU$1,500 from Monday 1 September on.
let database: TestDatabase;
let owner: Actor;
let courseId: number;
const start = new Date('2025-09-01T00:00:00+10:00');
beforeEach(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const content = sampleContent([sampleCourse('a', { price: 1500 })]);
  await fillDatabase(db, content, { today: '2025-09-01', now: start });
  owner = (await makeStaff(db, { email: 'ada@example.com', name: 'Ada Byron' }, start)).actor;
  courseId = (await db.selectFrom('courses').select('id').executeTakeFirstOrThrow()).id;
});
afterEach(() => database.drop());

/** Plans a price in dollars for a midnight, and runs the job some seconds later. Returns how many it made. */
async function planned(price: number, original: number | null, on: string, seconds = 0): Promise<number> {
  const from = new Date(`${on}T00:00:00+10:00`);
  const wish = { courseId, amountCents: price * 100, originalCents: original && original * 100, note: null, from };
  const by = { actor: owner, now: new Date(from.getTime() - 1000) };
  const plan = await database.db.transaction().execute((trx) => planPrice(trx, wish, by));
  expect(plan).toMatchObject({ ok: true });
  return makePlannedPrices(database.db, new Date(from.getTime() + seconds * 1000), mayNow('prices:change'));
}

/** What /claims says of the original price. */
async function proofs(): Promise<string[]> {
  const [row] = await readCourseRows(database.db, [courseId]);
  const { card, ...course } = listedCourse(courseId);
  const shown = { ...card, originalPriceCents: row?.originalPriceCents ?? null };
  const snapshot = snapshotOf([{ ...course, card: shown, originalProof: row?.originalProof ?? null }]);
  return priceProofs(snapshot, start).proved.map(({ proof }) => proof);
}

test('P47: a price planned for four weeks was charged for four weeks, whichever seconds the job comes at', async () => {
  expect(await planned(1600, null, '2025-09-08', 40)).toBe(1);
  expect(await planned(1400, 1600, '2025-10-06', 10)).toBe(1);
  expect(await proofs()).toHaveLength(1);
});

test('P47: a price that was charged for a day less than four weeks proves nothing', async () => {
  expect(await planned(1600, null, '2025-09-08')).toBe(1);
  expect(await planned(1400, 1600, '2025-10-05', 59)).toBe(0);
});

test('P47, P76: /claims names each time in which an original price was charged, with its last day', async () => {
  await planned(1000, 1500, '2025-10-06');
  expect(await proofs()).toEqual(['We charged it from 1 September until 5 October 2025.']);
  await planned(1500, null, '2025-12-01');
  await planned(1100, 1500, '2025-12-08');
  const both = 'We charged it from 1 September until 5 October 2025 and from 1 until 7 December 2025.';
  expect(await proofs()).toEqual([both]);
  // What was charged more than six months before the latest sale does not count for it.
  await planned(1500, null, '2026-06-15');
  await planned(1100, 1500, '2026-07-13');
  expect(await proofs()).toEqual(['We charged it from 15 June until 12 July 2026.']);
});
