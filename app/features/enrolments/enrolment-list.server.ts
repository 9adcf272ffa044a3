import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { countKeyset, everyRow, type Keyset, keyOfRow, keysetPage, listedPage } from '#app/db/keyset.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { lacksPeople } from '#app/features/course-dates/rules.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, daysBetween, shortMonth } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import type { KeyKind } from '#app/lib/keyset.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';
import { courseDatesBelowMinimum } from './course-dates-for-staff.server.ts';

/** The facts for the remark on an enrolment; amounts in cents, `balanceCents` below zero when too much was paid. */
export type RowFacts = {
  /** Places that are not cancelled. */
  places: number;
  totalCents: number;
  balanceCents: number;
  /** From when something is due (P39); null while nothing is. */
  dueOn: Day | null;
  /** Whether an attendee of a course that is still to come has no name. */
  nameMissing: boolean;
  choosing: boolean;
  waiting: boolean;
  belowMinimum: boolean;
  mailFailed: boolean;
};

/** One remark on an enrolment; `alarm` for what is late or did not work. */
type Remark = { text: string; alarm: boolean };

/** The most urgent remark on an enrolment for staff; null when there is none. */
export function remarkOf(facts: RowFacts, today: Day): Remark | null {
  const { balanceCents, dueOn } = facts;
  const calm = (text: string): Remark => ({ text, alarm: false });
  if (balanceCents > 0 && dueOn !== null && dueOn < today) {
    const days = daysBetween(dueOn, today);
    return { text: days === 1 ? '1 day late' : `${days} days late`, alarm: true };
  }
  if (facts.mailFailed) return { text: 'Mail came back', alarm: true };
  if (balanceCents < 0) return calm('Refund to send');
  if (facts.places === 0) return calm('Cancelled');
  if (facts.choosing) return calm('Choice open');
  if (facts.nameMissing) return calm('Name missing');
  if (facts.belowMinimum) return calm('Below minimum');
  if (facts.waiting) return calm('Waits for a date');
  if (balanceCents > 0 && balanceCents < facts.totalCents) return calm('Part paid');
  if (balanceCents > 0 && dueOn !== null) return calm(`Due ${Number(dueOn.slice(8))} ${shortMonth(dueOn)}`);
  return balanceCents > 0 ? calm('Not due yet') : null;
}

export type EnrolmentState =
  | ('unpaid' | 'overdue' | 'overpaid' | 'unnamed' | 'below')
  | ('waiting' | 'choosing' | 'courseDate' | 'cancelled');

/** `course` and `courseDate` are slugs, the others of these texts are days. */
type Texts = 'course' | 'courseDate' | 'paid' | 'enrolled-from' | 'enrolled-until' | 'starts-from' | 'starts-before';
export type EnrolmentView = ListView<
  { readonly state: EnrolmentState | null } & Readonly<Record<Texts, string | null>>,
  keyof typeof keys
>;
/** What finds rows; a filter that is not named is off. */
type Wanted = Pick<EnrolmentView, 'search' | 'sort'> & { values: Partial<EnrolmentView['values']> };

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

/** All rows of a view, in pieces, for a file. */
export async function* everyEnrolment(db: Db, actor: StaffActor, view: EnrolmentView, today: Day, length = 1000) {
  requirePermission(actor, 'enrolments:read');
  const set = await enrolmentKeyset(db, view, today);
  yield* everyRow(db, set, { ...view, length }, (ids) => readEnrolmentRows(db, ids, today));
}

/** How many enrolments a view has, counted up to `most`. */
export async function countView(
  db: Db,
  actor: StaffActor,
  view: EnrolmentView,
  today: Day,
  most: number,
): Promise<number> {
  requirePermission(actor, 'enrolments:read');
  return countKeyset(db, await enrolmentKeyset(db, view, today), most);
}

/** How many enrolments are in a state; `most` at most are counted. */
export async function countEnrolments(db: Db, state: EnrolmentState, today: Day, most: number): Promise<number> {
  const sort = state === 'overdue' ? 'due' : 'enrolled';
  return countKeyset(db, await enrolmentKeyset(db, { search: '', values: { state }, sort }, today), most);
}

/**
 * The references of the enrolments before and after one in a view; null where there is none. Found by key, so that it
 * costs the same at a million rows.
 */
