import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { findConsent } from '#app/outbox/marketing.server.ts';
import type { InboxView } from './inbox.ts';

const pageLength = 50;

/** How many enquiries are read one by one in one search, and up to how many are fetched and sorted. */
type Bounds = { walked: number; sorted: number };
const bounds: Bounds = { walked: 20_000, sorted: 2_000 };

/**
 * One page of the matching enquiries, newest first; `older` is the start of the next page, null when there is none.
 * Every word of the search must begin a word of the person's name, email address, telephone number, message or of the
 * reference. A search for common words reads a bounded number of enquiries: its page may then be short, or empty, and
 * `older` continues. So the time of a search does not grow with the number of enquiries.
 */
export async function listInbox(db: Db, actor: StaffActor, view: InboxView, { walked, sorted }: Bounds = bounds) {
  requirePermission(actor, 'enquiries:read');
  const words = await byRarity(db, view.search);
  const [rarest, ...others] = words;
  if (!rarest) return pageOf(await matching(db, view).execute());
  if (rarest.rows <= sorted) {
    // Only the rarest word is looked up: of a common one the index would collect every enquiry that holds it.
    const query = matching(db, view, sql`enquiries.id + 0`).where(sql<boolean>`words @@ ${rarest.query}`);
    return pageOf(await query.where(holding(others)).execute());
  }
  const newest = db.selectFrom('enquiries').select(({ fn }) => fn.max('id').as('id'));
  const from = view.before ?? ((await newest.executeTakeFirst())?.id ?? 0) + 1;
  const end = from - walked;
  const rows = await matching(db, view).where('enquiries.id', '>=', end).where(holding(words)).execute();
  const found = pageOf(rows);
  if (found.older !== null) return found;
  const rest = db.selectFrom('enquiries').select('id').where('id', '<', end).limit(1);
  return { ...found, older: (await rest.executeTakeFirst()) ? end : null };
}

/** All enquiries that fit, newest first, in pieces, for a file; the caller stops where it has enough. */
export async function* everyEnquiry(db: Db, actor: StaffActor, view: InboxView) {
  let before = view.before;
  do {
    const { page, older } = await listInbox(db, actor, { ...view, before });
    yield page;
    before = older;
  } while (before !== null);
}

function pageOf<Row extends { id: number }>(rows: Row[]): { page: Row[]; older: number | null } {
  const page = rows.slice(0, pageLength);
  return { page, older: rows.length > pageLength ? (page.at(-1)?.id ?? null) : null };
}

type Word = { query: RawBuilder<unknown>; rows: number };

/** The words of a search, the rarest first, by how many enquiries the planner's statistics say that hold each. */
async function byRarity(db: Db, search: string): Promise<Word[]> {
  const words: Word[] = [];
  const typed = await sql<{ text: string }>`select unnest(typed_words(${search}))::text as text`.execute(db);
  for (const { text } of typed.rows) {
    const query = sql`${text}::tsquery`;
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
      explain (format json) select from enquiries where words @@ ${query}`.execute(db);
    words.push({ query, rows: rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0 });
  }
  return words.sort((one, other) => one.rows - other.rows);
}

/** Whether an enquiry holds all of some words; in a form that the index is not used for. */
function holding(words: readonly Word[]) {
  return sql<boolean>`coalesce(${sql.join([sql`true`, ...words.map(({ query }) => sql`words @@ ${query}`)], sql` and `)}, false)`;
}

function matching(db: Db, { values: { state, kind }, before }: InboxView, order = sql`enquiries.id`) {
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

/** All messages under a reference and the acts of staff, oldest first; null for an unknown reference. */
export async function findEnquiryForStaff(db: Db, actor: StaffActor, reference: string) {
  requirePermission(actor, 'enquiries:read');
  const enquiry = await db
    .selectFrom('enquiries')
    .select(['id', 'reference', 'kind', 'first_name', 'last_name', 'email', 'phone', 'message', 'details'])
    .select(['marketing_consent', 'corrects', 'created_at', 'state', 'person_id'])
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
  const consent = await findConsent(db, enquiry.email);
  return { ...enquiry, acts, corrections, consent };
}
