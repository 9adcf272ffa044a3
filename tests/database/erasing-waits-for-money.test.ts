import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { goingOnFor } from '#app/features/enrolments/ended-enrolments.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { cancelSessionAndAsk, refundSilent } from '#app/features/enrolments/session-changes.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { attendee, makeSession, momentAt, orderOf, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P58: money owed on an enrolment that is over keeps its buyer until it is settled, for seven years at most, and nobody else', async () => {
  const { db } = database;
  const erase = (email: string, day: string) =>
    transaction(async (trx) =>
      enrolmentRecords.erase(trx, await findHeldPerson(trx, email), momentAt(`${day}T09:00`).now),
    );
  const bob = { name: 'Bob Boole', email: 'bob@boole.example' };
  const buyer = { name: 'Ada Byron', email: 'ada@byron.example', phone: null };
  const session = await makeSession(db, { startsOn: '2025-11-03' });
  const { enrolmentId } = await placeIn(db, session, { buyer, attendees: [attendee(buyer), attendee(bob)] });
  const named = async () => {
    const { buyer_name } = await db
      .selectFrom('enrolments')
      .select('buyer_name')
      .where('id', '=', enrolmentId)
      .executeTakeFirstOrThrow();
    const its = await db
      .selectFrom('attendees')
      .select('name')
      .where('enrolment_id', '=', enrolmentId)
      .orderBy('id')
      .execute();
    return [buyer_name, ...its.map(({ name }) => name)];
  };
  const over = '2026-02-02';
  // What the page for leaving lists.
  const goingOn = async (email: string, day: string) =>
    (
      await goingOnFor(db, (await findHeldPerson(db, email)).id, day)
        .select('id')
        .execute()
    ).map(({ id }) => id);
  expect([await goingOn(buyer.email, over), await goingOn(bob.email, over)]).toEqual([[enrolmentId], []]);
  expect(await goingOn(bob.email, '2025-11-03')).toEqual([enrolmentId]);
  await erase(buyer.email, over);
  await erase(bob.email, over);
  expect(await named()).toEqual(['Ada Byron', 'Ada Byron', null]);
  // A cent too much: now it is the academy that owes.
  const owed = balanceOf(await accountOf(db, enrolmentId));
  await receive(db, enrolmentId, owed + 1, momentAt('2026-02-03T09:00'));
  await erase(buyer.email, '2026-02-04');
  expect(await named()).toEqual(['Ada Byron', 'Ada Byron', null]);
  // An enrolment that the list lost is kept as well.
  await db.deleteFrom('enrolment_list').where('enrolment_id', '=', enrolmentId).execute();
  await erase(buyer.email, '2026-02-04');
  expect(await named()).toEqual(['Ada Byron', 'Ada Byron', null]);
  await sql`select list_enrolments(array[${enrolmentId}::bigint])`.execute(db);
  // The payment was the last that was booked.
  await erase(buyer.email, '2033-02-02');
  expect(await named()).toEqual(['Ada Byron', 'Ada Byron', null]);
  await erase(buyer.email, '2033-02-03');
  expect(await named()).toEqual(['Erased', null, null]);
});

/** Somebody who paid and cancelled three days before the first day, 3 November, so that nothing came back yet. */
async function cancelLate(name: string, email: string) {
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-11-03', capacity: 1 });
  const { enrolmentId } = await placeIn(db, session, { buyer: { name, email, phone: null } });
  await receive(db, enrolmentId, balanceOf(await accountOf(db, enrolmentId)), momentAt('2025-10-01T09:00'));
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  const cancellation = { enrolmentId, placeIds: [place?.id ?? 0], why: 'buyer', shownCents: 0 } as const;
  const cancelled = await transaction((trx) => cancelPlaces(trx, cancellation, momentAt('2025-10-31T09:00')));
  expect(cancelled).toMatchObject({ ok: true });
  const nameAfterErasing = async (day: string) => {
    const { now } = momentAt(`${day}T09:00`);
    await transaction(async (trx) => enrolmentRecords.erase(trx, await findHeldPerson(trx, email), now));
    return (await readEnrolment(db, enrolmentId)).buyerName;
  };
  return { session, enrolmentId, nameAfterErasing };
}

test('P40, P58: who cancelled stays while their seat can still be refunded as sold again, for 30 days after the first day', async () => {
  const { nameAfterErasing } = await cancelLate('Mary Shelley', 'mary@shelley.example');
  expect(await nameAfterErasing('2025-11-04')).toBe('Mary Shelley');
  expect(await nameAfterErasing('2025-12-03')).toBe('Mary Shelley');
  expect(await nameAfterErasing('2025-12-04')).toBe('Erased');
});

test('P40, P58: a seat that was sold again is refunded to its buyer by name, also when the job did not run for weeks', async () => {
  const { db } = database;
  const { session, enrolmentId, nameAfterErasing } = await cancelLate('Claire Clairmont', 'claire@clairmont.example');
  const percy = { name: 'Percy Shelley', email: 'percy@shelley.example', phone: null };
  const order = await orderOf(db, [seatIn(session)], { buyer: percy, attendees: [attendee(percy)] });
  expect(await transaction((trx) => placeEnrolment(trx, order, momentAt('2025-10-31T10:00')))).toMatchObject({
    ok: true,
  });
  expect(await nameAfterErasing('2025-11-20')).toBe('Claire Clairmont');
  expect(await refundSoldAgain(db, momentAt('2025-11-20T10:00'))).toBe(1);
  expect(balanceOf(await accountOf(db, enrolmentId))).toBeLessThan(0);
  expect(await nameAfterErasing('2025-11-21')).toBe('Claire Clairmont');
});

test('P58: an open choice keeps its buyer after the class that we cancelled, and so does the refund that follows', async () => {
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-11-03' });
  const buyer = { name: 'Joan Clarke', email: 'joan@clarke.example', phone: null };
  const { enrolmentId } = await placeIn(db, session, { buyer });
  await receive(db, enrolmentId, balanceOf(await accountOf(db, enrolmentId)), momentAt('2025-10-01T09:00'));
  const cancelledOn = momentAt('2025-11-04T09:00');
  await transaction((trx) => cancelSessionAndAsk(trx, session.id, theProgram, cancelledOn));
  const nameAfterErasing = async ({ now }: Moment) => {
    await transaction(async (trx) => enrolmentRecords.erase(trx, await findHeldPerson(trx, buyer.email), now));
    const { buyer_name } = await db
      .selectFrom('enrolments')
      .select('buyer_name')
      .where('id', '=', enrolmentId)
      .executeTakeFirstOrThrow();
    return buyer_name;
  };
  // The choice is open until 18 November, 14 days later; the last day of class was the 7th at the latest.
  expect(await nameAfterErasing(momentAt('2025-11-17T09:00'))).toBe('Joan Clarke');
  await refundSilent(db, momentAt('2025-11-19T09:00'));
  expect(balanceOf(await accountOf(db, enrolmentId))).toBeLessThan(0);
  expect(await nameAfterErasing(momentAt('2025-11-20T09:00'))).toBe('Joan Clarke');
});
