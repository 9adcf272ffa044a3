import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import {
  courseDatesBelowMinimum,
  courseDatesWithoutJoiningDetails,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { mostOfAKind, type Need, type NeedList, type Needs, needsOf } from '#app/features/inbox/need.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { listWaitingAnswers } from '#app/features/study/answers.server.ts';
import { listAskedModules } from '#app/features/study/modules.server.ts';
import { businessDaysBefore } from '#app/lib/business-days.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { closingTime, promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { dated } from './needs-of-people.server.ts';

type On = { today: Day; holidays: ReadonlySet<Day> };

/** How many business days before the first day names have to be known, and how many days ahead are read. */
const namesDaysBefore = 3;
const namesAheadDays = 21;

/** Course dates that staff have to confirm or cancel: their day of decision has come. */
export async function datesToDecide(db: Db, actor: StaffActor, { today }: On): Promise<Needs> {
  requirePermission(actor, 'course-dates:read-all');
  const rows = await db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('course_date_seats', 'course_date_id', 'course_dates.id')
    .select(['course_dates.slug', 'title', 'starts_on', 'decided_by', 'minimum', 'sold'])
    .where('state', '=', 'tentative')
    .where('decided_by', '<=', today)
    // One that was held without a decision: nothing of it is due until somebody confirms it.
    .where((row) => row.or([row('ends_on', '>=', today), row('sold', '>', 0)]))
    .orderBy('decided_by')
    .limit(mostOfAKind + 1)
    .execute();
  const list = { text: 'All course dates to decide', to: `${href('/staff/course-dates')}?state=undecided` };
  return needsOf(rows, list, (row) => ({
    kind: 'To decide',
    key: `decide:${row.slug}`,
    dueAt: closingTime(row.decided_by ?? today),
    who: dated(row.title, row.starts_on),
    words: `${row.sold} of ${row.minimum} needed`,
    to: href('/staff/course-dates/:slug', { slug: row.slug }),
    holder: null,
  }));
}

/** Confirmed course dates that have too few people (P39). */
export async function datesBelowMinimum(db: Db, actor: StaffActor, { today, holidays }: On): Promise<Needs> {
  requirePermission(actor, 'course-dates:read-all');
  const list = { text: 'All below their minimum', to: `${href('/staff/course-dates')}?state=below` };
  return needsOf(await courseDatesBelowMinimum(db, today), list, (row) => ({
    kind: 'Below minimum',
    key: `below:${row.slug}`,
    dueAt: closingTime(businessDaysBefore(row.startsOn, 1, holidays)),
    who: dated(row.title, row.startsOn),
    words: row.confirmedOn
      ? `${row.sold} of ${row.minimum} needed: people cancelled`
      : `${row.sold === 0 ? 'Nobody' : `${row.sold} of ${row.minimum}`} booked: run, move or cancel it`,
    to: href('/staff/course-dates/:slug', { slug: row.slug }),
    holder: null,
  }));
}

/** Course dates that start soon and have no room or no link yet; reminders wait for it (P39). */
export async function waysInToSet(db: Db, actor: StaffActor, { today, holidays }: On): Promise<Needs> {
  requirePermission(actor, 'course-dates:read-all');
  const list = { text: 'All rooms and links to set', to: `${href('/staff/course-dates')}?state=way-in` };
  return needsOf(await courseDatesWithoutJoiningDetails(db, today, mostOfAKind + 1), list, (row) => ({
    kind: 'Room or link',
    key: `joining-details:${row.slug}`,
    dueAt: closingTime(businessDaysBefore(row.startsOn, 1, holidays)),
    who: dated(row.title, row.startsOn),
    words: `No ${row.missing} yet, so reminders wait`,
    to: href('/staff/course-dates/:slug', { slug: row.slug }),
    holder: null,
  }));
}

/** Enrolments whose buyers have not said who comes, before the course date starts. */
export async function namesMissing(db: Db, actor: StaffActor, { today, holidays }: On): Promise<Needs> {
  requirePermission(actor, 'enrolments:read');
  const until = addDays(today, namesAheadDays);
  const { rows } = await sql<{
    reference: string;
    who: string;
    title: string;
    startsOn: Day;
    places: number;
    unnamed: number;
  }>`
    select e.reference, coalesce(e.organisation, e.buyer_name) as who, c.title, s.starts_on::text as "startsOn",
      missing.unnamed, (select count(*)::integer from places p where p.enrolment_id = e.id
        and p.course_date_id = s.id and p.state = 'active') as places
    from (select p.enrolment_id, p.course_date_id, count(*)::integer as unnamed
        from enrolment_list list join places p using (enrolment_id) join attendees a on a.id = p.attendee_id
        where list.unnamed_until > ${today} and a.name is null and p.state = 'active'
        group by 1, 2) missing
      join course_dates s on s.id = missing.course_date_id and s.state <> 'cancelled'
        and s.starts_on > ${today} and s.starts_on <= ${until}
      join enrolments e on e.id = missing.enrolment_id
      join courses c on c.id = s.course_id
    order by s.starts_on, e.id limit ${mostOfAKind + 1}`.execute(db);
  return needsOf(rows, { text: 'All enrolments', to: href('/staff/enrolments') }, (row) => ({
    kind: 'Names missing',
    key: `names:${row.reference}:${row.startsOn}`,
    dueAt: closingTime(businessDaysBefore(row.startsOn, namesDaysBefore, holidays)),
    who: showControlCharacters(row.who),
    words: `${row.unnamed} of ${row.places} not named, ${dated(row.title, row.startsOn)}`,
    to: href('/staff/enrolments/:reference', { reference: row.reference }),
    holder: null,
  }));
}

type Marking = {
  handedIn: readonly Date[];
  instructors: readonly string[];
  what: readonly [kind: string, many: string];
};

/** One line for marking that is others' work, so that it buries nothing; null for who teaches, and for a single item. */
function othersMarking(
  { actor, holidays, list }: { actor: StaffActor; holidays: On['holidays']; list: NeedList },
  { handedIn: [oldest, ...more], instructors, what }: Marking,
): Needs | null {
  if (!oldest || more.length === 0 || actor.teachesAs.length > 0) return null;
  const count = new Set(instructors).size;
  const need: Need = {
    kind: what[0],
    key: `all:${what[1]}`,
    dueAt: promisedAnswerBy(oldest, holidays),
    who: `${more.length + 1} ${what[1]}`,
    words: `with ${count === 1 ? '1 instructor' : `${count} instructors`}, the oldest first`,
    to: list.to,
    holder: null,
  };
  return { needs: [need], list, cut: false };
}

/** Exercises of guided study to mark: each for who teaches, and one line of them all for everybody else. */
export async function exercisesToMark(db: Db, actor: StaffActor, { holidays }: On): Promise<Needs> {
  const rows = await listWaitingAnswers(db, actor);
  const list = { text: 'All exercises', to: href('/staff/answers') };
  const others = othersMarking(
    { actor, holidays, list },
    {
      handedIn: rows.map(({ handed_in_at }) => handed_in_at),
      instructors: rows.map(({ instructor_slug }) => instructor_slug),
      what: ['Exercises', 'exercises'],
    },
  );
  if (others) return others;
  return needsOf(rows, list, (row) => ({
    kind: 'Exercise',
    key: `answer:${row.id}`,
    dueAt: promisedAnswerBy(row.handed_in_at, holidays),
    who: showControlCharacters(row.name ?? '') || 'To be named',
    words: `Module ${row.module} of ${row.title}`,
    to: href('/staff/answers/:id', { id: String(row.id) }),
    holder: null,
  }));
}

/** Modules that learners opened before they had a text, by the end of the day that was promised to them (P105). */
export async function modulesToHandOut(db: Db, actor: StaffActor, { holidays }: On): Promise<Needs> {
  const rows = await listAskedModules(db, actor);
  const list = { text: 'All modules to hand out', to: href('/staff/answers') };
  const others = othersMarking(
    { actor, holidays, list },
    {
      handedIn: rows.map(({ askedAt }) => askedAt),
      instructors: rows.map(({ instructorSlug }) => instructorSlug),
      what: ['Modules', 'modules to hand out'],
    },
  );
  if (others) return others;
  return needsOf(rows, list, (row) => ({
    kind: 'Module',
    key: `module:${row.course}/${row.number}`,
    dueAt: promisedAnswerBy(row.askedAt, holidays),
    who: row.instructor,
    words: `Hand out module ${row.number} of ${row.courseTitle}`,
    to: href('/staff/modules/:course/:number', { course: row.course, number: String(row.number) }),
    holder: null,
  }));
}
