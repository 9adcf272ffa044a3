import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '#app/db/migrate.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { until } from '#scripts/support/until.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { migrateTo } from '#tests/support/migrate-to.ts';
import { pageAgrees, recordsAgree } from '#tests/support/random/invariants.ts';
import { Promises } from '#tests/support/random/promises.ts';
import { buyerActs, type Stage } from '#tests/support/random/stage.ts';
import { signInStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { buyers, lastMigration, links, now, seats, world } from '#tests/support/upgrade/b983444.ts';

/**
 * The first database that had people in it, carried over to this program (P93). Its rows (`b983444.sql`) and what they
 * come to (`b983444.ts`, written by hand) stay as they are for ever: no migration, and no change of the program, may change
 * what somebody bought, owes or waits for. A new migration is to need no change here. Where a rule changes for contracts of
 * then as well, the figure is changed with the number of the rule beside it. What is asked here is what pages and readers
 * answer, not how tables are cut; a change that moves a reader changes the import.
 */
let database: TestDatabase;
let academy: AcademyApp;
let stage: Stage;
let waitingMails: unknown[];
// A whole upgrade, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });
beforeAll(async () => {
  // The jobs of the program have its time too.
  vi.useFakeTimers({ toFake: ['Date'], now });
  database = await createTestDatabase('template', 'owner');
  const { db } = database;
  await migrateTo(db, lastMigration);
  const rows = await readFile(path.join(projectRoot, 'tests/support/upgrade/b983444.sql'), 'utf8');
  await sql.raw(`begin; set local session_replication_role = replica; ${rows} commit`).execute(db);
  await migrate(db);
  waitingMails = await mails('queued');
  academy = await openAcademyApp({ on: database, now, jobs: true });
  const staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const draw = { below: () => 0, of: <T>(from: readonly T[]) => from[0], chance: () => false };
  stage = { academy, db, staff, world: world(), draw, promises: new Promises(world()) };
});
afterAll(async () => {
  await database?.drop();
  vi.useRealTimers();
});

const mails = (state: 'queued' | 'sent') =>
  database.db
    .selectFrom('mails')
    .select(['kind', 'recipient'])
    .where('state', '=', state)
    .where('kind', '=', 'enrolment-placed')
    .where('recipient', 'in', ['simone.weil@example.org', 'hannah.arendt@example.org'])
    .orderBy('recipient')
    .execute();
const staffPage = async (address: string) => mainText(await stage.staff.get(address));

test('the upgrade keeps buyers, places, invoices, credits, payments and debts as they were', async () => {
  const { db } = database;
  const accounts = await accountsOf(
    db,
    buyers.map(({ id }) => id),
  );
  const found = await Promise.all(
    buyers.map(async ({ id }) => {
      const { buyerName, places } = await readEnrolment(db, id);
      return { id, buyer: buyerName, places: places.length, ...accounts.get(id) };
    }),
  );
  expect(found).toEqual(
    buyers.map(({ id, buyer, places, invoiced, credited, paid, refunded }) => ({
      id,
      buyer,
      places: places.length,
      invoicedCents: invoiced,
      creditedCents: credited,
      paidCents: paid,
      refundedCents: refunded,
    })),
  );
  const all = await Promise.all(buyers.map(({ id }) => readEnrolment(db, id)));
  const people = all.flatMap(({ places }) => places.map(({ attendee }) => attendee));
  expect([all.length, people.length, new Set(people.map(({ id }) => id)).size]).toEqual([25, 35, 32]);
  expect(new Set(people.flatMap(({ name }) => name ?? [])).size).toBe(30);
  expect(await staffPage('/staff/payments')).toContain('AU$123.45');
});

test('seats, places, documents and money agree, and each buyer’s link of then says what is owed', async () => {
  await recordsAgree(stage);
  for (const buyer of buyers) await pageAgrees({ ...stage, draw: { ...stage.draw, of: () => buyer as never } });
  for (const [session, text] of seats) expect(await staffPage(`/staff/sessions/${session.slug}`)).toContain(text);
});

test('the links of attendees, those who wait, booked, asked or had not finished still open', async () => {
  for (const [address, text] of links) {
    const response = await academy.request(address);
    expect([address, response.status]).toEqual([address, 200]);
    expect(await mainText(response)).toContain(text);
  }
});

test('the upgrade keeps the order of waiting lists, and the seat that was offered', async () => {
  const order = (text: string, names: readonly string[]) => names.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
  const wanted = await staffPage('/staff/waiting/comptia-security-plus-online-2025-11-10');
  const three = ['Mary Shelley', 'Claire Clairmont', 'Thomas Peacock'];
  for (const name of three) expect(wanted).toContain(name);
  expect(order(wanted, three)).toEqual(three);
  expect(wanted.split('Offered 1 seat in comptia-security-plus-online-2025-11-10')).toHaveLength(2);
  const next = await staffPage('/staff/waiting/course:ccsp');
  const others = ['Katherine Johnson', 'Ada King', 'Augusta Leigh'];
  for (const name of others) expect(next).toContain(name);
  expect(order(next, others)).toEqual(others);
  expect(next).not.toContain('Offered 1 seat');
});

test('the mail that waited is sent once', async () => {
  const two = ['hannah.arendt@example.org', 'simone.weil@example.org'].map((recipient) => ({
    kind: 'enrolment-placed',
    recipient,
  }));
  expect(waitingMails).toEqual(two);
  await until(async () => (await mails('sent')).length === 2);
  expect(await mails('sent')).toEqual(two);
});

test('P40: what comes back is what the terms of then say, and numbers of documents go on', async () => {
  const cancelPage = (name: string, place: number) => {
    const token = buyers.find(({ buyer }) => buyer === name)?.token;
    return `/enrolment/${token}/cancel?place=${place}`;
  };
  const comesBack = async (name: string, place: number) => {
    const html = await (await academy.request(cancelPage(name, place))).text();
    return Number(/name="shown" value="(\d+)"/.exec(html)?.[1]);
  };
  // Seven days before the first day half comes back, and 28 days before it all. A move at 31 days has kept all of it.
  expect(await comesBack('Maria Branwell', 13)).toBe(114_950);
  expect(await comesBack('Irene Joliot', 29)).toBe(549_900);
  expect(await comesBack('Eliza Raine', 33)).toBe(229_900);
  const cancelled = await buyerActs(stage, cancelPage('Maria Branwell', 13), {}, 'cancel-form');
  expect(cancelled.status).toBe(303);
  const maria = `/enrolment/${buyers.find(({ buyer }) => buyer === 'Maria Branwell')?.token}`;
  expect(await mainText(await academy.request(maria))).toContain('ADJ-00005');
  const account = (await accountsOf(database.db, [7])).get(7);
  expect(account).toMatchObject({ invoicedCents: 689_700, creditedCents: 229_900, paidCents: 689_700 });
});

test('the content of now is imported over the content of then, and dates that people are in stay', async () => {
  const result = await importContent(database.db, await readAcademy(), { now, today: '2025-10-06' }, () => true);
  expect(result).toMatchObject({ ok: true, plan: { conflicts: [] } });
  for (const [session] of seats) {
    expect((await stage.staff.get(`/staff/sessions/${session.slug}`)).status).toBe(200);
  }
});

test('every job ran without a fault', async () => {
  // Waits for the jobs that run.
  await academy.close();
  expect((await sql`select * from job_faults`.execute(database.db)).rows).toEqual([]);
  expect(academy.logged.filter((line) => JSON.parse(line).msg === 'job failed')).toEqual([]);
});
