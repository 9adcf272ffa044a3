import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { moveCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { addAsAsked } from '#app/routes/links/enrolment/people-acts.server.ts';
import { keepAsAsked, transferAsAsked } from '#app/routes/links/enrolment/place-acts.server.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
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

async function changeTo(trx: Trx, courseDateId: number, version: Version) {
  const { instructor_slug: instructor } = await trx
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const wish = wishOf(version);
  const times = { ...wish, breakMinutes: 60, instructor, enrolmentEnds: wish.startDate, decidedBy: null };
  expect(await moveCourseDateAndAsk(trx, { courseDate: courseDateId, times, actor: theProgram }, moment)).toMatchObject(
    {
      ok: true,
    },
  );
}

async function dateInSydney() {
  const courseDate = await makeCourseDate(database.db, { startsOn: '2025-11-10' });
  await transaction((trx) => changeTo(trx, courseDate.id, 'first'));
  const { slug } = await database.db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  return { ...courseDate, textOf: (version: Version) => `${slug}: ${asShown[version]}` };
}

const activePlaces = async (enrolmentId: number) =>
  (await readEnrolment(database.db, enrolmentId)).places.filter(({ state }) => state === 'active');

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P40: who moves to a date of which staff changed the %s takes what the page showed, or nothing',
  async (version) => {
    const first = await makeCourseDate(database.db);
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
    expect((await activePlaces(enrolmentId)).map(({ courseDate }) => courseDate?.id)).toEqual([first.id]);
    expect(await move({ date: second.textOf(version) })).toEqual({ ok: true, done: 'moved' });
  },
);

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P40: who keeps a date of which staff changed the %s again keeps what the page showed, or chooses anew',
  async (version) => {
    const courseDate = await makeCourseDate(database.db, { startsOn: '2025-11-10' });
    const { enrolmentId } = await placeIn(database.db, courseDate);
    const { slug } = await database.db
      .selectFrom('course_dates')
      .select('slug')
      .where('id', '=', courseDate.id)
      .executeTakeFirstOrThrow();
    const keep = async (date: string) => {
      const values = { place: String((await activePlaces(enrolmentId))[0]?.id), date };
      return transaction((trx) => keepAsAsked(trx, { enrolmentId, values }, moment));
    };
    await transaction((trx) => changeTo(trx, courseDate.id, 'first'));
    await transaction((trx) => changeTo(trx, courseDate.id, version));
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
  const courseDate = await dateInSydney();
  const { enrolmentId } = await placeIn(database.db, courseDate);
  await transaction((trx) => changeTo(trx, courseDate.id, 'days'));
  const values = { place: String((await activePlaces(enrolmentId))[0]?.id), date: courseDate.textOf('days') };
  const waits = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database.db,
    );
  const kept = await transaction(async (trx) => {
    await changeTo(trx, courseDate.id, 'place');
    const keeping = transaction((other) => keepAsAsked(other, { enrolmentId, values }, moment));
    await expect.poll(async () => (await waits()).rows.length).toBe(1);
    return { keeping };
  });
  expect(await kept.keeping).toMatchObject({ ok: false });
  expect((await activePlaces(enrolmentId))[0]).toMatchObject({ chooseWhy: 'course-date-moved' });
});

test.for(['days', 'hours', 'place', 'way'] as const)(
  'P31, P39: who adds a person to a date of which staff changed the %s adds them to what the page showed, or nobody',
  async (version) => {
    const courseDate = await dateInSydney();
    const { enrolmentId } = await placeIn(database.db, courseDate);
    const [place] = await activePlaces(enrolmentId);
    const way = `course-date-${courseDate.id}`;
    const add = (shown: string) => {
      const who = { 'name-1': 'Alan Turing', seen: String(place?.attendee.id), shown: '549900' };
      const values = { ...who, [`way-${courseDate.courseId}`]: way, [`shown-${way}`]: shown };
      return transaction((trx) => addAsAsked(trx, { enrolmentId, values }, moment));
    };
    await transaction((trx) => changeTo(trx, courseDate.id, version));
    expect(await add(courseDate.textOf('first'))).toMatchObject({ ok: false });
    expect(await activePlaces(enrolmentId)).toHaveLength(1);
    expect(await add(courseDate.textOf(version))).toEqual({ ok: true, done: 'added' });
  },
);
