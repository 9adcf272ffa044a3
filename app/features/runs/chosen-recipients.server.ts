import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { enrolmentLink, placeLink } from '#app/features/enrolments/links.server.ts';
import { sessionWhen, sessionWhere } from '#app/features/enrolments/words.ts';
import { waitingLink } from '#app/features/waiting/links.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { type MessageCourse, messageSessions, withConsent } from './message.server.ts';
import { type Audience, type Candidate, candidatesOf, type Recipient, screened } from './recipients.server.ts';

/** The records that staff chose in a list: enrolments, places on waiting lists, or course dates. */
export type ChosenRecords = { of: 'enrolments' | 'waiting' | 'sessions'; ids: readonly number[] };

/** Somebody who was chosen in a list, with the course that a message names; `sessionId` where that has a date. */
export type ChosenRecipient = Recipient & { audience: Audience; course: MessageCourse; sessionId?: number };

/** `today` says which course of an enrolment comes next. */
type Wanted = { to: readonly Audience[]; marketing: boolean; today: Day };

/**
 * Who gets a message to the people of chosen records, and who does not and why: attendees of places that stand, buyers
 * also of cancelled places, and people on a waiting list. An attendee's course is the one that is on or comes next; where course
 * dates were chosen, each of them has its people, and somebody in two gets an email about each.
 */
export async function chosenRecipients(
  db: Db,
  { of, ids }: ChosenRecords,
  { to, marketing, today }: Wanted,
): Promise<ChosenRecipient[]> {
  if (of === 'sessions') return peopleOfDates(db, ids, { to, marketing });
  const candidates = of === 'waiting' ? await waitingOf(db, ids) : await peopleOf(db, ids, today);
  const asked = await screened(
    db,
    candidates.filter(({ audience }) => to.includes(audience)),
  );
  return marketing ? withConsent(db, asked) : asked;
}

/** News and offers go to an address once, whichever of the dates it is in: they are about no date. */
async function peopleOfDates(
  db: Db,
  ids: readonly number[],
  { to, marketing }: Omit<Wanted, 'today'>,
): Promise<ChosenRecipient[]> {
  const courses = await messageSessions(db, ids);
  const candidates = (await candidatesOf(db, ids)).flatMap((one) => {
    const course = courses.get(one.sessionId);
    return course && to.includes(one.audience) ? [{ ...one, course }] : [];
  });
  if (marketing) return withConsent(db, await screened(db, candidates));
  return screened(db, candidates, ({ sessionId }) => sessionId);
}

/** A fixed recipient of a run with their present details; null when there is nothing left to write to them about. */
export async function chosenRecipient(
  db: Db,
  { kind, id, today }: { kind: string; id: number; today: Day },
): Promise<ChosenRecipient | null> {
  const attendee = () => db.selectFrom('attendees').select('enrolment_id').where('id', '=', id).executeTakeFirst();
  const record = kind === 'attendee' ? ((await attendee())?.enrolment_id ?? 0) : id;
  const candidates = kind === 'waiting-entry' ? await waitingOf(db, [record]) : await peopleOf(db, [record], today);
  const [found] = await screened(
    db,
    candidates.filter((one) => one.kind === kind && one.id === id),
  );
  return found ?? null;
}

type Chosen = Candidate & { course: MessageCourse; sessionId?: number };

