import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';

/**
 * Makes the people of addresses that are new (P50), before rows are stored that name them: triggers find them again.
 * They are made in one order, so that two transactions with the same new addresses do not wait for each other.
 */
export async function ensurePeople(trx: Db, addresses: readonly (string | null)[]): Promise<void> {
  await sql`select person_of(address)
    from (select distinct lower(given) as address from unnest(${addresses}::text[]) given order by 1) sorted`.execute(
    trx,
  );
}

/** Records that a code or link mailed to an address was used (P50), unless it was recorded before. */
export async function verifyAddress(trx: Db, address: string, at: Date): Promise<void> {
  await trx
    .updateTable('person_emails')
    .set({ verified_at: at })
    .where('email', '=', sql<string>`lower(${address})`)
    .where('verified_at', 'is', null)
    .execute();
}

/** The person with an address and all their addresses. */
export async function findHeldPerson(db: Db, address: string): Promise<HeldPerson> {
  const asked = address.toLowerCase();
  const rows = await db
    .selectFrom('person_emails')
    .select(['person_id', 'email'])
    .where('person_id', '=', db.selectFrom('person_emails').select('person_id').where('email', '=', asked))
    .orderBy('email')
    .execute();
  return { id: rows[0]?.person_id ?? 0, addresses: [...new Set([asked, ...rows.map(({ email }) => email)])] };
}

/** A person with their main and their proved addresses, for themselves. */
export async function heldPersonOf(db: Db, id: number): Promise<HeldPerson> {
  const rows = await db
    .selectFrom('person_emails')
    .innerJoin('people', 'people.id', 'person_id')
    .select('person_emails.email')
    .where('person_id', '=', id)
    .where(({ or, eb, ref }) =>
      or([eb('verified_at', 'is not', null), eb('person_emails.email', '=', ref('people.email'))]),
    )
    .orderBy('person_emails.email')
    .execute();
  return { id, addresses: rows.map(({ email }) => email) };
}

const tables = ['people', 'person_emails', 'person_words'];

/**
 * The person's name and addresses. They stay while the person is staff, and while an enrolment stays that names the
 * person. What was done as staff goes on to name the row, which says "Erased" then.
 */
export const peopleRecords: PersonalRecords = {
  name: 'people',
  tables,
  async read(db, { id }) {
    const addresses = await db
      .selectFrom('person_emails')
      .select(['email', 'verified_at'])
      .where('person_id', '=', id)
      .orderBy('email')
      .execute();
    const people = await db.selectFrom('people').select(['name', 'email', 'created_at']).where('id', '=', id).execute();
    return people.map((person) => ({ ...person, addresses }));
  },
  async erase(trx, { id }) {
    const erased = await trx
      .updateTable('people')
      .set({ name: 'Erased', email: null })
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('staff_roles').select('role').where('person_id', '=', id))),
      )
      .where(({ not, or, exists, selectFrom }) =>
        not(
          or([
            exists(selectFrom('enrolments').select('enrolments.id').where('person_id', '=', id)),
            exists(selectFrom('attendees').select('attendees.id').where('person_id', '=', id)),
          ]),
        ),
      )
      .returning('id')
      .executeTakeFirst();
    if (erased) await trx.deleteFrom('person_emails').where('person_id', '=', id).execute();
    return { count: erased ? 1 : 0 };
  },
};

/**
 * The number of people checked, or deleted, in one statement: at a million, one statement for all of them takes too
 * long.
 */
const mostAtOnce = 5_000;

/**
 * Deletes the people with these ids who are not staff and whom no row names. Returns how many. A transaction that
 * stores a row with such an address has locked the person, and then the person is skipped; or it waits, and then
 * inserts the person again.
 */
export async function forgetPeople(
  trx: Db,
  ids: readonly number[],
  alsoErased: readonly string[] = [],
): Promise<number> {
  const isForgettable = await forgettable(trx);
  let forgotten = 0;
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const its = sql<number>`any(${ids.slice(from, from + mostAtOnce)}::bigint[])`;
    const locked = await trx
      .selectFrom('people')
      .select('id')
      .where('id', '=', its)
      .where(isForgettable)
      .forUpdate()
      .skipLocked()
      .execute();
    // Checked again: a row may have been stored before the lock.
    const { numDeletedRows } = await trx
      .deleteFrom('people')
      .where('id', '=', sql<number>`any(${locked.map(({ id }) => id)}::bigint[])`)
      .where(isForgettable)
      .executeTakeFirstOrThrow();
    forgotten += Number(numDeletedRows);
  }
  // In one statement, so that tables are recorded in one order and two acts of erasing do not wait for each other.
  await noteErased(trx, [...alsoErased, ...(forgotten > 0 ? [...tables, 'notes'] : [])]);
  return forgotten;
}

/**
 * Whether a row of `people` is nobody's on the staff and no row refers to it. Each table is asked for each person, by
 * its index (`offset 0` keeps PostgreSQL from joining whole tables), and most people are in one of the first.
 */
async function forgettable(db: Db) {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname as table, attname as column
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'people'::regclass and confdeltype = 'a'`.execute(db);
  const named = rows.map(
    ({ table, column }) =>
      sql`not exists (select from ${sql.table(table)} other where ${sql.ref(`other.${column}`)} = people.id offset 0)`,
  );
  return sql<boolean>`not exists (select from staff_roles where person_id = people.id offset 0)
    and ${sql.join(named, sql` and `)}`;
}

/**
 * The ids of all people who can be forgotten, found by so many people at a time: of people, not of numbers, because the
 * numbers may have gaps.
 */
async function findForgettable(db: Db, atOnce: number): Promise<number[]> {
  const isForgettable = await forgettable(db);
  const found: number[] = [];
  let last: number | undefined = 0;
  while (last !== undefined) {
    const rows: { id: number; free: boolean }[] = await db
      .selectFrom('people')
      .select(['id', isForgettable.as('free')])
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    for (const { id, free } of rows) if (free) found.push(id);
    last = rows.at(-1)?.id;
  }
  return found;
}

/** The daily job: deletes all people who are not staff and to whom no row refers; null when it was done today. */
export const forgetPeopleDaily = (db: Db, now: Date, atOnce = mostAtOnce): Promise<number | null> =>
  doDaily(db, 'forget-people', now, async (trx) => forgetPeople(trx, await findForgettable(trx, atOnce)));
