import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { wishedDates } from '#app/emails/wished-dates.ts';
import { takesEnrolmentsOn } from '#app/features/seats/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { endMailsLink } from './end-mails.server.ts';

/** Dates of one course that a mail lists; the rest are on its page. */
const mostDates = 6;
const daysOfUse = 7;
const job = 'tell of wished dates';

/**
 * The periodic job: mails players the new dates of wished courses for which they asked for an email (P57), all that are
 * new in one mail and each date once. Nothing goes to who has a place in the course, to an account that is closed, or to
 * an address that nobody proved. Returns how many mails it queued.
 */
export async function tellWishedDates(db: Db, moment: Moment): Promise<number> {
  const { now, today } = moment;
  const { rows: items } = await sql<{ id: number }>`
    select distinct person_id as id from (${newDates(today, null)}) fresh order by id limit ${limitOf(job, 500)}`.execute(
    db,
  );
  const keyOf = ({ id }: { id: number }) => `person:${id}`;
  return eachItem(db, { job, items, keyOf, at: now }, (trx, { id }) => tell(trx, id, moment));
}

async function tell(trx: Trx, personId: number, { now, today, academy }: Moment): Promise<boolean> {
  const person = await trx
    .selectFrom('people')
    .select('email')
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  const { rows } = await newDates(today, personId).execute(trx);
  if (!person?.email || rows.length === 0) return false;
  const courses = new Map<string, string[]>();
  for (const { title, starts_on, ends_on, venue } of rows) {
    const dates = courses.get(title) ?? [];
    courses.set(title, [...dates, `${formatDays(starts_on, ends_on)}, ${venue ?? 'online'}`]);
  }
  const unsubscribe = await endMailsLink(trx, academy.url, personId);
  const mailId = await queueMail(trx, {
    kind: 'wished-dates',
    about: { kind: 'person', id: personId },
    to: person.email,
    replyTo: academy.email,
    staleAfter: new Date(now.getTime() + daysOfUse * 24 * 60 * 60_000),
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ...wishedDates({
      courses: [...courses].map(([title, dates]) => ({ title, dates: listed(dates) })),
      link: academy.url + href('/account/wishes'),
      unsubscribe,
      academy,
    }),
  });
  const told = { person_id: personId, told_at: now, mail_id: mailId };
  await trx
    .insertInto('wish_dates_told')
    .values(rows.map(({ session_id }) => ({ ...told, training_session_id: session_id })))
    .execute();
  return true;
}

const listed = (dates: readonly string[]) =>
  dates.length > mostDates
    ? [...dates.slice(0, mostDates), `and ${dates.length - mostDates} more on the course’s page`]
    : dates;

type NewDate = {
  person_id: number;
  session_id: number;
  title: string;
  starts_on: Day;
  ends_on: Day;
  venue: string | null;
};

/** Dates that take enrolments, of courses for which an email is asked for, that the person was not told of. */
const newDates = (today: Day, personId: number | null) => sql<NewDate>`
  select wishes.person_id, session.id as session_id, title, starts_on, ends_on, venue
  from wishes
  join courses on courses.id = wishes.course_id and courses.retired_at is null
  join training_sessions session on session.course_id = courses.id
  join people on people.id = wishes.person_id
  join person_emails on person_emails.email = people.email and verified_at is not null
  where mail_asked_at is not null and (${personId}::bigint is null or wishes.person_id = ${personId})
    and ${takesEnrolmentsOn(today, 'session')}
    and not exists (select from wish_dates_told told
      where told.person_id = wishes.person_id and training_session_id = session.id)
    and not exists (select from account_closures closed where closed.person_id = wishes.person_id)
    and not exists (select from places join attendees on attendees.id = attendee_id
      where attendees.person_id = wishes.person_id and places.course_id = wishes.course_id and places.state <> 'cancelled')
  order by title, starts_on, session.id`;