type SessionRow = {
  course: string;
  session: number | null;
  slug: string | null;
  starts_on: Day | null;
  ends_on: Day;
  starts_at: string;
  ends_at: string;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  room: string | null;
  street: string | null;
};
type PlaceRow = SessionRow & {
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

const sessionColumns = sql.raw(
  'session.id as session, session.slug, session.starts_on, session.ends_on, session.starts_at, session.ends_at, session.zone, session.delivery, session.venue, session.room, session.street',
);

/**
 * Attendees of enrolments, each with the course that is on or comes next, then the buyers. A date that the academy
 * cancelled is named only where there is no other; a cancelled place only where the whole enrolment is cancelled.
 */
async function peopleOf(db: Db, ids: readonly number[], today: Day): Promise<Chosen[]> {
  const { rows } = await sql<PlaceRow>`
    select enrolments.id as enrolment, reference, enrolments.title, buyer_name, enrolments.email as buyer_email,
      case when places.state <> 'cancelled' then attendees.id end as attendee, attendees.name, attendees.email, attendees.told, guided_from,
      places.state <> 'cancelled' as standing,
      coalesce(courses.title, enrolments.title) as course, ${sessionColumns}
    from enrolments
      left join places on places.enrolment_id = enrolments.id and places.cancelled_why is distinct from 'transfer'
      left join attendees on attendees.id = places.attendee_id
      left join courses on courses.id = places.course_id
      left join training_sessions session on session.id = places.training_session_id
    where enrolments.id = any(${[...ids]}::bigint[])
    order by enrolments.id, places.state = 'cancelled', places.state <> 'active',
      coalesce(session.state = 'cancelled' or session.ends_on < ${today}, false),
      coalesce(session.starts_on, guided_from) nulls last, places.id`.execute(db);
  const first = <Key>(keyOf: (row: PlaceRow) => Key | null) => {
    const byKey = new Map<Key, PlaceRow>();
    for (const row of rows) {
      const key = keyOf(row);
      if (key !== null && !byKey.has(key)) byKey.set(key, row);
    }
    return [...byKey.entries()];
  };
  return [
    ...first(({ attendee }) => attendee).map(([id, row]): Chosen => {
      const { name, email, told, reference, enrolment } = row;
      const about = { kind: 'enrolment', id: enrolment } as const;
      const link = placeLink(enrolment, id);
      const its = { course: courseOf(row), ...dateOf(row) };
      return { audience: 'attendees', kind: 'attendee', id, name, email, told, reference, about, link, ...its };
    }),
    ...first(({ enrolment }) => enrolment).map(([id, row]): Chosen => {
      const { buyer_name: name, buyer_email: email, reference } = row;
      const about = { kind: 'enrolment', id } as const;
      const link = enrolmentLink(id);
      const date = row.standing ? dateOf(row) : {};
      const course = courseOf(row);
      const its = { course: row.session === null ? { ...course, title: row.title } : course, ...date };
      return { audience: 'buyers', kind: 'enrolment', id, name, email, told: true, reference, about, link, ...its };
    }),
  ];
}

type WaitingRow = SessionRow & { id: number; name: string; email: string; reference: string };

/** People on a waiting list with a confirmed address, in the order in which they joined. */
async function waitingOf(db: Db, ids: readonly number[]): Promise<Chosen[]> {
  const { rows } = await sql<WaitingRow>`
    select entry.id, entry.name, entry.email, entry.reference, courses.title as course, ${sessionColumns}
    from waiting_entries entry
      join courses on courses.id = entry.course_id
      left join training_sessions session on session.id = entry.training_session_id
    where entry.id = any(${[...ids]}::bigint[]) and closed_at is null
      and (confirmed_at is not null or enrolment_id is not null)
    order by entry.id`.execute(db);
  return rows.map(({ id, name, email, reference, ...row }): Chosen => {
    const about = { kind: 'waiting-entry', id } as const;
    const its = { course: courseOf({ ...row, guided_from: null }), ...dateOf(row) };
    const link = waitingLink(id);
    return { audience: 'waiting', kind: 'waiting-entry', id, name, email, told: true, reference, about, link, ...its };
  });
}

const dateOf = ({ session }: SessionRow) => (session === null ? {} : { sessionId: session });

function courseOf({ course: title, guided_from, ...row }: SessionRow & { guided_from: Day | null }): MessageCourse {
  const { slug, starts_on: startsOn, ends_on: endsOn, zone, delivery, venue, room, street } = row;
  if (startsOn === null) {
    const when = guided_from === null ? 'a date that we will email you' : `guided study from ${formatDay(guided_from)}`;
    return { title, slug: null, when, where: 'online' };
  }
  const [startsAt, endsAt] = [row.starts_at.slice(0, 5), row.ends_at.slice(0, 5)];
  const when = sessionWhen({ startsOn, endsOn, startsAt, endsAt, zone });
  return { title, slug, when, where: sessionWhere({ delivery, venue, room, street }) };
}
