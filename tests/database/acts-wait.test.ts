import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { lockActs } from '#app/routes/staff/act.server.ts';
import { cancelCluster } from '#app/routes/staff/enrolments/clusters.server.ts';
import { until } from '#scripts/support/until.ts';
import { makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let ada: Awaited<ReturnType<typeof makeStaff>>;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  const person = { email: 'ada@staff.example', name: 'Ada Byron' };
  ada = await makeStaff(database.db, person, momentAt('2025-09-08T09:00').now);
});
afterAll(() => database.drop());

test('cancelling many waits for what somebody does to one of them, and leaves what was paid meanwhile', async () => {
  const { db } = database;
  const moment = momentAt('2025-09-09T10:00');
  const { enrolmentId, reference } = await placeIn(db, await makeSession(db));
  const other = await db.startTransaction().execute();
  await lockActs(other, `enrolment:${reference}`);
  await recordPayment(other, {
    enrolmentId,
    amountCents: 10_000,
    receivedOn: '2025-09-09',
    method: 'bank',
    words: 'paid at the counter',
    actor: theProgram,
    at: moment.now,
    idempotencyKey: crypto.randomUUID(),
  });
  const cancelling = cancelAll([reference], moment);
  await until(async () => {
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`;
    return (await waiting.execute(db)).rows.length > 0;
  });
  await other.commit().execute();
  expect(await cancelling).toMatchObject({ ok: true, cancelled: 0, left: [{ reference }] });
  const places = db.selectFrom('places').select('state').where('enrolment_id', '=', enrolmentId);
  expect(await places.execute()).toEqual([{ state: 'active' }]);
});

test('cancelling many leaves a course that has begun, and cancels the others', async () => {
  const { db } = database;
  const moment = momentAt('2025-09-22T08:00');
  const begun = await placeIn(db, await makeSession(db, { startsOn: moment.today }));
  const later = await placeIn(db, await makeSession(db, { startsOn: '2025-11-17' }));
  const result = await cancelAll([begun.reference, later.reference], moment);
  expect(result).toMatchObject({ ok: true, cancelled: 1, left: [{ reference: begun.reference }] });
  const states = db.selectFrom('places').select(['enrolment_id', 'state']).orderBy('enrolment_id');
  expect((await states.execute()).slice(-2)).toEqual([
    { enrolment_id: begun.enrolmentId, state: 'active' },
    { enrolment_id: later.enrolmentId, state: 'cancelled' },
  ]);
});

function cancelAll(references: readonly string[], { now, academy: own }: ReturnType<typeof momentAt>) {
  const form = new FormData();
  for (const reference of references) form.append('enrolment', reference);
  form.set('reason', 'One person took many seats');
  const clock = { now: () => now, aheadMs: 0 };
  const academy: Academy = { db: database.db, clock, forms: {} as Academy['forms'], academy: () => own };
  return cancelCluster(academy, { form, actor: ada.actor });
}
