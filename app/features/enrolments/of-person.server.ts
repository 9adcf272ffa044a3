import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** What a person bought, or attends at the invitation of a buyer; the newest first (P50). */
export async function readEnrolmentsOf(
  db: Db,
  personId: number,
): Promise<{ reference: string; title: string; placedAt: Date; bought: boolean }[]> {
  const rows = await db
    .selectFrom('enrolments')
    .select(['reference', 'title', 'placed_at'])
    .select(sql<boolean>`person_id = ${personId}`.as('bought'))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('person_id', '=', personId),
        exists(
          selectFrom('attendees')
            .select('attendees.id')
            .whereRef('attendees.enrolment_id', '=', 'enrolments.id')
            .where('attendees.person_id', '=', personId),
        ),
      ]),
    )
    .orderBy('placed_at', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ placed_at: placedAt, ...row }) => ({ ...row, placedAt, bought: row.bought === true }));
}
