import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { countKeyset, keysetPage, listedPage } from '#app/db/keyset.server.ts';
import { lacksPeople } from '#app/features/course-dates/rules.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import type { ChosenRows } from '#app/routes/staff/lists/chosen-rows.ts';
import { chosenEnrolments } from './chosen-enrolments.server.ts';
import { type EnrolmentState, type EnrolmentView, enrolmentList } from './enrolment-filter.ts';
import { enrolmentKeyset } from './enrolment-keyset.server.ts';
import { type RowFacts, remarkOf } from './enrolment-remark.ts';

const pageLength = 50;

/**
 * One page of the enrolments of a view, with where it stands among them (P78). Every word of the search must begin a
 * word of the reference, the buyer, an attendee or an invoice's number.
 */
export async function listEnrolments(db: Db, actor: StaffActor, view: EnrolmentView, today: Day) {
  requirePermission(actor, 'enrolments:read');
  const set = await enrolmentKeyset(db, view, today);
  const reading = { ...view, length: pageLength };
  const { rows, ...page } = await listedPage(db, set, reading, (ids) => readEnrolmentRows(db, ids, today));
  return { enrolments: rows, ...page };
}

/** All rows of a view, in pieces, for a file; the caller stops where it has enough. */
export async function* everyEnrolment(db: Db, actor: StaffActor, view: EnrolmentView, today: Day, length = 1000) {
  requirePermission(actor, 'enrolments:read');
  const set = await enrolmentKeyset(db, view, today);
  let cursor: EnrolmentView['cursor'] = null;
  do {
    const { ids, older } = await keysetPage(db, set, { descending: view.descending, cursor, length });
    yield await readEnrolmentRows(db, ids, today);
    cursor = older;
  } while (cursor);
}

/** The rows of the enrolments that were chosen, for a file. */
export async function* theseEnrolments(db: Db, actor: StaffActor, chosen: ChosenRows, today: Day) {
  const ids = await chosenEnrolments(db, actor, chosen, today);
  if (ids !== 'too-many') yield await readEnrolmentRows(db, ids, today);
}

/** How many enrolments a view has, counted up to `most`. */
export async function countView(db: Db, actor: StaffActor, query: string, today: Day, most: number): Promise<number> {
  requirePermission(actor, 'enrolments:read');
  const view = enrolmentList.viewOf(new URLSearchParams(query));
  return countKeyset(db, await enrolmentKeyset(db, view, today), most);
}

/** How many enrolments are in a state; `most` at most are counted. */
export async function countEnrolments(db: Db, state: EnrolmentState, today: Day, most: number): Promise<number> {
  const view = enrolmentList.viewOf(new URLSearchParams({ state, ...(state === 'overdue' && { sort: 'due' }) }));
  return countKeyset(db, await enrolmentKeyset(db, view, today), most);
}

/** The rows of the list of enrolments, in the order of the ids. */
async function readEnrolmentRows(db: Db, ids: readonly number[], today: Day) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('enrolment_list')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .leftJoin('people', 'people.id', 'placed_by')
    .select(['enrolment_id as id', 'reference', 'title', 'buyer_name', 'enrolments.email', 'organisation', 'placed_at'])
    .select(['people.name as placed_by', 'starts_on', 'places', 'total_cents', 'balance_cents', 'due_on'])
    .select(['choosing', 'waiting', 'unnamed_until'])
    .select(
      sql<boolean>`exists (select from mails
        where about_kind = 'enrolment' and about_id = enrolments.id and mails.state = 'failed')`.as('mail_failed'),
    )
    .where('enrolment_id', 'in', ids)
    .execute();
  const placesOf = Map.groupBy(await readPlaces(db, ids, today), ({ enrolmentId }) => enrolmentId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [shownRow(row, placesOf.get(id) ?? [], today)] : [];
  });
}
export type EnrolmentRow = Awaited<ReturnType<typeof readEnrolmentRows>>[number];

type PlaceOfRow = {
  enrolmentId: number;
  title: string;
  delivery: Delivery | null;
  venue: string | null;
  startsOn: Day | null;
  state: string;
  why: string | null;
  isBelow: boolean;
};

async function readPlaces(db: Db, ids: readonly number[], today: Day): Promise<PlaceOfRow[]> {
  const { rows } = await sql<PlaceOfRow>`select enrolment_id as "enrolmentId", courses.title, delivery, venue,
      coalesce(starts_on, guided_from) as "startsOn", places.state, cancelled_why as why,
      coalesce(${lacksPeople(today)}, false) as "isBelow"
    from places
      join courses on courses.id = places.course_id
      left join course_dates on course_dates.id = places.course_date_id
      left join course_date_seats on course_date_seats.course_date_id = course_dates.id
    where enrolment_id = any(${[...ids]}::bigint[])
    order by enrolment_id, coalesce(starts_on, guided_from) nulls last, places.id`.execute(db);
  return rows;
}

type Row = {
  id: number;
  reference: string;
  title: string;
  buyer_name: string;
  email: string;
  organisation: string | null;
  placed_at: Date;
  placed_by: string | null;
  starts_on: Day;
  places: number;
  total_cents: number;
  balance_cents: number;
  due_on: Day | null;
  unnamed_until: Day | null;
  choosing: boolean;
  waiting: boolean;
  mail_failed: boolean;
};

function shownRow(row: Row, places: readonly PlaceOfRow[], today: Day) {
  const live = places.filter(({ state }) => state !== 'cancelled');
  const [first] = live.length > 0 ? live : places.filter(({ why }) => why !== 'transfer');
  const startsOn = row.starts_on === 'infinity' ? null : row.starts_on;
  const facts: RowFacts = {
    places: row.places,
    totalCents: row.total_cents,
    balanceCents: row.balance_cents,
    dueOn: row.due_on,
    nameMissing: row.unnamed_until !== null && row.unnamed_until >= today,
    choosing: row.choosing,
    waiting: row.waiting,
    belowMinimum: live.some(({ isBelow, startsOn: day }) => isBelow && day !== null && day > today),
    mailFailed: row.mail_failed,
  };
  return {
    reference: row.reference,
    title: row.title,
    buyer: row.buyer_name,
    email: row.email,
    organisation: row.organisation,
    /** Further courses of a combo are not named. */
    course: first?.title ?? row.title,
    delivery: first?.delivery ? { delivery: first.delivery, venue: first.venue } : null,
    startsOn,
    places: row.places,
    totalCents: row.total_cents,
    owedCents: row.balance_cents,
    dueOn: row.due_on,
    remark: remarkOf(facts, today),
    enrolledAt: row.placed_at,
    placedBy: row.placed_by,
  };
}
