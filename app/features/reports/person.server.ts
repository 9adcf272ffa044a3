import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { kindLabels } from '#app/features/inbox/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/inbox/enquiries/schema.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readPeopleRows } from '#app/features/people/people-list.server.ts';
import type { Cents } from '#app/lib/money.ts';

/** How many records of each kind the page of a person shows, the latest first. */
const mostOfAKind = 50;

/** Everything that is held of a person, in one place; null for nobody. Amounts in cents. */
export async function findPerson(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'people:read');
  const [person] = await readPeopleRows(db, [id]);
  if (!person) return null;
  const own = <Table extends 'enrolments' | 'enquiries' | 'conversations' | 'bookings' | 'waiting_entries'>(
    table: Table,
  ) => sql`from ${sql.table(table)} where person_id = ${id} order by id desc limit ${mostOfAKind}`;
  const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows;
  const enrolments = await db
    .selectFrom('enrolments')
    .select(['id', 'reference', 'title', 'placed_at', 'organisation', 'phone', 'buyer_name'])
    .where('person_id', '=', id)
    .orderBy('id', 'desc')
    .limit(mostOfAKind)
    .execute();
  const owed: Cents[] = [];
  for (const enrolment of enrolments) owed.push(balanceOf(await accountOf(db, enrolment.id)));
  const enquiries = await rowsOf(
    sql<{ reference: string; kind: EnquiryKind; at: Date; state: string; phone: string | null }>`
      select reference, kind, created_at as at, state, phone ${own('enquiries')}`,
  );
  const bookings = await rowsOf(
    sql<{ reference: string; kind: keyof typeof bookingKinds; at: Date; cancelled: boolean }>`
      select reference, kind, starts_at as at, cancelled_at is not null as cancelled ${own('bookings')}`,
  );
  return {
    ...person,
    addresses: await db
      .selectFrom('person_emails')
      .select(['email', 'verified_at as verifiedAt'])
      .where('person_id', '=', id)
      .orderBy('email')
      .execute(),
    phones: distinct([...enrolments, ...enquiries].map(({ phone }) => phone)),
    names: distinct([person.name, ...enrolments.map(({ buyer_name }) => buyer_name)]),
    organisations: distinct(enrolments.map(({ organisation }) => organisation)),
    enrolments: enrolments.map((row, at) => ({ ...row, balanceCents: owed[at] ?? 0 })),
    places: await placesOf(db, id),
    enquiries: enquiries.map((row) => ({ ...row, kind: kindLabels[row.kind] })),
    bookings: bookings.map((row) => ({ ...row, kind: bookingKinds[row.kind].title })),
    chats: await rowsOf(
      sql<{ id: number; at: Date; state: string }>`select id, created_at as at, state ${own('conversations')}`,
    ),
    waiting: await waitingOf(db, id),
    certificates: await certificatesOf(db, id),
    consents: await db
      .selectFrom('marketing_consents')
      .select(['address', 'wording', 'given_at as at'])
      .where('person_id', '=', id)
      .orderBy('given_at', 'desc')
      .execute(),
    roles: await db.selectFrom('staff_roles').select('role').where('person_id', '=', id).orderBy('role').execute(),
    accountSince:
      (await db.selectFrom('players').select('since').where('person_id', '=', id).executeTakeFirst())?.since ?? null,
  };
}

const distinct = (texts: readonly (string | null)[]): string[] =>
  [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[];

/** The places that somebody attends, no matter who bought them. */
async function placesOf(db: Db, id: number) {
  return db
    .selectFrom('attendees')
    .innerJoin('places', 'attendee_id', 'attendees.id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['places.id', 'courses.title', 'reference', 'places.state', 'course_dates.slug as courseDate'])
    .select(['course_dates.starts_on as startsOn', 'course_dates.ends_on as endsOn', 'guided_from as guidedFrom'])
    .where('attendees.person_id', '=', id)
    .orderBy('places.id', 'desc')
    .limit(mostOfAKind)
    .execute();
}

async function waitingOf(db: Db, id: number) {
  return db
    .selectFrom('waiting_entries')
    .innerJoin('courses', 'courses.id', 'waiting_entries.course_id')
    .leftJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['waiting_entries.id', 'courses.title', 'courses.slug as course', 'course_dates.slug as courseDate'])
    .select(['joined_at as at', 'closed_at as closedAt', 'seats'])
    .where('person_id', '=', id)
    .orderBy('waiting_entries.id', 'desc')
    .limit(mostOfAKind)
    .execute();
}

async function certificatesOf(db: Db, id: number) {
  const { rows } = await sql<{ number: string; title: string; state: string; at: Date }>`
    select number, facts -> 'course' ->> 'title' as title, certificates.state, issued_at as at
    from attendees join places on attendee_id = attendees.id join certificates on place_id = places.id
    where attendees.person_id = ${id} order by certificates.id desc limit ${mostOfAKind}`.execute(db);
  return rows;
}
