import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { lockActs } from '#app/routes/staff/act.server.ts';
import { cancelCluster } from '#app/routes/staff/enrolments/clusters.server.ts';
import { until } from '#scripts/support/until.ts';
import { makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
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
  const form = new FormData();
  form.set('enrolment', reference);
  form.set('reason', 'One person took many seats');
  const clock = { now: () => moment.now, aheadMs: 0 };
  const academy: Academy = { db, clock, forms: {} as Academy['forms'], academy: () => moment.academy };
  const cancelling = cancelCluster(academy, { form, actor: anOwner });
  await until(async () => {
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`;
    return (await waiting.execute(db)).rows.length > 0;
  });
  await other.commit().execute();
  expect(await cancelling).toMatchObject({ ok: true, cancelled: 0, left: [{ reference }] });
  const places = db.selectFrom('places').select('state').where('enrolment_id', '=', enrolmentId);
  expect(await places.execute()).toEqual([{ state: 'active' }]);
});
