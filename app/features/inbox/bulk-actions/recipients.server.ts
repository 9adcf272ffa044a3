import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { enrolmentLink, placeLink } from '#app/features/enrolments/links.server.ts';
import { waitingLink } from '#app/features/enrolments/waiting/mails.server.ts';
import { courseDateWhen, courseDateWhere } from '#app/features/enrolments/words.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';
import { bouncedAmong } from '#app/outbox/bounced.server.ts';
import type { About } from '#app/outbox/mail.ts';
import { findConsent } from '#app/outbox/marketing.server.ts';

export const audiences = ['attendees', 'buyers', 'waiting'] as const;
export type Audience = (typeof audiences)[number];

/** The records that staff chose in a list: enrolments, places on waiting lists, or course dates. */
export type ChosenRecords = { of: 'enrolments' | 'waiting' | 'course-dates'; ids: readonly number[] };

/** The course that a message names, in words, and its date where it has one. */
export type MessageCourse = {
  title: string;
  when: string;
  where: string;
  date: { id: number; slug: string; cancelled: boolean } | null;
};

/** Somebody to whom a message could go. */
export type Recipient = {
  audience: Audience;
  /** Of the attendee, the enrolment or the place on the waiting list. */
  id: number;
  /** As they typed it, for staff; null where nobody was named. */
  name: string | null;
  /** The name, if an email may hold it. */
  called: string | null;
  email: string | null;
  /** Of the enrolment, or of the place on the waiting list. */
  reference: string;
  about: About;
  /** The name of their private link in mails. */
  link: string;
  course: MessageCourse;
  /** Why nothing can be sent to them; null when it can. */
  leftOut: LeftOut | null;
};

type LeftOut = 'no-address' | 'not-to-tell' | 'erased' | 'bounced' | 'same-address' | 'no-consent';

type Wanted = {
  to: readonly Audience[];
  /** News and offers need consent (P80). */
  marketing: boolean;
  /** Says which course of an enrolment comes next. */
  today: Day;
};

type Candidate = Omit<Recipient, 'called' | 'leftOut'> & { told: boolean };

/**
 * The people of the chosen records, with the reason for each person who is left out (P80): attendees, then buyers, then
 * the waiting list. An address gets one email, the first of these.
 */
export async function recipientsOf(
  db: Db,
  { of, ids }: ChosenRecords,
  { to, marketing, today }: Wanted,
): Promise<Recipient[]> {
  const people = of === 'waiting' ? [] : await peopleOf(db, { of, ids }, today);
  const entries = of === 'enrolments' ? [] : await waitingOf(db, { of, ids });
  const candidates = [...people, ...entries].filter(({ audience }) => to.includes(audience));
  const bounced = await bouncedAmong(
    db,
    candidates.flatMap(({ email }) => email ?? []),
  );
  const mailed = new Set<string>();
  const recipients: Recipient[] = [];
  for (const { told, ...one } of candidates) {
    const leftOut = async (): Promise<LeftOut | null> => {
      const address = one.email?.toLowerCase();
      if (address === undefined) return 'no-address';
      if (isErased(address)) return 'erased';
      if (!told) return 'not-to-tell';
      if (mailed.has(address)) return 'same-address';
      mailed.add(address);
      if (bounced.has(address)) return 'bounced';
      return marketing && (await findConsent(db, address)).state !== 'agreed' ? 'no-consent' : null;
    };
    recipients.push({ ...one, called: one.name && nameForOthers(one.name), leftOut: await leftOut() });
  }
  return recipients;
}

/**
 * Makes changes of the course dates that messages to chosen records name wait until the transaction ends: they then see
 * the emails that they have to withdraw.
 */
export async function lockDatesOf(trx: Db, { of, ids }: ChosenRecords): Promise<void> {
  const chosen = sql`any(${[...ids]}::bigint[])`;
  const dates = {
    'course-dates': sql`id = ${chosen}`,
    enrolments: sql`id in (select course_date_id from places where enrolment_id = ${chosen})`,
    waiting: sql`id in (select course_date_id from waiting_entries where waiting_entries.id = ${chosen})`,
  };
  await sql`select from course_dates where ${dates[of]} order by id for share`.execute(trx);
}

type DateRow = {
  course: string;
  date: number | null;
  slug: string;
  cancelled: boolean;
  starts_on: Day;
  ends_on: Day;
  starts_at: string;
  ends_at: string;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  room: string | null;
  street: string | null;
};
type PlaceRow = DateRow & {
  enrolment: number;
  reference: string;
  title: string;
  buyer_name: string;
  buyer_email: string;
  attendee: number | null;
  name: string | null;
  email: string | null;
  told: boolean;
  standing: boolean;
  guided_from: Day | null;
};

const dateColumns = sql.raw(
  `course_date.id as date, course_date.slug, course_date.state = 'cancelled' as cancelled, course_date.starts_on, course_date.ends_on,
  course_date.starts_at, course_date.ends_at, course_date.zone, course_date.delivery, course_date.venue, course_date.room, course_date.street`,
);

