import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { missingJoiningDetails } from '#app/features/course-dates/joining-details.ts';
import { dayThere, hasDayIn } from '#app/features/course-dates/under-way.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, daysBetween, shortWeekday } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { instantOf, wallClockAt } from '#app/lib/wall-clock.ts';
import { bouncedAmong } from '#app/outbox/bounced.server.ts';
import { standingOfClass, timesText } from './class-times.ts';

/** Of a course's title beside its figures. */
const mostTitle = 40;

/** Mails that tell attendees the room or the link. */
const mailsWithJoiningDetails = [
  'place-reminder',
  'place-joining-details',
  'place-course-date-moved',
  'place-course-date-changed',
];

/** So many classes are shown; of the others the number is. */
const mostClasses = 24;

/**
 * The classes of today that the person may see, on the clock of each, by the instant they begin: the first 24, and
 * how many classes and people there are in all.
 */
export async function classesToday(db: Db, actor: StaffActor, now: Date) {
  const only = onlyCourseDatesOf(actor);
  const today = academyDay(now);
  // Each is on its own clock, which may show another day.
  const there = dayThere(now);
  const rows = await db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('course_date_seats', 'course_date_id', 'course_dates.id')
    .leftJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .select(['course_dates.id', 'course_dates.slug', 'courses.title', 'starts_on', 'ends_on', 'starts_at'])
    .select(['ends_at', 'zone', 'delivery', 'venue', 'room', 'street', 'joining_link', 'capacity', 'sold'])
    .select(['instructors.name as instructor', 'course_dates.instructor_slug', there.as('there')])
    .select(sql<Date>`(${there} + starts_at) at time zone zone`.as('begins'))
    .select([sql<number>`count(*) over ()`.as('count'), sql<number>`sum(sold) over ()`.as('people')])
    .where('state', '<>', 'cancelled')
    .where(hasDayIn(addDays(today, -1), addDays(today, 1)))
    .where(sql<boolean>`${there} between starts_on and ends_on`)
    .$if(only !== null, (query) => query.where('course_dates.instructor_slug', 'in', ['', ...(only ?? [])]))
    .orderBy('begins')
    .orderBy('course_dates.id')
    .limit(mostClasses)
    .execute();
  const mayRead = readerOf(actor);
  const people = rows.filter(mayRead).map(({ id }) => id);
  const marks = await readMarks(db, people, today);
  const unreached = await readUnreached(db, people);
  const sent = await readJoiningDetailsMails(db, people);
  const shown = rows.map((row) => {
    const { there, begins } = row;
    const times = { startsAt: row.starts_at.slice(0, 5), endsAt: row.ends_at.slice(0, 5), zone: row.zone };
    const ends = instantOf(there, times.endsAt, row.zone);
    const before = addDays(there, -1);
    return {
      slug: row.slug,
      zone: row.zone,
      title: nameWithin(row.title, mostTitle),
      times: timesText(wallClockAt(academyZone, begins).time, wallClockAt(academyZone, ends).time),
      beside: standingOfClass({ begins, ends, now, ...times }),
      dayText: `Day ${daysBetween(row.starts_on, there) + 1} of ${daysBetween(row.starts_on, row.ends_on) + 1}`,
      instructor: row.instructor ?? '',
      way: joiningDetailsText(row, mayRead(row) ? (sent.get(row.id) ?? null) : undefined),
      sold: row.sold,
      capacity: row.capacity,
      remark: remarkOf({
        sold: row.sold,
        unreached: unreached.get(row.id) ?? 0,
        now: marks.get(`${row.id} ${there}`) ?? null,
        earlier: before >= row.starts_on ? (marks.get(`${row.id} ${before}`) ?? null) : null,
        earlierOn: before,
      }),
      to: href('/staff/course-dates/:slug', { slug: row.slug }),
      marking: mayRead(row) ? href('/staff/classes/:slug', { slug: row.slug }) : null,
    };
  });
  return { shown, count: rows[0]?.count ?? 0, people: rows[0]?.people ?? 0 };
}

/** Whether the person may know of the people in a class. */
function readerOf(actor: StaffActor): (row: { instructor_slug: string }) => boolean {
  if (!actor.can.has('attendees:read')) return () => false;
  const only = onlyCourseDatesOf(actor, 'attendees:read');
  return ({ instructor_slug }) => only === null || only.includes(instructor_slug);
}

/** People with a mark of a day: those who were here, and all. */
type Marks = { here: number; marked: number };

