import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { moveSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { addAsAsked } from '#app/routes/links/enrolment/people-acts.server.ts';
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

/** A date of five days in Sydney, and it again with one thing changed; each with the text of its forms. */
const asShown = {
  first: '17 to 21 November 2025, 9:00 AM to 5:00 PM AEDT each day, In-Person Sydney',
  days: '24 to 28 November 2025, 9:00 AM to 5:00 PM AEDT each day, In-Person Sydney',
  hours: '17 to 21 November 2025, 10:00 AM to 6:00 PM AEDT each day, In-Person Sydney',
  place: '17 to 21 November 2025, 9:00 AM to 5:00 PM AEDT each day, In-Person Melbourne',
  way: '17 to 21 November 2025, 9:00 AM to 5:00 PM AEDT each day, Online/In-Person Sydney',
};
type Version = keyof typeof asShown;

/** What staff enter for a version. */
const wishOf = (version: Version) => ({
  startDate: version === 'days' ? '2025-11-24' : '2025-11-17',
  endDate: version === 'days' ? '2025-11-28' : '2025-11-21',
  startTime: version === 'hours' ? '10:00' : '09:00',
  endTime: version === 'hours' ? '18:00' : '17:00',
  venue: version === 'place' ? 'Melbourne' : 'Sydney',
  delivery: (version === 'way' ? 'both' : 'in-person') as Delivery,
});

async function changeTo(trx: Trx, sessionId: number, version: Version) {
  const { instructor_slug: instructor } = await trx
    .selectFrom('training_sessions')
    .select('instructor_slug')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const wish = wishOf(version);
  const times = { ...wish, breakMinutes: 60, instructor, enrolmentEnds: wish.startDate, decidedBy: null };
  expect(await moveSessionAndAsk(trx, { sessionId, times, actor: theProgram }, moment)).toMatchObject({ ok: true });
}

async function dateInSydney() {
  const session = await makeSession(database.db, { startsOn: '2025-11-10' });
  await transaction((trx) => changeTo(trx, session.id, 'first'));
  const { slug } = await database.db
    .selectFrom('training_sessions')
    .select('slug')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  return { ...session, textOf: (version: Version) => `${slug}: ${asShown[version]}` };
}

const activePlaces = async (enrolmentId: number) =>
  (await readEnrolment(database.db, enrolmentId)).places.filter(({ state }) => state === 'active');

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P40: who moves to a date of which staff changed the %s takes what the page showed, or nothing',
  async (version) => {
    const first = await makeSession(database.db);
    const { enrolmentId } = await placeIn(database.db, first);
    const second = await dateInSydney();
    const [place] = await activePlaces(enrolmentId);
    const move = (date: Record<string, string>) => {
      const values = { place: String(place?.id), to: String(second.id), shown: '549900', ...date };
      return transaction((trx) => transferAsAsked(trx, { enrolmentId, values }, moment));
    };
    await transaction((trx) => changeTo(trx, second.id, version));
    expect(await move({})).toMatchObject({ ok: false });
    expect(await move({ date: second.textOf('first') })).toMatchObject({ ok: false });
    expect((await activePlaces(enrolmentId)).map(({ session }) => session?.id)).toEqual([first.id]);
    expect(await move({ date: second.textOf(version) })).toEqual({ ok: true, done: 'moved' });
  },
);

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P40: who keeps a date of which staff changed the %s again keeps what the page showed, or chooses anew',
  async (version) => {
    const session = await makeSession(database.db, { startsOn: '2025-11-10' });
    const { enrolmentId } = await placeIn(database.db, session);
    const { slug } = await database.db
      .selectFrom('training_sessions')
      .select('slug')
      .where('id', '=', session.id)
      .executeTakeFirstOrThrow();
    const keep = async (date: string) => {
      const values = { place: String((await activePlaces(enrolmentId))[0]?.id), date };
      return transaction((trx) => keepAsAsked(trx, { enrolmentId, values }, moment));
    };
    await transaction((trx) => changeTo(trx, session.id, 'first'));
    await transaction((trx) => changeTo(trx, session.id, version));
    expect(await keep(`${slug}: ${asShown.first}`)).toMatchObject({ ok: false });
    expect((await activePlaces(enrolmentId))[0]?.chooseBy).not.toBeNull();
    // Pressed twice.
    for (let time = 0; time < 2; time++) {
      expect(await keep(`${slug}: ${asShown[version]}`)).toEqual({ ok: true, done: 'kept' });
    }
    expect((await activePlaces(enrolmentId))[0]?.chooseBy).toBeNull();
  },
);

test('P31, P40: a change that is written while somebody keeps the date leaves them the choice', async () => {
  const session = await dateInSydney();
  const { enrolmentId } = await placeIn(database.db, session);
  await transaction((trx) => changeTo(trx, session.id, 'days'));
  const values = { place: String((await activePlaces(enrolmentId))[0]?.id), date: session.textOf('days') };
  const waits = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database.db,
    );
  const kept = await transaction(async (trx) => {
    await changeTo(trx, session.id, 'place');
    const keeping = transaction((other) => keepAsAsked(other, { enrolmentId, values }, moment));
    await expect.poll(async () => (await waits()).rows.length).toBe(1);
    return { keeping };
  });
  expect(await kept.keeping).toMatchObject({ ok: false });
  expect((await activePlaces(enrolmentId))[0]).toMatchObject({ chooseWhy: 'session-moved' });
});

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P39: who adds a person to a date of which staff changed the %s adds them to what the page showed, or nobody',
  async (version) => {
    const session = await dateInSydney();
    const { enrolmentId } = await placeIn(database.db, session);
    const [place] = await activePlaces(enrolmentId);
    const way = `session-${session.id}`;
    const add = (shown: string) => {
      const who = { 'name-1': 'Alan Turing', seen: String(place?.attendee.id), shown: '549900' };
      const values = { ...who, [`way-${session.courseId}`]: way, [`shown-${way}`]: shown };
      return transaction((trx) => addAsAsked(trx, { enrolmentId, values }, moment));
    };
    await transaction((trx) => changeTo(trx, session.id, version));
    expect(await add(session.textOf('first'))).toMatchObject({ ok: false });
    expect(await activePlaces(enrolmentId)).toHaveLength(1);
    expect(await add(session.textOf(version))).toEqual({ ok: true, done: 'added' });
  },
);
