import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { moveSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { keepAsAsked, transferAsAsked } from '#app/routes/links/enrolment/place-acts.server.ts';
import { makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const moment = momentAt('2025-09-09T09:00');

/** Staff move a date of five days to begin on another day. */
async function moveTo(sessionId: number, startDate: string, endDate: string) {
  const { instructor_slug: instructor } = await database.db
    .selectFrom('training_sessions')
    .select('instructor_slug')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const hours = { startTime: '09:00', endTime: '17:00', breakMinutes: 60 };
  const how = { delivery: 'online', venue: null, instructor, enrolmentEnds: startDate, decidedBy: null } as const;
  const times = { startDate, endDate, ...hours, ...how };
  const moved = await transaction((trx) => moveSessionAndAsk(trx, { sessionId, times, actor: theProgram }, moment));
  expect(moved).toMatchObject({ ok: true });
}

test('P31, P40: who moves to a date, or keeps one, takes the days that the page showed', async () => {
  const { db } = database;
  const [first, second] = [await makeSession(db), await makeSession(db, { startsOn: '2025-11-17' })];
  const { enrolmentId } = await placeIn(db, first);
  const placeOf = async () => (await readEnrolment(db, enrolmentId)).places.find(({ state }) => state === 'active');
  const move = async (date: string) => {
    const values = { place: String((await placeOf())?.id), to: String(second.id), shown: '549900', date };
    return transaction((trx) => transferAsAsked(trx, { enrolmentId, values }, moment));
  };
  await moveTo(second.id, '2025-11-24', '2025-11-28');
  expect(await move('2025-11-17/2025-11-21')).toMatchObject({ ok: false });
  expect((await placeOf())?.session?.id).toBe(first.id);
  expect(await move('2025-11-24/2025-11-28')).toEqual({ ok: true, done: 'moved' });

  const keep = async (date: string) => {
    const values = { place: String((await placeOf())?.id), date };
    return transaction((trx) => keepAsAsked(trx, { enrolmentId, values }, moment));
  };
  await moveTo(second.id, '2025-12-01', '2025-12-05');
  await moveTo(second.id, '2025-12-08', '2025-12-12');
  expect(await keep('2025-12-01/2025-12-05')).toMatchObject({ ok: false });
  expect((await placeOf())?.chooseBy).not.toBeNull();
  expect(await keep('2025-12-08/2025-12-12')).toEqual({ ok: true, done: 'kept' });
  // Pressed twice.
  expect(await keep('2025-12-08/2025-12-12')).toEqual({ ok: true, done: 'kept' });
});
