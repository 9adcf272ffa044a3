import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetSearches, mayKeep, storeSearches } from '#app/features/catalogue/visits/searches.server.ts';
import { isRead, openVisits } from '#app/features/catalogue/visits/visits.server.ts';

import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const search = (words: string, networks: readonly string[], today = '2025-09-08') =>
  storeSearches(database.db, { key: 'key', today, asked: networks.map((network) => ({ words, network })) });
const kept = () => database.db.selectFrom('lost_searches').select(['words', 'asked']).orderBy('words').execute();
const askers = () => database.db.selectFrom('lost_search_askers').selectAll().execute();

test('P85: words are kept once three networks asked for them in 30 days, and nothing in clear before', async () => {
  await search('cobol', ['one', 'one']);
  await search('cobol', ['one', 'two'], '2025-09-09');
  expect((await kept()).filter(({ words }) => words !== '')).toEqual([]);
  expect(JSON.stringify(await askers())).not.toMatch(/cobol|one|two/);
  // The first two were forgotten by then: this is the third network, and the first of its 30 days.
  await search('cobol', ['three'], '2025-10-09');
  expect((await kept()).filter(({ words }) => words !== '')).toEqual([]);
  await search('cobol', ['one', 'two'], '2025-10-10');
  expect((await kept()).filter(({ words }) => words !== '')).toEqual([{ words: 'cobol', asked: 2 }]);
  await forgetSearches(database.db, new Date('2025-11-08T09:00:00+10:00'));
  // Asked on 9 October: 30 days ago. Those of the 10th stay a day longer.
  expect(await askers()).toHaveLength(2);
  await forgetSearches(database.db, new Date('2026-10-09T09:00:00+10:00'));
  expect(await kept()).toEqual([{ words: 'cobol', asked: 2 }]);
  await forgetSearches(database.db, new Date('2026-10-10T09:00:00+10:00'));
  expect(await kept()).toEqual([]);
});

test('P85: two searches of one network have nothing in common in the database', async () => {
  await search('cobol', ['one']);
  await search('fortran', ['one']);
  const hashes = (await askers()).map(({ words_hash, asker_hash }) => [words_hash, asker_hash]);
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes.flat()).size).toBe(4);
  for (const table of ['lost_searches', 'lost_search_askers'] as const) await database.db.deleteFrom(table).execute();
});

test('P85: neither addresses nor numbers nor names of people we know are kept, no matter who asks', async () => {
  await writeEnrolment(database.db, [], {
    buyer_name: 'Wilhelmina Featherstone',
    person_id: await person(),
  });
  for (const words of ['mina@example.com', '0412 345 678', 'wilhelmina featherstone', 'featherstone wilhelmina', 'x']) {
    await search(words, ['one', 'two', 'three', 'four']);
  }
  expect(await kept()).toEqual([{ words: '', asked: 20 }]);
  for (const words of ['c#', 'prince2', 'iso 27001', 'sap s/4hana'])
    expect([words, mayKeep(words)]).toEqual([words, true]);
  await database.db.deleteFrom('lost_searches').execute();
});

async function person(): Promise<number> {
  const at = new Date('2025-09-08T09:00:00+10:00');
  const { id } = await database.db
    .insertInto('people')
    .values({ email: 'mina@example.com', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

test('P85: reads of courses are stored once, of pages that were answered', async () => {
  const clock = { now: () => new Date('2025-09-08T09:00:00+10:00'), aheadMs: 0 };
  const needs = { db: database.db, clock, key: 'key', finds: () => true };
  const visits = openVisits(needs);
  const fields: Record<string, string> = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const read = (target: string, status = 200) =>
    visits.answered({
      ...{ method: 'GET', route: '/course/:courseId', target, status },
      field: (name) => fields[name],
      network: () => 'one',
    });
  read('/course/cissp');
  read('/course/cissp?utm_source=x', 304);
  read('/course/nothing');
  read('/course/cissp', 404);
  const reads = async () =>
    (await database.db.selectFrom('course_days').select(['reads', 'begun']).execute()) as unknown;
  await visits.store();
  await visits.store();
  expect(await reads()).toEqual([{ reads: 2, begun: 0 }]);
});

test('P85: a page is read when a browser shows it', () => {
  const by = (fields: Record<string, string>, method = 'GET') => isRead(method, (name) => fields[name]);
  const shown = {
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'user-agent': 'Mozilla/5.0 Firefox/140.0',
  };
  expect(by(shown)).toBe(true);
  expect(by({ ...shown, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' })).toBe(true);
  expect(by(shown, 'HEAD')).toBe(false);
  expect(by({ ...shown, 'sec-purpose': 'prefetch' })).toBe(false);
  expect(by({ ...shown, 'sec-fetch-dest': 'iframe' })).toBe(false);
  expect(by({ 'user-agent': 'Mozilla/5.0 Firefox/140.0' })).toBe(false);
  expect(by({ ...shown, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })).toBe(false);
});

test('P85: neither numbers in other digits, nor addresses in other signs, nor a known name among other words are kept', async () => {
  const { db } = database;
  for (const words of [
    '\uff10\uff14\uff11\uff12\uff13\uff14\uff15\uff16',
    'mina\uff20example.com',
    'mina%40example.com',
    'licence 123456',
  ]) {
    expect([words, mayKeep(words)]).toEqual([words, false]);
  }
  expect(mayKeep('licence 12345')).toBe(true);
  await db.deleteFrom('lost_searches').execute();
  for (const words of ['wilhelmina featherstone cissp', 'refund for wilhelmina at featherstone']) {
    await search(words, ['one', 'two', 'three']);
  }
  expect(await kept()).toEqual([{ words: '', asked: 6 }]);
  await search('wilhelmina quantum', ['one', 'two', 'three']);
  expect((await kept()).map(({ words }) => words)).toEqual(['', 'wilhelmina quantum']);
  await db.deleteFrom('lost_searches').execute();
});

test('P85: a search that cannot be stored does not take the others of its minute along', async () => {
  const networks = ['one', 'two', 'three'];
  const asked = networks.flatMap((network) => ['no\0such', 'fortran'].map((words) => ({ words, network })));
  await storeSearches(database.db, { key: 'key', today: '2025-09-08', asked });
  expect(await kept()).toEqual([
    { words: '', asked: 3 },
    { words: 'fortran', asked: 3 },
  ]);
  await database.db.deleteFrom('lost_searches').execute();
});

test('P85: searches that cannot be stored are counted again, no more of one than can be kept', async () => {
  const clock = { now: () => new Date('2025-09-08T09:00:00+10:00'), aheadMs: 0 };
  const looked: string[] = [];
  const finds = (words: string) => {
    looked.push(words);
    return false;
  };
  const visits = openVisits({ db: database.db, clock, key: 'key', finds });
  const fields: Record<string, string> = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  visits.answered({
    ...{ method: 'GET', route: '/courses', target: `/courses?search=${'x'.repeat(7000)}`, status: 200 },
    field: (name) => fields[name],
    network: () => 'one',
  });
  await sql`alter table lost_searches rename to away`.execute(database.owner);
  try {
    await expect(visits.store()).rejects.toThrow();
  } finally {
    await sql`alter table away rename to lost_searches`.execute(database.owner);
  }
  await visits.store();
  expect(await kept()).toEqual([{ words: '', asked: 1 }]);
  expect(Math.max(...looked.map(({ length }) => length))).toBeLessThan(100);
  await database.db.deleteFrom('lost_searches').execute();
});
