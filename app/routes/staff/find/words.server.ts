import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mostCollected, phoneFits, wordsFit } from '#app/db/words-fit.server.ts';
import { searchWords } from '#app/lib/search-words.ts';
import { mostShown } from './found.ts';
import type { Search } from './search.ts';

/** How many records of an index are read for a search at most. */
const mostRead = 500;
/** How many of the newest records of a kind are checked one by one for common words. */
const looks = 6000;
/** How many matching records end that check. */
const enough = 40;

export type Naming = { source: string; id: number; personId: number };

/**
 * Records that name a person whom a search finds: by words of one record, or by the telephone number in it. Of a search
 * that many records fit, the newest.
 */
export async function recordsNaming(db: Db, { words, phone }: Search): Promise<Naming[]> {
  if (phone !== null) return namingBy(db, phoneFits(phone));
  const fit = await wordsFit(db, 'person_words', searchWords(words.join(' ')));
  if (!fit) return [];
  if (fit.haveRarest > mostCollected) {
    const { rows } = await sql<Naming>`select source, source_id as id, person_id as "personId"
      from unnest(${sources}::text[]) as one (name) cross join lateral (
        select * from (select * from person_words where source = one.name order by source_id desc limit ${looks}) as newest
        where ${fit.asked} limit ${enough}) as found`.execute(db);
    if (new Set(rows.map(({ personId }) => personId)).size > mostShown) return rows;
  }
  return namingBy(db, fit.indexed);
}

async function namingBy(db: Db, is: RawBuilder<boolean>): Promise<Naming[]> {
  const { rows } = await sql<Naming>`select source, source_id as id, person_id as "personId"
    from person_words where ${is} limit ${mostRead}`.execute(db);
  return rows;
}

/** What names people, as the triggers of person_words call it. */
const sources = ['people', 'enrolments', 'attendees', 'enquiries', 'bookings', 'conversations', 'waiting_entries'];

/** Ids of the enrolments that have all words: of reference, buyer, attendees and invoices. Of many, the newest. */
export async function enrolmentsWith(db: Db, { words }: Search): Promise<number[]> {
  const fit = await wordsFit(db, 'enrolment_index', searchWords(words.join(' ')));
  if (!fit) return [];
  if (fit.haveRarest > mostCollected) {
    const newest = sql`(select * from enrolment_index order by enrolment_id desc limit ${looks}) as newest`;
    const found = await idsOf(db, newest, fit.asked, enough);
    if (found.length > mostShown) return found;
  }
  return idsOf(db, sql`enrolment_index`, fit.indexed, mostRead);
}

async function idsOf(db: Db, from: RawBuilder<unknown>, is: RawBuilder<boolean>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select enrolment_id as id from ${from} where ${is} limit ${most}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
