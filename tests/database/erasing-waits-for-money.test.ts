import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelCourseDateAndAsk, endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { goingOnFor } from '#app/features/enrolments/ended-enrolments.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
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
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const { enrolmentId } = await placeIn(db, courseDate, { buyer, attendees: [attendee(buyer), attendee(bob)] });
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

test('P58: an open choice keeps its buyer after the class that we cancelled, and so does the refund that follows', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const buyer = { name: 'Joan Clarke', email: 'joan@clarke.example', phone: null };
  const { enrolmentId } = await placeIn(db, courseDate, { buyer });
  await receive(db, enrolmentId, balanceOf(await accountOf(db, enrolmentId)), momentAt('2025-10-01T09:00'));
  const cancelledOn = momentAt('2025-11-04T09:00');
  await transaction((trx) => cancelCourseDateAndAsk(trx, courseDate.id, theProgram, cancelledOn));
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
  await endChoices(db, momentAt('2025-11-19T09:00'));
  expect(balanceOf(await accountOf(db, enrolmentId))).toBeLessThan(0);
  expect(await nameAfterErasing(momentAt('2025-11-20T09:00'))).toBe('Joan Clarke');
});
