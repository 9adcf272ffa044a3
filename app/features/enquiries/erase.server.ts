import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { dayIn } from '#app/lib/dates.ts';
import { keptSince } from './rules.ts';

/** Erases an enquiry for good, with its corrections and what staff did about it, from the tables' files as well. Returns how many. */
export async function eraseEnquiry(db: Db, reference: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('enquiries')
    .where((row) => row.or([row('reference', '=', reference), row('corrects', '=', reference)]))
    .executeTakeFirstOrThrow();
  return afterErasing(db, Number(numDeletedRows));
}

/** Erases the enquiries that have been kept as long as the privacy page promises. Returns how many. */
export async function eraseExpired(db: Db, now: Date): Promise<number> {
  return afterErasing(db, await deleteExpired(db, now));
}

/**
 * The daily job: erases what has expired, once a day (in Brisbane) however many processes there are. Returns how many,
 * null when it was done today. The row of the day decides; a process that dies half-way leaves the day undone.
 */
export async function eraseExpiredDaily(db: Db, now: Date): Promise<number | null> {
  const today = dayIn('Australia/Brisbane', now);
  const deleted = await db.transaction().execute(async (trx) => {
    const claimed = await trx
      .insertInto('daily_jobs')
      .values({ name: 'erase-enquiries', last_day: today })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ last_day: today }).where('daily_jobs.last_day', '<', today),
      )
      .returning('name')
      .executeTakeFirst();
    return claimed ? deleteExpired(trx, now) : null;
  });
  return deleted === null ? null : afterErasing(db, deleted);
}

/** A first message stays as long as a correction of it does. */
async function deleteExpired(db: Db, now: Date): Promise<number> {
  const before = keptSince(now);
  const { numDeletedRows } = await db
    .deleteFrom('enquiries')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('enquiries as later')
            .select('later.id')
            .whereRef('later.corrects', '=', 'enquiries.reference')
            .where('later.created_at', '>=', before),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const patienceMs = 10_000;
const pauseMs = 100;

/**
 * PostgreSQL leaves deleted rows in the file; only a table that is written anew is free of them. A row that an older
 * statement may still read, such as one of autovacuum's or of a backup, would be written anew too, so the end of such
 * statements is awaited, at most ten seconds.
 */
async function afterErasing(db: Db, deleted: number): Promise<number> {
  if (deleted === 0) return 0;
  await db.connection().execute(async (connection) => {
    // A large table takes longer than a visitor would wait.
    await sql`set statement_timeout = 0`.execute(connection);
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(connection);
    const deadline = performance.now() + patienceMs;
    while ((await hasOlderReader(connection, rows[0]?.id ?? '0')) && performance.now() < deadline) await sleep(pauseMs);
    await sql`vacuum full enquiries`.execute(connection);
    await sql`vacuum full enquiry_acts`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
  });
  return deleted;
}

/**
 * Whether a transaction is still open that may see this database as it was at the transaction with this id: an older
 * statement here, or an older write in any database of the server.
 */
async function hasOlderReader(connection: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ older: boolean }>`
    select exists (
      select from pg_stat_activity
      where pid <> pg_backend_pid() and (
        age(backend_xid) >= age(${id}::xid8::xid)
        or (datname = current_database() and age(backend_xmin) >= age(${id}::xid8::xid)))
    ) as older`.execute(connection);
  return rows[0]?.older === true;
}
