import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { findTarget } from '#app/outbox/private-links.server.ts';
import type { Preferences, WaitingEntry } from './rules.ts';

/** A list for staff: a course date's, or a course's for its next date when `courseDateSlug` is null. */
export type ListedList = {
  courseSlug: string;
  courseTitle: string;
  courseDateSlug: string | null;
  startsOn: string | null;
  endsOn: string | null;
  people: number;
  seats: number;
  offers: number;
  /** Entries whose address is not confirmed yet; they are not among `people` and `seats`. */
  unconfirmed: number;
};

/** Every list on which somebody waits, by first day; those for a next date last. */
export async function listWaitingLists(db: Db, actor: StaffActor): Promise<ListedList[]> {
  requirePermission(actor, 'waiting:read');
  const { rows } = await sql<ListedList>`
    select c.slug as "courseSlug", c.title as "courseTitle", s.slug as "courseDateSlug",
      s.starts_on as "startsOn", s.ends_on as "endsOn", count(*) filter (where confirmed)::integer as people,
      coalesce(sum(seats) filter (where confirmed), 0)::integer as seats,
      count(*) filter (where not confirmed)::integer as unconfirmed,
      count(*) filter (where not ${hasNoOffer})::integer as offers
    from waiting_entries join courses c on c.id = waiting_entries.course_id
      left join course_dates s on s.id = course_date_id
      cross join lateral (select ${isConfirmed} as confirmed) its
    where closed_at is null
    group by c.slug, c.title, s.slug, s.starts_on, s.ends_on
    order by s.starts_on nulls last, c.title limit 500`.execute(db);
  return rows;
}

/** How many people, and seats for them, a course's next date would have in one week and place; null: in any. */
export type Demand = {
  courseSlug: string;
  courseTitle: string;
  week: Day | null;
  venue: Preferences['venue'];
  people: number;
  seats: number;
};

/**
 * The people who would come, by course, week and place (P98): everybody who waits for a date of the course and is
 * confirmed. A person counts in each week that they named and that is still ahead.
 */
export async function listDemand(db: Db, actor: StaffActor, today: Day): Promise<Demand[]> {
  requirePermission(actor, 'waiting:read');
  const { rows } = await sql<Demand>`
    select slug as "courseSlug", title as "courseTitle", week, venue,
      count(*)::integer as people, sum(seats)::integer as seats
    from waiting_entries join courses on courses.id = course_id
      left join lateral (select week from unnest(weeks) week where week > ${today}) named on true
    where course_date_id is null and closed_at is null and ${isConfirmed}
    group by slug, title, week, venue
    order by title, week nulls last, venue nulls last limit 1000`.execute(db);
  return rows;
}

/** An entry as staff see it. */
export type ListedEntry = {
  id: number;
  reference: string;
  name: string;
  email: string;
  /** The number of their latest enrolment that has one: nobody is asked for it to wait. */
  phone: string | null;
  seats: number;
  preferences: Preferences;
  joinedAt: Date;
  ofCourse: boolean;
  bought: boolean;
  confirmed: boolean;
  pausedAt: Date | null;
  closedAt: Date | null;
  closedWhy: string | null;
  /** Whether it is offered seats of the course date in the next moment. */
  turn: boolean;
  /** Why it is offered no seats of the course date, however many are free. */
  bar: 'set before' | 'asked' | 'private' | null;
  /** Its latest offer; if staff made or withdrew it, with their name and reason. */
  offer: {
    seats: number;
    courseDateSlug: string;
    madeAt: Date;
    mailedAt: Date | null;
    until: Date | null;
    endedAt: Date | null;
    ended: string | null;
    by: string | null;
    reason: string | null;
  } | null;
};

/**
 * The entries on the list of a course date and on its course's list, in order; without a course date, only the
 * course's list. Entries closed in the last 30 days follow, the latest first. At most 500.
 */
export async function listEntries(
  db: Db,
  { courseId, courseDateId, at }: { courseId: number; courseDateId: number | null; at: Date },
): Promise<ListedEntry[]> {
  const rows = await db
    .selectFrom('waiting_entries')
    .select([
      'id',
      'reference',
      'name',
      'email',
      'seats',
      'weeks',
      'venue',
      'joined_at',
      'course_date_id',
      'enrolment_id',
    ])
    .select(['confirmed_at', 'paused_at', 'closed_at', 'closed_why'])
    .select(({ selectFrom }) =>
      selectFrom('enrolments')
        .select('phone')
        .whereRef('enrolments.mailbox', '=', 'waiting_entries.mailbox')
        .where('phone', 'is not', null)
        .orderBy('enrolments.id', 'desc')
        .limit(1)
        .as('phone'),
    )
    .select(sql<ListedEntry['bar']>`waiting_bar(waiting_entries, ${courseDateId}::bigint)`.as('bar'))
    .select(sql<boolean>`id in (select entry_id from waiting_turns(${courseDateId}::bigint))`.as('turn'))
    .where('course_id', '=', courseId)
    .where((row) =>
      row.or([
        row('course_date_id', 'is', null),
        ...(courseDateId === null ? [] : [row('course_date_id', '=', courseDateId)]),
      ]),
    )
    .where((row) => row.or([row('closed_at', 'is', null), row('closed_at', '>', new Date(at.getTime() - 30 * dayMs))]))
    .orderBy(sql`closed_at desc nulls first`)
    .orderBy('joined_at')
    .orderBy('id')
    .limit(500)
    .execute();
  const offers = await db
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .innerJoin('course_dates', 'course_dates.id', 'waiting_offers.course_date_id')
    .leftJoin('people', 'people.id', 'made_by')
    .distinctOn('entry_id')
    .select(['entry_id', 'waiting_offers.seats', 'slug', 'waiting_offers.made_at', 'mailed_at', 'expires_at'])
    .select(['waiting_offers.ended_at', 'waiting_offers.ended', 'people.name as by', 'reason'])
    .where('entry_id', 'in', [0, ...rows.map(({ id }) => id)])
    .orderBy('entry_id')
    .orderBy('waiting_offers.id', 'desc')
    .execute();
  return rows.map((row) => {
    const offer = offers.find(({ entry_id }) => entry_id === row.id);
    return {
      id: row.id,
      reference: row.reference,
      name: row.name,
      email: row.email,
      phone: row.phone,
      seats: row.seats,
      preferences: { weeks: row.weeks, venue: row.venue },
      joinedAt: row.joined_at,
      ofCourse: row.course_date_id === null,
      bought: row.enrolment_id !== null,
      confirmed: row.confirmed_at !== null || row.enrolment_id !== null,
      pausedAt: row.paused_at,
      closedAt: row.closed_at,
      closedWhy: row.closed_why,
      turn: row.turn,
      bar: row.bar,
      offer: offer
        ? {
            seats: offer.seats,
            courseDateSlug: offer.slug,
            madeAt: offer.made_at,
            mailedAt: offer.mailed_at,
            until: offer.expires_at,
            endedAt: offer.ended_at,
            ended: offer.ended,
            by: offer.by,
            reason: offer.reason,
          }
        : null,
    };
  });
}

