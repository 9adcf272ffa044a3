import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { hasDayIn } from '#app/features/course-dates/under-way.server.ts';
import { findCourseDate, readAttendees } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, type Day, dayIn } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { shortDays } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { type Absence, readAbsences } from './marking.server.ts';
import { readStudies } from './study.server.ts';

/** How long a class that is over stays in the list, for corrections. */
const pastDays = 30;

/** How many coming and past classes are listed at most; the list says when there are more. */
const mostClasses = 50;
/** How many present classes are listed at most. */
const mostNow = 300;

/** Course dates with somebody in them that the person may see: an instructor's own, otherwise all. */
export async function listClasses(db: Db, actor: StaffActor, today: Day) {
  requirePermission(actor, 'attendees:read');
  const now = classesOf(db, actor).where(hasDayIn(today));
  const coming = classesOf(db, actor).where('starts_on', '>', today);
  const past = classesOf(db, actor).where('ends_on', '<', today).where('ends_on', '>=', addDays(today, -pastDays));
  return {
    now: firstOf(
      await now
        // Not the bare column: in the order of its index, the planner reads all dates that are over.
        .orderBy(sql`starts_on + 0`)
        .orderBy('course_dates.id')
        .limit(mostNow + 1)
        .execute(),
      mostNow,
    ),
    coming: firstOf(
      await coming
        .orderBy('starts_on')
        .orderBy('course_dates.id')
        .limit(mostClasses + 1)
        .execute(),
      mostClasses,
    ),
    past: firstOf(
      await past
        .orderBy('ends_on', 'desc')
        .orderBy('course_dates.id', 'desc')
        .limit(mostClasses + 1)
        .execute(),
      mostClasses,
    ),
  };
}

function classesOf(db: Db, actor: StaffActor) {
  const only = onlyCourseDatesOf(actor, 'attendees:read');
  return db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .select(['course_dates.id', 'course_dates.slug', 'courses.title', 'starts_on', 'ends_on', 'delivery'])
    .select(['venue', 'instructors.name as instructor'])
    .select(
      sql<number>`(select count(*) from places where course_date_id = course_dates.id
        and places.state <> 'cancelled')::integer`.as('people'),
    )
    .where('course_dates.state', '<>', 'cancelled')
    .$if(only !== null, (query) => query.where('course_dates.instructor_slug', 'in', ['', ...(only ?? [])]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('course_date_id', '=', 'course_dates.id')
          .where('places.state', '<>', 'cancelled'),
      ),
    );
}

type ClassRow = Awaited<ReturnType<ReturnType<typeof classesOf>['execute']>>[number];

/** The first `most` of classes that were read one too many. */
function firstOf(rows: readonly ClassRow[], most: number) {
  const classes = rows.slice(0, most).map((row) => ({
    slug: row.slug,
    title: row.title,
    days: shortDays(row.starts_on, row.ends_on),
    where: taughtText({ delivery: row.delivery, venue: row.venue }),
    instructor: row.instructor ?? '',
    people: row.people,
  }));
  return { classes, more: rows.length > most };
}

/** One day of a class with the marks of its people; null when there is none that the person may see. */
export async function readClassDay(
  db: Db,
  actor: StaffActor,
  { slug, day, today, now }: { slug: string; day: string | null; today: Day; now: Date },
) {
  requirePermission(actor, 'attendees:read');
  const courseDate = await findCourseDate(db, actor, slug, today);
  if (!courseDate || courseDate.state === 'cancelled') return null;
  const people = await readAttendees(db, actor, courseDate.id);
  const studies = await readStudies(
    db,
    people.map(({ id }) => id),
  );
  const absences = await readAbsences(
    db,
    people.map(({ id }) => id),
  );
  const byPlace = new Map(studies.map((study) => [study.placeId, study]));
  const days = daysBetweenInclusive(courseDate.startDate, courseDate.endDate);
  const there = dayIn(courseDate.zone, now);
  const shown = days.find((one) => one === day) ?? days.findLast((one) => one <= there) ?? courseDate.startDate;
  const { title, where, startsAt, endsAt, zone } = courseDate;
  const isOver = there > courseDate.endDate;
  return {
    courseDate: {
      ...{ id: courseDate.id, slug, title, where, startsAt, endsAt, zone },
      /** Null also when the class is over: nobody opens it then. */
      joiningLink: isOver ? null : courseDate.joiningLink,
    },
    days,
    day: shown,
    /** Whether the day has come, and whether the last one is over, on the course date's own clock. */
    hasCome: there >= shown,
    /** Today, on that clock. */
    today: there,
    isOver,
    people: people.map(({ id, name, organisation, buyer_name, phone, needs, under_18 }) => {
      const mark = byPlace.get(id)?.days.find((one) => one.day === shown)?.mark ?? null;
      return {
        placeId: id,
        name:
          showControlCharacters(name ?? '') || `To be named, from ${showControlCharacters(organisation ?? buyer_name)}`,
        /** The phone number of the buyer, who may be another person than the attendee. Null without a number. */
        call: phone && { number: phone, shown: shownPhone(phone), who: showControlCharacters(buyer_name) },
        needs: [showControlCharacters(needs ?? ''), under_18 ? 'Under 18' : '']
          .filter((note) => note !== '')
          .join('. '),
        /** Their message that they cannot come on this day; null without one. */
        cannotCome: cannotComeOn(shown, absences.get(id) ?? []),
        mark: mark?.mark ?? null,
        minutesLate: mark?.minutesLate ?? 0,
        minutesLeftEarly: mark?.minutesLeftEarly ?? 0,
      };
    }),
  };
}

function cannotComeOn(day: Day, told: readonly Absence[]): { note: string } | null {
  const one = told.findLast(({ days }) => days.includes(day));
  return one ? { note: showControlCharacters(one.note ?? '') } : null;
}

export type ClassDay = NonNullable<Awaited<ReturnType<typeof readClassDay>>>;

function daysBetweenInclusive(first: Day, last: Day): Day[] {
  const days = [first];
  for (let day = first; day < last; ) {
    day = addDays(day, 1);
    days.push(day);
  }
  return days;
}
