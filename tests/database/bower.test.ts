import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { chooseAvenue, readBower, wasMarkedOn } from '#app/features/study/bower/records.server.ts';
import { revokeCertificate } from '#app/features/study/certificates/end-certificate.server.ts';
import { exportPerson } from '#server/personal-records.ts';
import { afterClass, attends, type Class, issued, makeClass } from '#tests/support/certificates.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { personOf } from '#tests/support/players.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
let staff: StaffActor;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
  ({ actor: staff } = await makeStaff(db, { email: 'olive@staff.example', name: 'Olive' }, afterClass.now));
});
afterAll(() => database.drop());

const someone = async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  return { email, personId: await personOf(db, email) };
};
const noCourses = { bySlug: new Map(), aliases: new Map() };
const anHourLater = { ...afterClass, now: new Date(afterClass.now.getTime() + 3_600_000) };
const revoke = (number: string) =>
  db.transaction().execute((trx) => revokeCertificate(trx, { number, why: 'mistake', actor: staff }, anHourLater));

test('P63: three days of seven hours are 21 straws, and the certificate a treasure until it is revoked', async () => {
  const { email, personId } = await someone();
  const { placeId } = await attends(db, group, { name: 'Ada Byron', email });
  const read = async () => {
    const { minutes, finished, underWay } = await readBower(db, personId, noCourses);
    return [minutes, finished.map(({ slug }) => slug), underWay.map(({ slug }) => slug)];
  };
  expect(await read()).toEqual([1260, [], ['cissp']]);
  const { number } = await issued(db, placeId);
  expect(await read()).toEqual([1260, ['cissp'], []]);
  await revoke(number);
  expect(await read()).toEqual([1260, [], ['cissp']]);
});

test('P63: a straw falls on the day on which a day attended was marked, and not on the next', async () => {
  const { email, personId } = await someone();
  expect(await wasMarkedOn(db, personId, '2025-09-01')).toBe(false);
  await attends(db, group, { name: 'Ada Byron', email });
  expect(await wasMarkedOn(db, personId, '2025-09-01')).toBe(true);
  expect(await wasMarkedOn(db, personId, '2026-12-01')).toBe(false);
});

test('P63: no two treasures of one bower have the same split, and revoking a certificate frees its split', async () => {
  const { email } = await someone();
  const certificate = async () => {
    const { placeId } = await attends(db, group, { name: 'Ada Byron', email });
    const { id, number } = await issued(db, placeId);
    const rows = db.selectFrom('certificates').select(sql<string>`facts -> 'treasure' ->> 'split'`.as('split'));
    return { number, ...(await rows.where('id', '=', id).executeTakeFirstOrThrow()) };
  };
  const [first, second] = [await certificate(), await certificate()];
  expect(second.split).not.toBe(first.split);
  await revoke(first.number);
  expect((await certificate()).split).toBe(first.split);
});

/** A class like `group`, in another course. */
async function otherClass(course: string): Promise<Class> {
  const made = await makeCourseDate(db, { course, capacity: 20 });
  const { slug, instructor_slug: teachesAs } = await db
    .updateTable('course_dates')
    .set({ ends_on: '2025-11-05', break_minutes: 60 })
    .where('id', '=', made.id)
    .returning(['slug', 'instructor_slug'])
    .executeTakeFirstOrThrow();
  return { courseDate: { ...made, slug }, instructor: { ...group.instructor, teachesAs: [teachesAs] }, teachesAs };
}

test('P97: the treasure that its owner chose comes first, and is exported with the account', async () => {
  const { email, personId } = await someone();
  for (const one of [group, await otherClass('ccsp')]) {
    await issued(db, (await attends(db, one, { name: 'Ada Byron', email })).placeId);
  }
  const treasures = async () => (await readBower(db, personId, noCourses)).finished.map(({ slug }) => slug);
  await db.insertInto('players').values({ person_id: personId, since: afterClass.now }).execute();
  expect(await treasures()).toEqual(['cissp', 'ccsp']);
  for (const chosen of ['ccsp', 'comptia-a-plus']) {
    await db.transaction().execute((trx) => chooseAvenue(trx, personId, chosen));
    expect(await treasures()).toEqual(chosen === 'ccsp' ? ['ccsp', 'cissp'] : ['cissp', 'ccsp']);
    expect((await exportPerson(db, email)).account).toMatchObject([{ players: [{ avenue: chosen }] }]);
  }
});
