import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { searchWords } from '#app/lib/search-words.ts';
import { type EnquiryState, type InboxFilter, mostCounted } from './inbox.ts';

const pageLength = 50;

/**
 * One page of the enquiries that fit, newest first; `older` is where the next page begins, null when there is none.
 * Every word of the search must begin a word of the person's name, e-mail address, telephone number, message or of the
 * reference.
 */
export async function listInbox(db: Db, filter: InboxFilter) {
  const words = searchWords(filter.search);
  const recent = words === '' ? [] : await recentRows(db, filter, words);
  const rows = recent.length > pageLength ? recent : await allRows(db, filter, words);
  const page = rows.slice(0, pageLength);
  return { page, older: rows.length > pageLength ? (page.at(-1)?.id ?? null) : null };
}

/** How many of the newest enquiries are read one by one before the index of words is asked. */
const recentLength = 10_000;

/**
 * What fits among the newest. Words that many enquiries hold fill a page from these at once, whereas the index would
 * collect and sort all that hold them.
 */
async function recentRows(db: Db, filter: InboxFilter, words: string) {
  const { last } = await db
    .selectFrom('enquiries')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return matching(db, filter)
    .where('enquiries.id', '>', (filter.before ?? (last ?? 0) + 1) - recentLength)
    .where(sql<boolean>`coalesce(words @@ to_tsquery('simple', ${words}), false)`)
    .execute();
}

/** What fits among all of them; with words, what the index finds is sorted rather than every row read by id. */
function allRows(db: Db, filter: InboxFilter, words: string) {
  if (words === '') return matching(db, filter).execute();
  return matching(db, filter, sql`enquiries.id + 0`)
    .where(sql<boolean>`words @@ to_tsquery('simple', ${words})`)
    .execute();
}

function matching(db: Db, { state, kind, before }: InboxFilter, order = sql`enquiries.id`) {
  return db
    .selectFrom('enquiries')
    .leftJoin('people', 'people.id', 'enquiries.state_by')
    .select(['enquiries.id', 'reference', 'kind', 'first_name', 'last_name', 'enquiries.email', 'state', 'state_at'])
    .select(['enquiries.created_at', 'corrects', 'people.name as state_by'])
    .select(sql<string>`left(message, 200)`.as('beginning'))
    .$if(state !== null, (query) => query.where('state', '=', state))
    .$if(kind !== null, (query) => query.where('kind', '=', kind))
    .$if(before !== null, (query) => query.where('enquiries.id', '<', before))
    .orderBy(order, 'desc')
    .limit(pageLength + 1);
}

/** How many enquiries wait for an answer; `mostCounted` at most are counted. */
export async function countNew(db: Db): Promise<number> {
  const waiting = db.selectFrom('enquiries').select('id').where('state', '=', 'new').limit(mostCounted);
  const { count } = await db
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Everything that was sent under a reference, and what staff did about it, oldest first; null when there is none. */
export async function findWhole(db: Db, reference: string) {
  const enquiry = await db
    .selectFrom('enquiries')
    .select(['id', 'reference', 'kind', 'first_name', 'last_name', 'email', 'phone', 'message', 'details'])
    .select(['marketing_consent', 'corrects', 'created_at', 'state'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (!enquiry) return null;
  const acts = await db
    .selectFrom('enquiry_acts')
    .innerJoin('people', 'people.id', 'enquiry_acts.person_id')
    .select(['enquiry_acts.id', 'kind', 'body', 'state', 'enquiry_acts.created_at', 'people.name as by'])
    .where('enquiry_id', '=', enquiry.id)
    .orderBy('enquiry_acts.id')
    .execute();
  const corrections = await db
    .selectFrom('enquiries')
    .select(['reference', 'created_at'])
    .where('corrects', '=', reference)
    .orderBy('id')
    .execute();
  return { ...enquiry, state: enquiry.state as EnquiryState, acts, corrections };
}
