import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, dayIn } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime } from '#app/lib/wall-clock.ts';
import { readStudies, type Study } from './study.server.ts';

/** How a day of somebody is marked: `here` and `open` are drawn, all others are their words. */
export type DayMarked = { day: Day; text: 'here' | 'open' | '' | string };

/**
 * The marks of attendance of people, by place and day (P59). A day that has come and that nobody marked is `open`; one
 * that is still to come is empty.
 */
export async function readAttendance(
  db: Db,
  actor: StaffActor,
  { courseDate, places, now }: { courseDate: CourseDateForStaff; places: readonly number[]; now: Date },
): Promise<{ days: Day[]; today: Day; marked: Map<number, DayMarked[]> }> {
  requirePermission(actor, 'attendees:read');
  const today = dayIn(courseDate.zone, now);
  const studies = await readStudies(db, places);
  const marked = new Map(
    studies.map(({ placeId, days }) => [
      placeId,
      days.map((one) => ({ day: one.day, text: inWords(one, courseDate, today) })),
    ]),
  );
  return { days: studies[0]?.days.map(({ day }) => day) ?? [], today, marked };
}

function inWords({ day, mark }: Study['days'][number], { startsAt, endsAt }: CourseDateForStaff, today: Day): string {
  if (!mark) return day <= today ? 'open' : '';
  if (mark.mark === 'absent') return 'away';
  if (mark.mark === 'excused') return 'excused';
  const parts = [
    mark.minutesLate > 0 && `from ${timeAfter(startsAt, mark.minutesLate)}`,
    mark.minutesLeftEarly > 0 && `until ${timeAfter(endsAt, -mark.minutesLeftEarly)}`,
  ].filter((part) => part !== false);
  return parts.join(', ') || 'here';
}

function timeAfter(time: string, minutes: number): string {
  const [hours = 0, past = 0] = time.split(':').map(Number);
  const sum = hours * 60 + past + minutes;
  return formatTime(`${String(Math.floor(sum / 60)).padStart(2, '0')}:${String(sum % 60).padStart(2, '0')}`);
}

const mostMessages = 12;

/** The mails about a course date and its places that are still kept, equal ones together, the latest first. */
export async function readMessages(db: Db, actor: StaffActor, courseDateId: number) {
  requirePermission(actor, 'mail:read');
  const rows = await db
    .selectFrom('mails')
    .select([
      'kind',
      sql<Date>`min(queued_at)`.as('at'),
      sql<string>`min(regexp_replace(subject, ' \\(BB-[2-9A-HJ-NP-Z]{6}\\)$', ''))`.as('subject'),
    ])
    .select([
      sql<number>`count(*)::integer`.as('all'),
      sql<number>`count(distinct lower(recipient))::integer`.as('people'),
      sql<number>`(count(*) filter (where state = 'sent'))::integer`.as('sent'),
      sql<number>`(count(*) filter (where state = 'failed'))::integer`.as('failed'),
    ])
    .where((eb) =>
      eb.or([
        eb.and([eb('about_kind', '=', 'course-date'), eb('about_id', '=', courseDateId)]),
        eb.and([
          eb('about_kind', '=', 'enrolment'),
          eb('kind', 'like', 'place-%'),
          eb('about_id', 'in', (inner) =>
            inner.selectFrom('places').select('enrolment_id').where('course_date_id', '=', courseDateId),
          ),
        ]),
      ]),
    )
    .groupBy(['kind', sql`date_trunc('hour', queued_at)`])
    .orderBy('at', 'desc')
    .limit(mostMessages)
    .execute();
  return rows.map(({ at, kind, subject, all, people, sent, failed }) => ({
    key: `${kind} ${at.toISOString()}`,
    kind,
    at: formatMoment(at),
    subject: showControlCharacters(subject),
    people,
    allSent: sent === all,
    arrived: failed > 0 ? `${sent} of ${all} sent, ${failed} failed` : `${sent} of ${all} sent`,
    failed: failed > 0,
  }));
}

/** What an enrolment in a course date owes, in cents: in all, and what of that is due or has a due day. */
export type Owing = {
  balanceCents: Cents;
  dueCents: Cents;
  /** It has places on other dates or in guided study too, so not all of it is for this one. */
  elsewhere: boolean;
};

/** By reference, what the enrolments in a course date owe; only those that owe something. */
export async function readOwed(db: Db, actor: StaffActor, courseDateId: number): Promise<Map<string, Owing>> {
  requirePermission(actor, 'money:read');
  const { rows } = await sql<Owing & { reference: string }>`
    select reference, balance_cents as "balanceCents",
      coalesce((select sum(due_cents) from due_parts where due_parts.enrolment_id = enrolments.id), 0)::bigint as "dueCents",
      exists (select from places other where other.enrolment_id = enrolments.id and other.state <> 'cancelled'
        and other.course_date_id is distinct from ${courseDateId}) as elsewhere
    from enrolments join enrolment_list on enrolment_list.enrolment_id = enrolments.id
    where balance_cents > 0 and enrolments.id in (
      select enrolment_id from places where course_date_id = ${courseDateId} and state <> 'cancelled')`.execute(db);
  return new Map(rows.map(({ reference, ...owing }) => [reference, owing]));
}

/** What an enrolment owes, for a column of AU$: `6,367.00 in all`, `5,499.00, not due yet`. */
export function owingText({ balanceCents, dueCents, elsewhere }: Owing): string {
  return `${formatCents(balanceCents)}${elsewhere ? ' in all' : ''}${dueCents === 0 ? ', not due yet' : ''}`;
}