export async function readNeighbours(db: Db, actor: StaffActor, id: number, view: EnrolmentView, today: Day) {
  requirePermission(actor, 'enrolments:read');
  const set = await enrolmentKeyset(db, view, today);
  const row = await keyOfRow(db, set, id);
  const beside = async (at: 'before' | 'after') => {
    if (!row) return 0;
    const { ids } = await keysetPage(db, set, { descending: view.descending, cursor: { at, ...row }, length: 1 });
    return ids[0] ?? 0;
  };
  const [previous, next] = [await beside('before'), await beside('after')];
  const rows = await db
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('id', 'in', [previous, next])
    .execute();
  const referenceOf = (wanted: number) => rows.find((one) => one.id === wanted)?.reference ?? null;
  return { previous: referenceOf(previous), next: referenceOf(next) };
}

/** The ids of the enrolments with these references. */
export async function findEnrolmentIds(db: Db, actor: StaffActor, references: readonly string[]): Promise<number[]> {
  requirePermission(actor, 'enrolments:read');
  const rows = await db
    .selectFrom('enrolments')
    .select('id')
    .where('reference', 'in', ['', ...references])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The rows of the enrolments with these references, for a file. */
export async function* theseEnrolments(db: Db, actor: StaffActor, references: readonly string[], today: Day) {
  yield await readEnrolmentRows(db, await findEnrolmentIds(db, actor, references), today);
}

/** The enrolments of a view in its order. `today` is the academy's day. */
export async function enrolmentKeyset(db: Db, { search, values, sort }: Wanted, today: Day): Promise<Keyset> {
  const named = wordsFit(search, sql`list.words`);
  return {
    from: sql`enrolment_list list`,
    ...keys[sort],
    id: sql`list.enrolment_id`,
    where: [
      ...(named ? [named] : []),
      ...(values.state ? [await inState(db, values.state, today)] : []),
      ...(values.course ? [withPlace(sql`course_id = ${(await findCourse(db, values.course))?.id ?? 0}`)] : []),
      ...(values.courseDate ? [withPlace(ofCourseDate(values.courseDate))] : []),
      ...(values.paid ? [sql`list.paid_by @> array[${values.paid}]`] : []),
      ...(values['enrolled-from'] ? [sql`list.enrolled_at >= ${startOf(values['enrolled-from'])}`] : []),
      ...(values['enrolled-until']
        ? [sql`list.enrolled_at < ${startOf(values['enrolled-until'])} + interval '1 day'`]
        : []),
      ...(values['starts-from'] ? [sql`list.starts_on >= ${values['starts-from']}::date`] : []),
      ...(values['starts-before'] ? [sql`list.starts_on < ${values['starts-before']}::date`] : []),
      ...(sort === 'due' ? [sql`list.due_on is not null`] : []),
    ],
  };
}

const keys = {
  enrolled: { key: sql`list.enrolled_at`, kind: 'moment' },
  starts: { key: sql`list.starts_on`, kind: 'day' },
  owed: { key: sql`list.balance_cents`, kind: 'whole' },
  due: { key: sql`list.due_on`, kind: 'day' },
} satisfies Record<string, { key: RawBuilder<unknown>; kind: KeyKind }>;

const startOf = (day: Day) => sql`(${day}::date)::timestamp at time zone 'Australia/Brisbane'`;

/** Enrolments with a place that meets a condition, cancelled places too. */
const withPlace = (is: RawBuilder<unknown>) =>
  sql`list.enrolment_id = any(array(select enrolment_id from places where ${is}))`;

/** Places in a course date, by the slug that it has or had. */
const ofCourseDate = (slug: string) => sql`course_date_id = (select id from course_dates
  where slug = ${slug} or aliases @> array[${slug}] order by slug = ${slug} desc limit 1)`;

async function inState(db: Db, state: EnrolmentState, today: Day): Promise<RawBuilder<unknown>> {
  switch (state) {
    case 'unpaid':
      return sql`list.balance_cents > 0`;
    case 'overpaid':
      return sql`list.balance_cents < 0`;
    case 'overdue':
      return sql`list.due_on < ${today}`;
    // A name is asked for until the course begins; those who were erased had one.
    case 'unnamed':
      return sql`list.unnamed_until >= ${today}`;
    case 'waiting':
      return sql`list.waiting`;
    case 'choosing':
      return sql`list.choosing`;
    case 'courseDate':
      return sql`list.from_course_date`;
    case 'cancelled':
      return sql`list.cancelled`;
    // A place in a course date to come that has too few attendees now (P39).
    case 'below': {
      const ids = (await courseDatesBelowMinimum(db, today)).map(({ id }) => id);
      return withPlace(sql`state = 'active' and course_date_id = any(${ids}::bigint[])`);
    }
  }
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
