import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/**
 * A person's name: from their invitation, else from the latest place they attend or enrolment they bought;
 * null while nobody said it. For themselves only: others may have written it.
 */
export async function nameOf(db: Db, { id, name }: { id: number; name: string | null }): Promise<string | null> {
  if (name !== null) return name;
  const { rows } = await sql<{ name: string }>`
    select name from (
      (select name, enrolment_id, 1 as rank from attendees where person_id = ${id} and name is not null
        order by enrolment_id desc limit 1)
      union all
      (select buyer_name, id, 2 from enrolments where person_id = ${id} order by id desc limit 1)
    ) known order by rank limit 1`.execute(db);
  return rows[0]?.name ?? null;
}
