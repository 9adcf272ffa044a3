import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import type { EnquiryState, InboxFilter } from './inbox.ts';

const pageLength = 50;
const mostCounted = 99;

/**
 * One page of the enquiries that fit, newest first; `older` is where the next page begins, null when there is none.
 * Every word of the search must begin a word of the person's name, e-mail address, telephone number, message or of the
 * reference.
 */
export async function listInbox(db: Db, { state, kind, search, before }: InboxFilter) {
  const words = searchQuery(search);
  const rows = await db
    .selectFrom('enquiries')
    .leftJoin('people', 'people.id', 'enquiries.state_by')
    .select(['enquiries.id', 'reference', 'kind', 'first_name', 'last_name', 'enquiries.email', 'state', 'state_at'])
    .select(['enquiries.created_at', 'corrects', 'people.name as state_by'])
    .select(sql<string>`left(message, 200)`.as('beginning'))
    .$if(state !== null, (query) => query.where('state', '=', state))
    .$if(kind !== null, (query) => query.where('kind', '=', kind))
    .$if(words !== '', (query) => query.where(matches(words)))
    .$if(before !== null, (query) => query.where('enquiries.id', '<', before))
    .orderBy('enquiries.id', 'desc')
    .limit(pageLength + 1)
    .execute();
  const page = rows.slice(0, pageLength);
  return { page, older: rows.length > pageLength ? (page.at(-1)?.id ?? null) : null };
}

const matches = (words: string) => (_row: ExpressionBuilder<DB, 'enquiries'>) =>
  sql<boolean>`words @@ to_tsquery('simple', ${words})`;

/** The typed words as a tsquery. One letter alone is a whole word: as a beginning it would match nearly everything. */
function searchQuery(search: string): string {
  const words = search.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
  return words.map((word) => (word.length > 1 ? `'${word}':*` : `'${word}'`)).join(' & ');
}

/** How many enquiries wait for an answer; 99 at most are counted. */
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
