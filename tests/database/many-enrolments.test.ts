import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { listEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { listPeople } from '#app/features/people/people-list.server.ts';
import { classesToday } from '#app/features/reports/today/classes.server.ts';
import { moneyDue } from '#app/features/reports/today/money.server.ts';
import { listClasses } from '#app/features/study/classes.server.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { findAnything } from '#app/routes/staff/find/find.server.ts';
import { peopleList } from '#app/routes/staff/people/people-list.tsx';
import { writeManyEnrolments } from '#scripts/support/many-enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const today = '2025-09-08';
/** More than are counted. */
const count = 11_000;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  await writeManyEnrolments(database.owner, count, today, 1);
});
afterAll(() => database.drop());

const enrolments = (query: string) =>
  listEnrolments(db, anOwner, enrolmentList.viewOf(new URLSearchParams(query)), today);
const people = (query: string) => listPeople(db, anOwner, peopleList.viewOf(new URLSearchParams(query)));

test('P78: a list counts to 10,000 and says that there are more', async () => {
  expect((await enrolments('')).standing).toEqual({ before: 0, shown: 50, total: 10_000, more: true });
  expect((await enrolments('state=cancelled')).standing.total).toBe(count / 40);
});

test.each(['buyer10007', 'buyer10007+com', 'com+buyer10007'])('P82: %s finds one among thousands', async (search) => {
  const email = 'buyer10007@example7.com';
  expect((await enrolments(`search=${search}`)).enrolments.map((one) => one.email)).toContain(email);
  expect((await people(`search=${search}`)).people.map((one) => one.email)).toEqual([email]);
  const { groups } = await findAnything(db, anOwner, search.replace('+', ' '), { today, byCard: true });
  expect(groups.find(({ name }) => name === 'People')?.rows).toHaveLength(1);
});

test('P82: a word that everybody has finds the newest', async () => {
  const { groups } = await findAnything(db, anOwner, 'com', { today, byCard: true });
  const newest = await db.selectFrom('enrolments').select('reference').orderBy('id', 'desc').limit(6).execute();
  expect(groups.find(({ name }) => name === 'Enrolments')?.rows.map(({ end }) => end)).toEqual(
    newest.map(({ reference }) => reference),
  );
});

test('pages of classes show a bounded number, say that there are more, and leave out none that is on', async () => {
  const { now: on, coming, past } = await listClasses(db, anOwner, today);
  const { rows } = await sql<{ slug: string }>`select slug from course_dates s
    where starts_on <= ${today} and ends_on >= ${today} and s.state <> 'cancelled'
      and exists (select from places where course_date_id = s.id and state <> 'cancelled')
    order by starts_on, id`.execute(db);
  expect(on.classes.map(({ slug }) => slug)).toEqual(rows.map(({ slug }) => slug));
  expect(rows.length).toBeGreaterThan(0);
  expect([coming.classes.length, coming.more, past.classes.length, past.more]).toEqual([50, true, 50, true]);
  const first = await classesToday(db, anOwner, new Date(`${today}T00:00:00Z`));
  expect(first.count).toBeGreaterThanOrEqual(rows.length);
  expect(first.shown.length).toBe(Math.min(first.count, 40));
});

test('the sums of amounts due are those of all open invoices', async () => {
  const { rows } = await sql<{ band: 'week' | 'late' | 'long'; parts: number; cents: number }>`
    select case when due_on >= ${today} then 'week' when due_on >= ${today}::date - 14 then 'late' else 'long' end as band,
      count(*)::integer as parts, sum(due_cents)::bigint as cents
    from enrolments cross join lateral open_invoices(enrolments.id) as open
    -- The day is a Monday, so its week ends six days later.
    where due_on between ${today}::date - 1096 and ${today}::date + 6 group by 1`.execute(db);
  const all = Object.fromEntries(rows.map(({ band, ...sum }) => [band, sum]));
  const due = await moneyDue(db, anOwner, today);
  expect({ week: due.week, late: due.late, long: due.long }).toEqual(all);
});
