import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { jobOfRuns } from './acts.ts';

const tables = ['bulk_runs'] as const;

/** The items that are about a person's own records. */
const itemsOf = ({ id }: HeldPerson) => sql`(
  (about_kind = 'attendee' and about_id in (select id from attendees where person_id = ${id}))
  or (about_kind = 'enrolment' and about_id in (select id from enrolments where person_id = ${id}))
  or (about_kind = 'waiting-entry' and about_id in (select id from waiting_entries where person_id = ${id})))`;

const isOver = sql`coalesce(ended_at, stopped_at) is not null`;

/** Erases the texts of runs, and stops those that are not over. Returns how many. */
async function eraseWords(trx: Db, which: RawBuilder<unknown>, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update bulk_runs set subject = null, body = null, reason = null, words_erased_at = ${at},
      stopped_at = case when ${isOver} then stopped_at else ${at} end
    where words_erased_at is null and coalesce(subject, body, reason) is not null and ${which}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * What staff wrote to several people at once, and why they gave more time to pay. A person finds what was for them. It
 * is erased where it names the person, by an address or a name of two words and more, or was for them alone. What
 * names them and is for others too still reaches the others, and is erased when that is over. Who else a run was for is
 * kept by id.
 */
export const runRecords: PersonalRecords = {
  name: 'acts on many',
  tables,
  async read(db, person) {
    const { rows } = await sql<object>`
      select act, subject, body, reason, due_at, item.state, settled_at
      from bulk_run_items item join bulk_runs on bulk_runs.id = run_id
      where ${itemsOf(person)} order by item.id`.execute(db);
    return rows;
  },
  async erase(trx, person, at) {
    const { id, addresses } = person;
    const named = sql`exists (
      select from (
        select unnest(${[...addresses]}::text[])
        union all select name from people where id = ${id} and name like '% %'
        union all select name from attendees where person_id = ${id} and name like '% %'
        union all select buyer_name from enrolments where person_id = ${id} and buyer_name like '% %'
        union all select name from waiting_entries where person_id = ${id} and name like '% %'
      ) as known (word)
      where concat_ws(' ', subject, body, reason) ~*
          ('(^|[^[:alnum:]])' || regexp_replace(btrim(word), '([^[:alnum:]\\s])', '\\\\\\1', 'g') || '($|[^[:alnum:]])')
        and not exists (select from courses where lower(title) = lower(btrim(word))))`;
    const onlyTheirs = sql`(select bool_and(${itemsOf(person)}) from bulk_run_items where run_id = bulk_runs.id)`;
    const count = await eraseWords(trx, sql`(${onlyTheirs} or (${isOver} and ${named}))`, at);
    await sql`update bulk_runs set erase_when_over = true where words_erased_at is null and ${named}`.execute(trx);
    return { count };
  },
};

/**
 * The daily job: erases what staff wrote, as many days after a run ended as copies of the mails are kept, or at once
 * where it names somebody who was erased, and forgets the faults of items that were given up. Returns of how many runs,
 * null when it was done today.
 */
export function expireRunWordsDaily(db: Db, days: number, now: Date): Promise<number | null> {
  const before = new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
  return doDaily(db, 'erase-run-words', now, async (trx) => {
    const erased = await eraseWords(
      trx,
      sql`(coalesce(ended_at, stopped_at) < ${before} or (${isOver} and erase_when_over))`,
      now,
    );
    if (erased > 0) await noteErased(trx, tables);
    await trx.deleteFrom('job_faults').where('job', '=', jobOfRuns).where('last_at', '<', before).execute();
    return erased;
  });
}
