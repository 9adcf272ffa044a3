import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { changePreferences, confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { listDemand, readEntry } from '#app/features/enrolments/waiting/queries.server.ts';
import type { Preferences } from '#app/features/enrolments/waiting/rules.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { exportPerson } from '#server/personal-records.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let staff: StaffActor;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  ({ actor: staff } = await makeStaff(db, { name: 'Ada Byron', email: 'ada@academy.example' }, monday.now));
});
afterAll(() => database.drop());

const monday = momentAt('2025-09-08T09:00');
const [first, second] = ['2025-09-15', '2025-09-22'];

async function join(course: string, email: string, preferences: Preferences, seats = 1): Promise<number> {
  const { id } = await db.selectFrom('courses').select('id').where('slug', '=', course).executeTakeFirstOrThrow();
  const request = { courseId: id, courseDateId: null, seats, preferences, name: 'Mary Shelley', email };
  const joined = await db.transaction().execute((trx) => joinWaitingList(trx, request, monday));
  if (!joined.ok) throw new Error(joined.reason);
  return joined.entryId;
}
const confirm = (id: number) => db.transaction().execute((trx) => confirmEntry(trx, id, monday));
const demandOf = async (course: string, today = monday.today) =>
  (await listDemand(db, staff, today))
    .filter(({ courseSlug }) => courseSlug === course)
    .map(({ week, venue, people, seats }) => [week, venue, people, seats]);

test('P98: staff see how many people and seats each week and place would have', async () => {
  for (const [email, preferences, seats] of [
    ['one@example.com', { weeks: [first, second], venue: 'Sydney' }, 1],
    ['two@example.com', { weeks: [second], venue: 'Sydney' }, 3],
    ['three@example.com', { weeks: [], venue: null }, 1],
  ] as const) {
    await confirm(await join('ccsp', email, preferences, seats));
  }
  expect(await demandOf('ccsp')).toEqual([
    [first, 'Sydney', 1, 1],
    [second, 'Sydney', 2, 4],
    [null, null, 1, 1],
  ]);
});

test('P98: somebody whose weeks have begun counts in any week', async () => {
  await confirm(await join('cism', 'late@example.com', { weeks: [first], venue: 'online' }));
  expect(await demandOf('cism', '2025-09-14')).toEqual([[first, 'online', 1, 1]]);
  expect(await demandOf('cism', first)).toEqual([[null, 'online', 1, 1]]);
});

test('P98: an entry without a confirmed address is not counted', async () => {
  await join('cisa', 'stranger@example.com', { weeks: [first], venue: null });
  expect(await demandOf('cisa')).toEqual([]);
});

test('P98: joining again before confirming replaces the weeks and place, afterwards the first stay', async () => {
  const preferencesOf = async (id: number) => (await readEntry(db, id))?.preferences;
  const id = await join('cdpse', 'again@example.com', { weeks: [first], venue: 'online' });
  await join('cdpse', 'again@example.com', { weeks: [second], venue: null });
  expect(await preferencesOf(id)).toEqual({ weeks: [second], venue: null });
  await confirm(id);
  await join('cdpse', 'again@example.com', { weeks: [first], venue: 'Brisbane' });
  expect(await preferencesOf(id)).toEqual({ weeks: [second], venue: null });
  await db.transaction().execute((trx) => changePreferences(trx, id, { weeks: [first, second], venue: 'Melbourne' }));
  expect(await preferencesOf(id)).toEqual({ weeks: [first, second], venue: 'Melbourne' });
});

test('P58: weeks and place are in what a person downloads', async () => {
  await join('cissp', 'own@example.com', { weeks: [first], venue: 'Sydney' });
  expect((await exportPerson(db, 'own@example.com'))['waiting lists']).toMatchObject([
    { weeks: [first], venue: 'Sydney' },
  ]);
});
