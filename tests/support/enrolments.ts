import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { confirmAccountsAddress } from '#app/features/enrolments/accounts-address.server.ts';
import type { AttendeeWish, CourseChoice, Order } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { dayIn } from '#app/lib/dates.ts';
import { withLinks } from './mail-links.ts';

export const academy: MailAcademy = {
  name: 'Bowerbird Academy',
  company: 'Bowerbird Academy Pty Ltd, ABN 89 000 000 019',
  address: 'Level 4, 120 Edward Street, Brisbane',
  phone: '(07) 7010 0142',
  email: 'hello@academy.example',
  url: 'http://localhost:3000',
};

/** A moment; `text` is wall-clock time in Brisbane, such as `2025-09-08T09:00`. */
export function momentAt(text: string): Moment {
  const now = new Date(`${text}:00+10:00`);
  return { now, today: dayIn('Australia/Brisbane', now), academy };
}

export type CourseDateWish = {
  course?: string;
  capacity?: number;
  startsOn?: string;
  /** With a day of decision it is tentative. */
  minimum?: number;
  decidedBy?: string | null;
  /** Null: not set yet, so its reminders wait. */
  joiningLink?: string | null;
};

/** A five-day course date of a course of the academy; confirmed unless it has a day of decision. */
export async function makeCourseDate(db: Db, wish: CourseDateWish = {}): Promise<{ id: number; courseId: number }> {
  const { course = 'cissp', capacity = 6, startsOn = '2025-11-03', minimum = 1, decidedBy = null } = wish;
  const { joiningLink = 'https://class.example/of-this-course-date' } = wish;
  const { id: courseId, instructor_slug } = await db
    .selectFrom('courses')
    .select(['id', 'instructor_slug'])
    .where('slug', '=', course)
    .executeTakeFirstOrThrow();
  const starts = new Date(`${startsOn}T00:00:00Z`);
  const dayAfter = (days: number) => new Date(starts.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const { id } = await db
    .insertInto('course_dates')
    .values({
      slug: `course-date-${crypto.randomUUID()}`,
      course_id: courseId,
      starts_on: startsOn,
      ends_on: dayAfter(4),
      starts_at: '09:00',
      ends_at: '17:00',
      zone: 'Australia/Brisbane',
      delivery: 'online',
      joining_link: joiningLink,
      instructor_slug,
      capacity,
      minimum,
      decided_by: decidedBy,
      enrolment_ends_on: dayAfter(-1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, courseId };
}

export const attendee = (parts: Partial<AttendeeWish> = {}): AttendeeWish => ({
  name: 'Ada Byron',
  email: null,
  needs: null,
  under18: false,
  guardian: null,
  ...parts,
});

export const seatIn = ({ id, courseId }: { id: number; courseId: number }): CourseChoice => ({
  courseId,
  way: 'date',
  courseDateId: id,
});

/** The id of a text of /terms. */
export async function termsId(db: Db, body = 'The terms of a test.'): Promise<number> {
  await db
    .insertInto('terms_versions')
    .values({ body })
    .onConflict((same) => same.doNothing())
    .execute();
  const { id } = await db.selectFrom('terms_versions').select('id').where('body', '=', body).executeTakeFirstOrThrow();
  return id;
}

export type OrderWish = Partial<Order>;

let buyers = 0;
/**
 * An order by a buyer of its own, with a mail domain of its own, for one attendee, at the price of the moment of
 * placing.
 */
export async function orderOf(db: Db, choices: readonly CourseChoice[], wish: OrderWish = {}): Promise<Order> {
  const { attendees = [attendee()] } = wish;
  const rows = await db
    .selectFrom('courses')
    .select('price_cents')
    .where(
      'id',
      'in',
      choices.map(({ courseId }) => courseId),
    )
    .execute();
  return {
    comboId: null,
    choices,
    attendees,
    buyer: { name: 'Grace Hopper', email: `grace@buyer${++buyers}.example`, phone: null },
    payer: { kind: 'person', address: null },
    termsId: await termsId(db),
    draftId: null,
    prices: null,
    shownCents: attendees.length * rows.reduce((sum, { price_cents }) => sum + price_cents, 0),
    actor: theBuyer,
    ...wish,
  };
}

/** Seats of a course date that are neither sold, held nor offered. */
export async function seatsLeftIn(db: Db, courseDateId: number): Promise<number> {
  const { capacity } = await db
    .selectFrom('course_dates')
    .select('capacity')
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const { taken } = await db
    .selectFrom('seat_movements')
    .select(({ fn }) => fn.sum<string | null>('seats').as('taken'))
    .where('course_date_id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  return capacity - Number(taken);
}

/** Places an enrolment in a course date on the opening day. */
export async function placeIn(db: Db, courseDate: { id: number; courseId: number }, parts: OrderWish = {}) {
  const order = await orderOf(db, [seatIn(courseDate)], parts);
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) throw new Error(placed.reason);
  return placed;
}

/** Course dates whose counter is not what their movements sum to; there are to be none. */
export async function miscountedCourseDates(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select s.slug, c.sold, c.held, c.offered
    from course_dates s
      left join course_date_seats c on c.course_date_id = s.id
      left join seat_movements m on m.course_date_id = s.id
      left join seat_holds h on h.id = m.hold_id
    group by s.id, c.course_date_id
    having (c.sold, c.held, c.offered) is distinct from (
      coalesce(sum(m.seats) filter (where m.place_id is not null), 0)::integer,
      coalesce(sum(m.seats) filter (where h.purpose in ('enrolment', 'quote')), 0)::integer,
      coalesce(sum(m.seats) filter (where h.purpose = 'waiting-offer'), 0)::integer)`.execute(db);
  return rows;
}

/** The owner of the address for invoices presses the button of the mail that asked for consent. */
export async function agreeToInvoices(db: Db, to: string, moment = momentAt('2025-09-08T09:00')) {
  const { body_text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', to)
    .where('kind', '=', 'accounts-address')
    .executeTakeFirstOrThrow();
  const token = /\/accounts\/([0-9a-f]{48})/.exec(await withLinks(db, body_text))?.[1] ?? '';
  if (!(await db.transaction().execute((trx) => confirmAccountsAddress(trx, token, moment)))) {
    throw new Error(`no link was mailed to ${to}`);
  }
}
