import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { holidaysIn, occurrencesOf } from '#app/features/catalogue/live-hours.ts';
import { readLiveHours } from '#app/features/catalogue/queries.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { documentNames } from '#app/features/content/records.ts';
import { daysOff } from '#app/features/course-dates/held-hours.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { modulesOpened } from '#app/features/enrolments/may-change.ts';
import { needsFor } from '#app/features/enrolments/needs-for-staff.server.ts';
import { accessEndsOn, isAccessOver } from '#app/features/money/guided-access.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { OwnHour, PlannedHour } from './own-hours.ts';

/** The live hours of some courses with their links and free days, by first day. */
export async function readPlannedHours(db: Db, courseIds: readonly number[]): Promise<PlannedHour[]> {
  const hours = [...(await readLiveHours(db, courseIds)).values()].flat();
  if (hours.length === 0) return [];
  const ids = hours.map(({ id }) => id);
  const rows = await db
    .selectFrom('live_hours')
    .select(['id', 'course_id', 'link', 'calendar_id', 'sequence', 'changed_at', daysOff])
    .where('id', 'in', ids)
    .execute();
  const { holidays } = await readDocuments(db, ['holidays']);
  const since = await changesOfHolidays(db);
  const byId = new Map(hours.map((hour) => [hour.id, hour]));
  return rows.flatMap((row) => {
    const hour = byId.get(row.id);
    if (!hour) return [];
    return {
      hour,
      courseId: row.course_id,
      link: row.link,
      calendarId: row.calendar_id,
      sequence: row.sequence + since.count,
      changedAt: new Date(Math.max(since.last.getTime(), row.changed_at.getTime())),
      free: { holidays: holidaysIn(hour.zone, holidays), daysOff: new Map(Object.entries(row.days_off)) },
    };
  });
}

/** How often what is published of the public holidays changed, and when last: it never becomes less. */
const changesOfHolidays = (db: Db) =>
  db
    .selectFrom('content_revisions')
    .innerJoin('content_records', 'content_records.id', 'record_id')
    .select(sql<number>`count(*)::integer`.as('count'))
    .select(sql<Date>`coalesce(max(made_at), 'epoch')`.as('last'))
    .where('kind', '=', documentNames.holidays)
    .where('state', 'in', ['published', 'retired'])
    .executeTakeFirstOrThrow();

/**
 * The live hours of each guided place (P60), from the day its access begins to its last; none while staff set none, and
 * when access is over. Those on a free day are among them, as `off`, and so are those after the place was cancelled.
 */
export async function ownLiveHours(
  db: Db,
  places: readonly Place[],
  { today }: { today: Day },
): Promise<Map<number, OwnHour[]>> {
  const guided = places.flatMap((place) =>
    place.way === 'guided' && place.state !== 'completed' && !isAccessOver(place.guidedFrom, today) ? place : [],
  );
  const planned = await readPlannedHours(db, [...new Set(guided.map(({ courseId }) => courseId))]);
  return new Map(
    guided.map((place) => {
      const begun = modulesOpened(place) > 0;
      const runs = place.state === 'active' && (today >= place.guidedFrom || begun);
      const span = daysOfAccess({ guidedFrom: place.guidedFrom, begun }, today);
      const isGone = (day: Day) => place.state === 'cancelled' && day >= (place.endedOn ?? '');
      const its = planned
        .filter(({ courseId }) => courseId === place.courseId)
        .map(({ link, ...one }) => ({
          ...one,
          link: runs ? link : null,
          occurrences: occurrencesOf(one.hour, one.free, span).map((at) => ({ ...at, off: at.off || isGone(at.day) })),
        }))
        .filter(({ occurrences }) => occurrences.length > 0);
      return [place.id, its];
    }),
  );
}

/** The days on which somebody in guided study may come; who opened a module has begun before the first day. */
export const daysOfAccess = ({ guidedFrom, begun }: { guidedFrom: Day; begun: boolean }, today: Day) => ({
  from: begun && today < guidedFrom ? today : guidedFrom,
  to: accessEndsOn(guidedFrom),
});

/** Places of guided study with access on a day: their attendees may come to a live hour of the course. */
export const mayCome = (today: Day) => sql<boolean>`(places.way = 'guided' and places.state = 'active'
  and ${today}::date < places.guided_from + interval '1 year')`;

/** The live hours that are not over, which the person may see: an instructor their own, otherwise all; by course. */
export async function listLiveHours(db: Db, actor: StaffActor, today: Day) {
  const only = onlyCourseDatesOf(actor, 'attendees:read');
  const rows = await db
    .selectFrom('live_hours')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['live_hours.id', 'courses.title', 'course_id'])
    .select(
      sql<number>`(select count(*) from places where places.course_id = live_hours.course_id
        and ${mayCome(today)})::integer`.as('people'),
    )
    .where('last_on', '>=', today)
    .where(({ or, eb }) => or([eb('ended_from', 'is', null), eb('ended_from', '>', today)]))
    .$if(only !== null, (query) => query.where('live_hours.instructor_slug', 'in', ['', ...(only ?? [])]))
    .orderBy('courses.title')
    .orderBy('first_on')
    .limit(mostListed)
    .execute();
  const planned = new Map(
    (await readPlannedHours(db, [...new Set(rows.map(({ course_id }) => course_id))])).map((one) => [one.hour.id, one]),
  );
  return rows.flatMap(({ id, title, people }) => {
    const one = planned.get(id);
    return one ? [{ id, title, people, planned: one }] : [];
  });
}
const mostListed = 300;

/** One live hour with who may come; null when there is none that the person may see. */
export async function findLiveHour(db: Db, actor: StaffActor, id: number, today: Day) {
  const only = onlyCourseDatesOf(actor, 'attendees:read');
  const row = await db
    .selectFrom('live_hours')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_id', 'title'])
    .where('live_hours.id', '=', id)
    .$if(only !== null, (query) => query.where('live_hours.instructor_slug', 'in', ['', ...(only ?? [])]))
    .executeTakeFirst();
  const planned = row && (await readPlannedHours(db, [row.course_id])).find(({ hour }) => hour.id === id);
  if (!row || !planned) return null;
  const people = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .select(['places.id', 'attendees.name', 'guided_from', 'buyer_name', 'organisation'])
    .select(needsFor(actor))
    .where('course_id', '=', row.course_id)
    .where(mayCome(today))
    .orderBy('guided_from')
    .orderBy('places.id')
    .limit(mostListed)
    .execute();
  return { title: row.title, courseId: row.course_id, planned, people };
}