/** The marks by course date and day: of yesterday and today on any clock. */
async function readMarks(db: Db, ids: readonly number[], today: Day): Promise<Map<string, Marks>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Marks & { id: number; day: Day }>`
    select p.course_date_id as id, m.day::text as day,
      count(*) filter (where m.mark = 'present')::integer as here, count(*)::integer as marked
    from places p cross join lateral (
      select distinct on (day) day, mark from attendance_marks
      where place_id = p.id and day >= ${addDays(today, -2)} order by day, tapped_at desc, id desc) m
    where p.course_date_id = any(${[...ids]}::bigint[]) and p.state <> 'cancelled'
    group by 1, 2`.execute(db);
  return new Map(rows.map(({ id, day, ...marks }) => [`${id} ${day}`, marks]));
}

/** By course date, when the latest mail left that has the room or link as it is now. */
async function readJoiningDetailsMails(db: Db, ids: readonly number[]): Promise<Map<number, Day | null>> {
  if (ids.length === 0) return new Map();
  // Each enrolment's mails are looked up: read together, the planner would rather read all mails.
  const { rows } = await sql<{ id: number; lastOn: Day | null }>`
    select s.id, to_char(max(m.sent_at) at time zone 'Australia/Brisbane', 'YYYY-MM-DD') as "lastOn"
    from (select id, (select max(at) from audit_entries
          where subject = 'course-date:' || slug and action = 'set-joining-details') as set_at
        from course_dates where id = any(${[...ids]}::bigint[])) s
      cross join lateral (select distinct enrolment_id from places
        where course_date_id = s.id and state <> 'cancelled') p
      cross join lateral (select max(settled_at) filter (where state = 'sent') as sent_at
        from mails where about_kind = 'enrolment' and about_id = p.enrolment_id
          and kind = any(${mailsWithJoiningDetails}::text[]) and queued_at >= coalesce(set_at, '-infinity')) m
    group by s.id`.execute(db);
  return new Map(rows.map(({ id, lastOn }) => [id, lastOn]));
}

/** By course date, how many addresses of its people the last mail did not reach. */
async function readUnreached(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; email: string }>`
    select distinct p.course_date_id as id, lower(its.email) as email
    from places p join enrolments on enrolments.id = p.enrolment_id join attendees on attendees.id = p.attendee_id
      cross join lateral unnest(array[enrolments.email, case when told then attendees.email end]) as its(email)
    where p.course_date_id = any(${[...ids]}::bigint[]) and p.state <> 'cancelled' and its.email is not null`.execute(
    db,
  );
  const bounced = await bouncedAmong(
    db,
    rows.map(({ email }) => email),
  );
  const unreached = rows.filter(({ email }) => bounced.has(email));
  return new Map([...Map.groupBy(unreached, ({ id }) => id)].map(([id, its]) => [id, its.length]));
}

type JoiningDetails = {
  delivery: Delivery;
  venue: string | null;
  room: string | null;
  street: string | null;
  joining_link: string | null;
};

/** Where a class is, and when its link was sent: `Online, link sent Fri 27 Nov`; null for those who may not see that. */
function joiningDetailsText(
  { delivery, venue, room, street, joining_link }: JoiningDetails,
  sentOn: Day | null | undefined,
) {
  const missing = missingJoiningDetails({ delivery, room, street, joiningLink: joining_link });
  const place = [street ?? venue, room].filter((part) => part).join(', ');
  if (missing !== '') return { text: `No ${missing} yet`, missing: true };
  if (delivery === 'in-person') return { text: place, missing: false };
  if (delivery === 'both') return { text: `${place}, and online`, missing: false };
  if (sentOn === undefined) return { text: 'Online', missing: false };
  const link = sentOn ? `link sent ${shortDay(sentOn)}` : 'link not sent yet';
  return { text: `Online, ${link}`, missing: false };
}

type Seen = { sold: number; unreached: number; now: Marks | null; earlier: Marks | null; earlierOn: Day };

/** The one thing to know of a class: who is not reached by mail, who is here, or who came the day before. */
function remarkOf({ sold, unreached, now, earlier, earlierOn }: Seen): { text: string; late: boolean } | null {
  if (unreached > 0) {
    return { text: unreached === 1 ? '1 address gets no mail' : `${unreached} addresses get no mail`, late: true };
  }
  if (now !== null) {
    const [away, open] = [now.marked - now.here, sold - now.marked];
    if (away <= 0 && open <= 0) return { text: `All ${now.here} are here`, late: false };
    const parts = [
      `${now.here} here`,
      ...(away > 0 ? [`${away} away`] : []),
      ...(open > 0 ? [`${open} not seen yet`] : []),
    ];
    return { text: parts.join(', '), late: false };
  }
  if (earlier !== null) return { text: `${earlier.here} came on ${shortWeekday(earlierOn)}`, late: false };
  return null;
}
