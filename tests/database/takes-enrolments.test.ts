import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import { takesEnrolmentsOn } from '#app/features/seats/queries.server.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import { makeSession } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());

const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
const states = ['tentative', 'confirmed', 'cancelled'] as const;

async function bySql(
  session: { state: string; startDate: string; enrolmentEnds: string; retired: boolean },
  day: string,
) {
  const { rows } = await sql<{ takes: boolean; not: boolean }>`
    select ${takesEnrolmentsOn(day, 'its')} as takes, not ${takesEnrolmentsOn(day, 'its')} as not
    from (select ${session.state}::text as state, ${session.startDate}::date as starts_on,
      ${session.enrolmentEnds}::date as enrolment_ends_on,
      case when ${session.retired} then now() end as retired_at) its`.execute(database.db);
  return rows[0];
}

test('P39: queries and the program say the same of whether a date takes enrolments, around its last days', async () => {
  const seen = new Set<boolean>();
  for (const state of states) {
    for (const startDate of days) {
      for (const enrolmentEnds of days) {
        for (const day of days) {
          const session = { state, startDate, enrolmentEnds };
          const takes = takesEnrolments(session, day);
          seen.add(takes);
          expect([session, day, await bySql({ ...session, retired: false }, day)]).toEqual([
            session,
            day,
            { takes, not: !takes },
          ]);
        }
      }
    }
  }
  expect(seen.size).toBe(2);
});

test('a date that is retired takes none', async () => {
  const session = { state: 'confirmed', startDate: '2026-01-03', enrolmentEnds: '2026-01-03' };
  expect(await bySql({ ...session, retired: false }, '2026-01-01')).toEqual({ takes: true, not: false });
  expect(await bySql({ ...session, retired: true }, '2026-01-01')).toEqual({ takes: false, not: true });
  // Nor does the program find one whose seats it could sell.
  const { db } = database;
  const { id } = await makeSession(db);
  const at = new Date('2025-09-08T00:00:00Z');
  const locked = () => db.transaction().execute((trx) => lockSessions(trx, [id], at));
  expect([...(await locked()).keys()]).toEqual([id]);
  await db.updateTable('training_sessions').set({ retired_at: at }).where('id', '=', id).execute();
  expect([...(await locked()).keys()]).toEqual([]);
});
