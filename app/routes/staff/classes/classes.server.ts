import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { onlySessionsOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Absence, readAbsences } from '#app/features/progress/absence.server.ts';
import { readStudies } from '#app/features/progress/study.server.ts';
import { hasDayIn } from '#app/features/sessions/under-way.server.ts';
import { addDays, type Day, dayIn } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { shortDays } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { readAttendees } from '#app/routes/staff/sessions/session-people.server.ts';
import { findSession } from '#app/routes/staff/sessions/sessions.server.ts';

/** How long a class that is over stays in the list, for corrections. */
const pastDays = 30;

/** How many coming and past classes are listed at most; the list says when there are more. */
const mostClasses = 50;
/** How many present classes are listed at most. */
const mostNow = 300;

/** Training sessions with somebody in them that the person may see: an instructor's own, otherwise all. */
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
        .orderBy('training_sessions.id')
        .limit(mostNow + 1)
        .execute(),
      mostNow,
    ),
    coming: firstOf(
      await coming
        .orderBy('starts_on')
        .orderBy('training_sessions.id')
        .limit(mostClasses + 1)
        .execute(),
      mostClasses,
    ),
    past: firstOf(
      await past
        .orderBy('ends_on', 'desc')
        .orderBy('training_sessions.id', 'desc')
        .limit(mostClasses + 1)
        .execute(),
      mostClasses,
    ),
  };
}

function classesOf(db: Db, actor: StaffActor) {
  const only = onlySessionsOf(actor, 'attendees:read');
  return db
    .selectFrom('training_sessions')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'training_sessions.instructor_slug')
    .select(['training_sessions.id', 'training_sessions.slug', 'courses.title', 'starts_on', 'ends_on', 'delivery'])
    .select(['venue', 'instructors.name as instructor'])
    .select(
      sql<number>`(select count(*) from places where training_session_id = training_sessions.id
        and places.state <> 'cancelled')::integer`.as('people'),
    )
    .where('training_sessions.state', '<>', 'cancelled')
    .$if(only !== null, (query) => query.where('training_sessions.instructor_slug', 'in', ['', ...(only ?? [])]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('training_session_id', '=', 'training_sessions.id')
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
  const session = await findSession(db, actor, slug, today);
  if (!session || session.state === 'cancelled') return null;
  const people = await readAttendees(db, actor, session.id);
  const studies = await readStudies(
    db,
    people.map(({ id }) => id),
  );
  const absences = await readAbsences(
    db,
    people.map(({ id }) => id),
  );
  const byPlace = new Map(studies.map((study) => [study.placeId, study]));
  const days = daysBetweenInclusive(session.startDate, session.endDate);
  const there = dayIn(session.zone, now);
  const shown = days.find((one) => one === day) ?? days.findLast((one) => one <= there) ?? session.startDate;
  const { title, where, startsAt, endsAt, zone } = session;
  const isOver = there > session.endDate;
  return {
    session: {
      ...{ id: session.id, slug, title, where, startsAt, endsAt, zone },
      /** Null also when the class is over: nobody opens it then. */
      joiningLink: isOver ? null : session.joiningLink,
    },
    days,
    day: shown,
    /** Whether the day has come, and whether the last one is over, on the session's own clock. */
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
