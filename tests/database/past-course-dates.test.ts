import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { readCourseDateRows, seatsQuery } from '#app/features/course-dates/queries.server.ts';
import { writePastCourseDates } from '#scripts/support/past-course-dates.ts';
import { miscountedCourseDates, placeIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const past = 20_000;
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  await writePastCourseDates(database.owner, past, '2025-09-01');
});
afterAll(() => database.drop());

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
};

/** Every step of the plan by which a query was carried out. */
async function stepsOf({ sql: text, parameters }: CompiledQuery): Promise<Plan[]> {
  const query = sql.raw<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${text}`).compile(db);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>({ ...query, parameters });
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => all(plan)));
}
const rowsRead = (steps: Plan[], relation: string) =>
  steps
    .filter((step) => step['Relation Name'] === relation)
    .reduce((sum, step) => sum + step['Actual Rows'] * step['Actual Loops'], 0);

test('P27: after 20,000 past course dates seats are renewed without a look at a movement or a past course date', async () => {
  const since = '2025-09-01';
  const steps = await stepsOf(seatsQuery(db, { since }).compile());
  const open = await readCourseDateRows(db, { since });
  expect(open.length).toBeGreaterThan(5);
  expect(open.length).toBeLessThan(100);
  expect(steps.filter((step) => step['Relation Name'] === 'seat_movements')).toEqual([]);
  expect(rowsRead(steps, 'course_dates')).toBe(open.length);
  // Left and sold each look once for each course date that is not over.
  expect(rowsRead(steps, 'course_date_seats')).toBe(2 * open.length);
  const scanned = steps.filter((step) => step['Node Type'] === 'Seq Scan').map((step) => step['Relation Name']);
  expect(scanned.filter((relation) => relation !== 'waiting_entries')).toEqual([]);
});

test('P27: a sale among 20,000 past course dates reads no table of their history from end to end', async () => {
  const courseDate = await db
    .selectFrom('course_dates')
    .select(['id', 'course_id as courseId'])
    .where('slug', '=', 'cissp-melbourne')
    .executeTakeFirstOrThrow();
  const tables = ['course_dates', 'seat_movements', 'seat_holds', 'places', 'attendees', 'enrolments'];
  await db.connection().execute(async (one) => {
    const scans = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(one);
      const { rows } = await sql`select relname, seq_scan from pg_stat_user_tables
        where relname in (${sql.join(tables)}) order by relname`.execute(db);
      return rows;
    };
    const before = await scans();
    await placeIn(one, courseDate);
    expect(await scans()).toEqual(before);
    await sql`select max(price_cents) from places`.execute(one);
    expect(await scans()).not.toEqual(before);
  });
  expect(await miscountedCourseDates(db)).toEqual([]);
});
