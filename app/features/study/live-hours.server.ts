import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { liveHourChanged } from '#app/emails/course-dates.ts';
import {
  holidaysIn,
  isAhead,
  type LiveHourZone,
  lastPlanned,
  type Occurrence,
  occurrencesOf,
  weeklyInWords,
} from '#app/features/catalogue/live-hours.ts';
import { readLiveHours } from '#app/features/catalogue/queries.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { documentNames } from '#app/features/content/records.ts';
import { daysOff } from '#app/features/course-dates/held-hours.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { modulesOpened } from '#app/features/enrolments/may-change.ts';
import { needsFor } from '#app/features/enrolments/needs.server.ts';
import { accessEndsOn, isAccessOver } from '#app/features/money/guided-access.ts';
import { type Actor, onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, type Day, daysBetween, formatDay } from '#app/lib/dates.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { OwnHour, PlannedHour } from './own-hours.ts';

/** The live hours of some courses with their links and free days, by first day. */
async function readPlannedHours(db: Db, courseIds: readonly number[]): Promise<PlannedHour[]> {
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
const daysOfAccess = ({ guidedFrom, begun }: { guidedFrom: Day; begun: boolean }, today: Day) => ({
  from: begun && today < guidedFrom ? today : guidedFrom,
  to: accessEndsOn(guidedFrom),
});

/** Places of guided study with access on a day: their attendees may come to a live hour of the course. */
const mayCome = (today: Day) => sql<boolean>`(places.way = 'guided' and places.state = 'active'
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

/** One live hour with the people who may come; null when the person may see none. */
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

/** A weekly live hour as staff plan it; times are wall-clock in `zone`, the weekday is that of `firstOn`. */
export type HourWish = {
  course: string;
  instructor: string;
  startsAt: string;
  minutes: number;
  zone: LiveHourZone;
  link: string;
  firstOn: Day;
  lastOn: Day;
};

type NotSet = { ok: false; reason: 'course' | 'not-guided' | 'instructor' | 'first-day' | 'last-day' | 'too-long' };

/** A plan is renewed at least so often, so that no page promises years ahead. */
const mostDays = 2 * 366;

/**
 * Plans a weekly live hour of a course (P60) and tells the people who may come. Refused for a course without guided
 * study.
 */
export async function setLiveHour(
  trx: Trx,
  { wish, actor }: { wish: HourWish; actor: Actor },
  moment: Moment,
): Promise<{ ok: true; id: number } | NotSet> {
  requirePermission(actor, 'course-dates:change');
  const course = await trx
    .selectFrom('courses')
    .select(['id', 'guided'])
    .where('slug', '=', wish.course)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (!course) return { ok: false, reason: 'course' };
  if (!course.guided) return { ok: false, reason: 'not-guided' };
  const instructor = await trx
    .selectFrom('instructors')
    .select('slug')
    .where('slug', '=', wish.instructor)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (!instructor) return { ok: false, reason: 'instructor' };
  if (wish.firstOn <= moment.today) return { ok: false, reason: 'first-day' };
  if (wish.lastOn < wish.firstOn) return { ok: false, reason: 'last-day' };
  if (daysBetween(wish.firstOn, wish.lastOn) > mostDays) return { ok: false, reason: 'too-long' };
  const { id } = await trx
    .insertInto('live_hours')
    .values({
      course_id: course.id,
      instructor_slug: wish.instructor,
      starts_at: wish.startsAt,
      minutes: wish.minutes,
      zone: wish.zone,
      link: wish.link,
      first_on: wish.firstOn,
      last_on: wish.lastOn,
      changed_at: moment.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const planned = (await readPlannedHours(trx, [course.id])).find(({ hour }) => hour.id === id);
  if (!planned) throw new Error('a live hour that was just set is not there');
  const said = { change: 'set' as const, when: weeklyInWords(planned.hour, moment.today) };
  await tell(trx, planned, { ...said, days: heldFrom(planned, wish.firstOn) }, moment);
  return { ok: true, id };
}

type NotChanged = { ok: false; reason: 'unknown' | 'over' | 'unchanged' | 'no-such-day' | 'held' };

/** Changes the link from now on. Mails hold no link: the page of each place has it. */
export async function changeLink(
  trx: Trx,
  { id, link, actor }: { id: number; link: string; actor: Actor },
  moment: Moment,
): Promise<{ ok: true } | NotChanged> {
  const planned = await lockHour(trx, id, actor);
  if (!planned) return { ok: false, reason: 'unknown' };
  if (!isAhead(planned.hour, moment.today)) return { ok: false, reason: 'over' };
  if (planned.link === link) return { ok: false, reason: 'unchanged' };
  await trx.updateTable('live_hours').set({ link }).where('id', '=', id).execute();
  await noteChange(trx, id, moment);
  await tell(trx, planned, { change: 'link', days: heldFrom(planned, moment.today) }, moment);
  return { ok: true };
}

/** Cancels the hour of one week, on a planned day to come: the people who may come are told why (P60). */
export async function takeDayOff(
  trx: Trx,
  { id, day, reason, actor }: { id: number; day: Day; reason: string; actor: Actor },
  moment: Moment,
): Promise<{ ok: true } | NotChanged> {
  const planned = await lockHour(trx, id, actor);
  if (!planned) return { ok: false, reason: 'unknown' };
  const { hour, free } = planned;
  const [at] = occurrencesOf(hour, free, { from: day, to: day });
  if (!at || day > lastPlanned(hour) || free.holidays.has(day)) return { ok: false, reason: 'no-such-day' };
  if (at.ends <= moment.now) return { ok: false, reason: 'held' };
  if (free.daysOff.has(day)) return { ok: false, reason: 'unchanged' };
  const daysOff = sql<string>`days_off || jsonb_build_object(${day}::text, ${reason}::text)`;
  await trx.updateTable('live_hours').set({ days_off: daysOff }).where('id', '=', id).execute();
  await noteChange(trx, id, moment);
  await tell(trx, planned, { change: 'off', when: formatDay(day), reason, days: [at] }, moment);
  return { ok: true };
}

/**
 * Ends a live hour: from `from` on, at the earliest today, none is held. Its course's page promises it no longer. One
 * that was held stays held.
 */
export async function endLiveHour(
  trx: Trx,
  { id, from, actor }: { id: number; from: Day; actor: Actor },
  moment: Moment,
): Promise<{ ok: true } | NotChanged> {
  const planned = await lockHour(trx, id, actor);
  if (!planned) return { ok: false, reason: 'unknown' };
  if (from < moment.today) return { ok: false, reason: 'no-such-day' };
  const { hour } = planned;
  if (!isAhead(hour, moment.today) || from > lastPlanned(hour)) return { ok: false, reason: 'over' };
  const days = heldFrom(planned, from);
  if (days.some(({ ends }) => ends <= moment.now)) return { ok: false, reason: 'held' };
  const ended = from < hour.firstOn ? hour.firstOn : from;
  await trx.updateTable('live_hours').set({ ended_from: ended }).where('id', '=', id).execute();
  await noteChange(trx, id, moment);
  await tell(trx, planned, { change: 'ended', when: formatDay(addDays(ended, -1)), days }, moment);
  return { ok: true };
}

async function lockHour(trx: Trx, id: number, actor: Actor): Promise<PlannedHour | null> {
  requirePermission(actor, 'course-dates:change');
  const row = await trx
    .selectFrom('live_hours')
    .select('course_id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return (row && (await readPlannedHours(trx, [row.course_id])).find(({ hour }) => hour.id === id)) ?? null;
}

const noteChange = (trx: Trx, id: number, { now }: Moment) =>
  trx
    .updateTable('live_hours')
    .set(({ eb }) => ({ sequence: eb('sequence', '+', 1), changed_at: now }))
    .where('id', '=', id)
    .execute();

const heldFrom = ({ hour, free }: PlannedHour, from: Day): Occurrence[] =>
  occurrencesOf(hour, free, { from, to: hour.lastOn }).filter(({ off }) => !off);

type Change = Parameters<typeof liveHourChanged>[0]['change'];
type Said = {
  change: Change;
  when?: string;
  reason?: string;
  /** The hours that begin, change or end. */
  days: readonly Occurrence[];
};

/**
 * Mails the people who may come to one of these hours, each at the address of their place. Buyers who do not attend are
 * not told.
 */
async function tell(trx: Trx, planned: PlannedHour, { days, ...said }: Said, moment: Moment): Promise<void> {
  const people = await trx
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.enrolment_id', 'attendee_id', 'attendees.email', 'reference', 'courses.title'])
    .select('guided_from')
    .select(sql<boolean>`exists (select from module_openings where place_id = places.id)`.as('begun'))
    .where('course_id', '=', planned.courseId)
    .where('told', '=', true)
    .where(mayCome(moment.today))
    .orderBy('places.id')
    .execute();
  for (const { enrolment_id, attendee_id, email, reference, title, guided_from, begun } of people) {
    if (email === null || guided_from === null) continue;
    const { from, to } = daysOfAccess({ guidedFrom: guided_from, begun }, moment.today);
    const reached = days.filter(({ day }) => day >= from && day <= to);
    const last = reached.at(-1);
    if (!last) continue;
    const next = heldFrom(planned, addDays(last.day, 1)).find(({ day }) => day <= to);
    const link = placeLink(enrolment_id, attendee_id);
    await queueMail(trx, {
      kind: 'live-hour',
      about: { kind: 'enrolment', id: enrolment_id },
      to: email,
      replyTo: moment.academy.email,
      links: [link],
      ...liveHourChanged({
        reference,
        course: title,
        instructor: planned.hour.instructor,
        ...said,
        next: next ? formatDay(next.day) : null,
        link: placeholderOf(link),
        academy: moment.academy,
      }),
    });
  }
}
