import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesEnrolments } from '#app/features/course-dates/rules.ts';
import { takesEnrolmentsOn } from '#app/features/course-dates/seats.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());

const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
const states = ['tentative', 'confirmed', 'cancelled'] as const;

async function bySql(courseDate: { state: string; startDate: string; enrolmentEnds: string }, day: string) {
  const { rows } = await sql<{ takes: boolean; not: boolean }>`
    select ${takesEnrolmentsOn(day, 'its')} as takes, not ${takesEnrolmentsOn(day, 'its')} as not
    from (select ${courseDate.state}::text as state, ${courseDate.startDate}::date as starts_on,
      ${courseDate.enrolmentEnds}::date as enrolment_ends_on) its`.execute(database.db);
  return rows[0];
}

test('P39: queries and the program say the same of whether a date takes enrolments, around its last days', async () => {
  const seen = new Set<boolean>();
  for (const state of states) {
    for (const startDate of days) {
      for (const enrolmentEnds of days) {
        for (const day of days) {
          const courseDate = { state, startDate, enrolmentEnds };
          const takes = takesEnrolments(courseDate, day);
          seen.add(takes);
          expect([courseDate, day, await bySql(courseDate, day)]).toEqual([courseDate, day, { takes, not: !takes }]);
        }
      }
    }
  }
  expect(seen.size).toBe(2);
});
