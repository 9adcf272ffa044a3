import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.server.ts';

type Indexed = 'person_words' | 'enrolment_index';

/** How rows of an index of words are asked for all words of a search. */
export type WordsFit = {
  /** What the index looks up. */
  indexed: RawBuilder<boolean>;
  /** The same of a row that was found otherwise. */
  asked: RawBuilder<boolean>;
  /** About how many rows have the rarest word, and how many have them all; 0 for few. */
  haveRarest: number;
  haveAll: number;
};

/** How many of the newest rows tell how common a word is. The planner estimates the same for the beginning of any word. */
const sample = 2000;
/** How many of these rows must have a word before all rows with it are estimated. */
const leastTelling = 20;
/** How many rows of a word the index may collect. */
export const mostCollected = 5000;

/**
 * How words, as tsqueries, are looked up: the rarest by the index, and the others are asked of what it finds, because the
 * index collects every row that has one. Where each is common it puts them together. Null without words.
 */
export async function wordsFit(db: Db, table: Indexed, words: readonly string[]): Promise<WordsFit | null> {
  const queries = words.map((word) => sql`to_tsquery('simple', ${word})`);
  if (queries.length === 0) return null;
  const together = sql.join(queries, sql` && `);
  const { rows } = await sql<{ counts: number[]; all: number; looked: number; size: number }>`
    select array[${sql.join(queries.map((query) => sql`count(*) filter (where words @@ ${query})`))}]::integer[] as counts,
      (count(*) filter (where words @@ (${together})))::integer as "all", count(*)::integer as looked,
      (select reltuples from pg_class where oid = ${table}::regclass) as size
    from (${newest(table, sample)}) as newest`.execute(db);
  const { counts = [], all = 0, looked = 0, size = 0 } = rows[0] ?? {};
  const least = Math.min(...counts);
  const have = (count: number) => (count < leastTelling ? 0 : (count / looked) * Math.max(size, looked));
  const rarest = queries[counts.indexOf(least)] ?? together;
  return {
    indexed:
      have(least) > mostCollected
        ? sql`words @@ (${together})`
        : sql`words @@ ${rarest} and coalesce(words @@ (${together}), false)`,
    asked: sql`words @@ (${together})`,
    haveRarest: have(least),
    haveAll: have(all),
  };
}

/** Of person_words: a telephone number in any spelling, or its beginning; also an Australian one without its first 0. */
export function phoneFits(phone: string): RawBuilder<boolean> {
  const beginning = (typed: string) => sql`to_tsquery('simple', phone_word(${typed}) || ':*')`;
  const local = /^\D*0/.test(phone) ? phone : `0${phone}`;
  return sql<boolean>`words @@ (${beginning(phone)} || ${beginning(local)})`;
}

const newest = (table: Indexed, most: number) =>
  table === 'enrolment_index'
    ? sql`select words from enrolment_index order by enrolment_id desc limit ${most}`
    : sql`select words from person_words where source = 'enrolments' order by source_id desc limit ${most}`;