const pieceLength = 1000;

/** Everybody who waits on any list, in pieces, in the order in which they joined; of some references `only` those. */
export async function* everyWaitingEntry(db: Db, actor: StaffActor, only: readonly string[] | null) {
  requirePermission(actor, 'waiting:read');
  let last = 0;
  for (;;) {
    const { rows } = await sql<WaitingRow>`
      select waiting_entries.id, courses.title, course_date.starts_on as "startsOn", reference, name, email, seats,
        weeks, waiting_entries.venue, joined_at as "joinedAt", ${isConfirmed} as confirmed, not ${hasNoOffer} as offered
      from waiting_entries
        join courses on courses.id = waiting_entries.course_id
        left join course_dates course_date on course_date.id = course_date_id
      where closed_at is null and waiting_entries.id > ${last}
        and (${only}::text[] is null or reference = any(${only}::text[]))
      order by waiting_entries.id limit ${pieceLength}`.execute(db);
    yield rows;
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < pieceLength) return;
  }
}

export type WaitingRow = {
  id: number;
  title: string;
  /** The first day of the date; null on the list for the next date of a course. */
  startsOn: string | null;
  reference: string;
  name: string;
  email: string;
  seats: number;
  weeks: Day[];
  venue: Preferences['venue'];
  joinedAt: Date;
  confirmed: boolean;
  offered: boolean;
};

/** How many entries are told when a course is retired: open, confirmed, and without places that were bought. */
export async function countWaiting(db: Db, course: string): Promise<number> {
  const { count } = await db
    .selectFrom('waiting_entries')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('slug', '=', course)
    .where('closed_at', 'is', null)
    .where('confirmed_at', 'is not', null)
    .where('enrolment_id', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** An entry with its open offer; null when there is none. */
export async function readEntry(db: Db, id: number): Promise<WaitingEntry | null> {
  const row = await db.selectFrom('waiting_entries').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const offer = await db
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'waiting_offers.hold_id')
    .select(['waiting_offers.id', 'waiting_offers.course_date_id as courseDateId', 'hold_id as holdId'])
    .select(['waiting_offers.seats', 'waiting_offers.made_at as madeAt', 'expires_at as until'])
    .where('entry_id', '=', id)
    .where('waiting_offers.ended_at', 'is', null)
    .executeTakeFirst();
  return {
    id: row.id,
    reference: row.reference,
    courseId: row.course_id,
    courseDateId: row.course_date_id,
    seats: row.seats,
    preferences: { weeks: row.weeks, venue: row.venue },
    name: row.name,
    email: row.email,
    enrolmentId: row.enrolment_id,
    joinedAt: row.joined_at,
    confirmed: row.confirmed_at !== null || row.enrolment_id !== null,
    pausedAt: row.paused_at,
    closedAt: row.closed_at,
    closedWhy: row.closed_why,
    offer: offer ?? null,
  };
}

/** For queries of `waiting_entries`: its address is confirmed, by the link that went there or by an enrolment (P48). */
export const isConfirmed = sql<boolean>`(confirmed_at is not null or waiting_entries.enrolment_id is not null)`;

/**
 * For queries of `course_dates`: seats that are wanted on its waiting list. Entries without a confirmed address want
 * none (P48).
 */
export const seatsWaiting = sql<number>`(select coalesce(sum(seats), 0) from waiting_entries
  where waiting_entries.course_date_id = course_dates.id and closed_at is null and ${isConfirmed})::integer`.as(
  'waiting',
);

/** For queries of `waiting_entries`: no offer of the entry is open. */
export const hasNoOffer = sql<boolean>`not exists (
  select from waiting_offers where entry_id = waiting_entries.id and ended_at is null)`;

/** The entry of a private link; null when there is none. */
export async function findWaitingEntry(db: Db, token: string): Promise<WaitingEntry | null> {
  const entryId = (await findTarget(db, token))?.waiting_entry_id;
  return entryId ? readEntry(db, entryId) : null;
}

/** The ids of waiting entries by reference. */
export async function findEntryIds(db: Db, references: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('reference', 'in', ['', ...references])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
