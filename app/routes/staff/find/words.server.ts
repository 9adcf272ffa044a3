import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { searchWords } from '#app/lib/search-words.ts';
import type { Search } from './search.ts';

/** How many records of an index are read for a search at most. */
const mostRead = 500;

type Indexed = 'person_words' | 'enrolment_index';

/**
 * The condition that a row of an index of words has all words of a search. Only the rarest word is looked up: of a
 * common one the index would collect every row that has it. Null without words.
 */
async function fits(db: Db, table: Indexed, words: readonly string[]): Promise<RawBuilder<boolean> | null> {
  const queries = searchWords(words.join(' ')).map((word) => sql`to_tsquery('simple', ${word})`);
  const counted = [];
  for (const query of queries) counted.push({ query, rows: queries.length > 1 ? await rowsOf(db, table, query) : 0 });
  const [rarest, ...others] = counted.sort((one, other) => one.rows - other.rows);
  if (!rarest) return null;
  const all = [sql`words @@ ${rarest.query}`, ...others.map(({ query }) => sql`coalesce(words @@ ${query}, false)`)];
  return sql<boolean>`${sql.join(all, sql` and `)}`;
}

/** How many rows have a word, by the statistics of the planner. */
async function rowsOf(db: Db, table: Indexed, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from ${sql.table(table)} where words @@ ${query}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

export type Naming = { source: string; id: number; personId: number };

/** Records that name a person whom a search finds: by words of one record, or by the telephone number in it. */
export async function recordsNaming(db: Db, { words, phone }: Search): Promise<Naming[]> {
  const fit =
    phone === null
      ? await fits(db, 'person_words', words)
      : sql`words @@ to_tsquery('simple', phone_word(${phone}) || ':*')`;
  if (!fit) return [];
  const { rows } = await sql<Naming>`select source, source_id as id, person_id as "personId"
    from person_words where ${fit} limit ${mostRead}`.execute(db);
  return rows;
}

/** Ids of the enrolments that have all words: of reference, buyer, attendees and invoices. */
export async function enrolmentsWith(db: Db, { words }: Search): Promise<number[]> {
  const fit = await fits(db, 'enrolment_index', words);
  if (!fit) return [];
  const { rows } = await sql<{ id: number }>`select enrolment_id as id from enrolment_index where ${fit}
    limit ${mostRead}`.execute(db);
  return rows.map(({ id }) => id);
}
