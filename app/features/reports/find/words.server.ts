import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { phoneFits } from '#app/db/phone-fits.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import type { Search } from './search.ts';

/** How many records are read for a search at most. */
const mostRead = 500;

export type Naming = { source: string; id: number; personId: number };

/**
 * Records that name a person whom a search finds: by words of one record, or by the telephone number in it. Of many, the
 * newest.
 */
export async function recordsNaming(db: Db, { words, phone }: Search): Promise<Naming[]> {
  const named = phone === null ? wordsFit(words.join(' ')) : phoneFits(phone);
  if (named === null) return [];
  const { rows } = await sql<Naming>`select source, source_id as id, person_id as "personId" from person_words
    where ${named}
    order by source_id desc limit ${mostRead}`.execute(db);
  return rows;
}

/** Ids of the enrolments that have all words: of reference, buyer, attendees and invoices. Of many, the newest. */
export async function enrolmentsWith(db: Db, { words }: Search): Promise<number[]> {
  const named = wordsFit(words.join(' '));
  if (named === null) return [];
  const { rows } = await sql<{ id: number }>`select enrolment_id as id from enrolment_list
    where ${named} order by enrolment_id desc limit ${mostRead}`.execute(db);
  return rows.map(({ id }) => id);
}