/**
 * The attendees of chosen enrolments, or in chosen course dates, each with the course that is on or comes next, then the
 * buyers. A date that the academy cancelled is named only where there is no other; a cancelled place only where the whole
 * enrolment is cancelled.
 */
async function peopleOf(
  db: Db,
  { of, ids }: { of: 'enrolments' | 'course-dates'; ids: readonly number[] },
  today: Day,
): Promise<Candidate[]> {
  const chosen = sql`any(${[...ids]}::bigint[])`;
  const { rows } = await sql<PlaceRow>`
    select enrolments.id as enrolment, reference, enrolments.title, buyer_name, enrolments.email as buyer_email,
      case when places.state <> 'cancelled' then attendees.id end as attendee, attendees.name, attendees.email,
      attendees.told, guided_from, places.state <> 'cancelled' as standing,
      coalesce(courses.title, enrolments.title) as course, ${dateColumns}
    from enrolments
      left join places on places.enrolment_id = enrolments.id and places.cancelled_why is distinct from 'transfer'
      left join attendees on attendees.id = places.attendee_id
      left join courses on courses.id = places.course_id
      left join course_dates course_date on course_date.id = places.course_date_id
    where ${of === 'enrolments' ? sql`enrolments.id = ${chosen}` : sql`course_date.id = ${chosen} and places.state <> 'cancelled'`}
    order by enrolments.id, places.state = 'cancelled', places.state <> 'active',
      coalesce(course_date.state = 'cancelled' or course_date.ends_on < ${today}, false),
      coalesce(course_date.starts_on, guided_from) nulls last, places.id`.execute(db);
  return [
    ...firstOf(rows, ({ attendee }) => attendee).map(([id, row]): Candidate => {
      const { enrolment, name, email, told, reference } = row;
      const about = { kind: 'enrolment', id: enrolment } as const;
      const link = placeLink(enrolment, id);
      return { audience: 'attendees', id, name, email, told, reference, about, link, course: courseOf(row) };
    }),
    ...firstOf(rows, ({ enrolment }) => enrolment).map(([id, row]): Candidate => {
      const { buyer_name: name, buyer_email: email, reference } = row;
      const about = { kind: 'enrolment', id } as const;
      const own = courseOf(row);
      const title = row.date === null ? row.title : own.title;
      const course = { ...own, title, date: row.standing ? own.date : null };
      return { audience: 'buyers', id, name, email, told: true, reference, about, link: enrolmentLink(id), course };
    }),
  ];
}

/** The first row of each key. */
function firstOf<Row>(rows: readonly Row[], keyOf: (row: Row) => number | null): [number, Row][] {
  const byKey = new Map<number, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null && !byKey.has(key)) byKey.set(key, row);
  }
  return [...byKey];
}

type WaitingRow = DateRow & { id: number; name: string; email: string; reference: string };

/** The chosen people on waiting lists, or those of chosen course dates, with a confirmed address, as they joined. */
async function waitingOf(
  db: Db,
  { of, ids }: { of: 'waiting' | 'course-dates'; ids: readonly number[] },
): Promise<Candidate[]> {
  const chosen = sql`any(${[...ids]}::bigint[])`;
  const { rows } = await sql<WaitingRow>`
    select entry.id, entry.name, entry.email, entry.reference, courses.title as course, ${dateColumns}
    from waiting_entries entry
      join courses on courses.id = entry.course_id
      left join course_dates course_date on course_date.id = entry.course_date_id
    where ${of === 'waiting' ? sql`entry.id = ${chosen}` : sql`course_date.id = ${chosen}`} and closed_at is null
      and (confirmed_at is not null or enrolment_id is not null)
    order by entry.id`.execute(db);
  return rows.map((row): Candidate => {
    const { id, name, email, reference } = row;
    const about = { kind: 'waiting-entry', id } as const;
    const course = courseOf({ ...row, guided_from: null });
    return { audience: 'waiting', id, name, email, told: true, reference, about, link: waitingLink(id), course };
  });
}

function courseOf({
  course: title,
  guided_from,
  date: id,
  ...row
}: DateRow & { guided_from: Day | null }): MessageCourse {
  if (id === null) {
    const when = guided_from === null ? 'a date that we will email you' : `guided study from ${formatDay(guided_from)}`;
    return { title, when, where: 'online', date: null };
  }
  const { slug, cancelled, starts_on: startsOn, ends_on: endsOn, zone, delivery, venue, room, street } = row;
  const [startsAt, endsAt] = [row.starts_at.slice(0, 5), row.ends_at.slice(0, 5)];
  const when = courseDateWhen({ startsOn, endsOn, startsAt, endsAt, zone });
  const where = courseDateWhere({ delivery, venue, room, street });
  return { title, when, where, date: { id, slug, cancelled } };
}
