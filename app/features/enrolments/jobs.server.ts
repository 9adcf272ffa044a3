import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { placeReminder } from '#app/emails/places.ts';
import { readAttending } from '#app/features/catalogue/site/queries.server.ts';
import { joiningDetailsKnown } from '#app/features/course-dates/joining-details.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { remindDaysBefore } from './cancel-places.server.ts';
import { isBuyers, type Place, type PlaceCourseDate } from './enrolment.ts';
import { enrolmentLink, placeLink } from './links.server.ts';
import { markTold } from './mails.server.ts';
import { firstDayOf } from './may-change.ts';
import { readEnrolment } from './queries.server.ts';
import { courseForAttendee, courseInWords, readiness } from './words.ts';

/**
 * Queues the reminders of places that start within 7 days or 1 day of the academy's day, once for each place and date:
 * to the attendee, or to the buyer, in one mail, for all whose address is not known. Not of what was placed, moved or
 * given its date since, nor of course dates that are tentative or cancelled. The one of a course date waits until its room or
 * link is set (P39), and then goes out as long as the course date has not begun. Returns how many. Several processes may do
 * so at once.
 */
export async function queuePlaceReminders(db: Db, moment: Moment): Promise<number> {
  const { today } = moment;
  let queued = 0;
  for (const days of remindDaysBefore) {
    const upTo = addDays(today, days);
    const items: Reminded[] = await db
      .selectFrom('places')
      .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
      .leftJoin('course_dates as course_date', 'course_date.id', 'course_date_id')
      .select(['places.id', 'places.enrolment_id'])
      .select(reminderKey(days).as('key'))
      .where('places.state', '=', 'active')
      .where((row) => row.or([row(firstDay, '>', today), notBegun(moment)]))
      .where((row) => row.or([row('course_date.id', 'is', null), row(joiningDetailsKnown('course_date'), '=', true)]))
      .where(firstDay, '<=', upTo)
      // Between two reminders only the later one is still of use.
      .where(firstDay, '>', addDays(today, days === 7 ? 1 : -1))
      .where((row) => row.or([row('course_date.state', 'is', null), row('course_date.state', '=', 'confirmed')]))
      .where(
        sql<boolean>`(coalesce(dated_at, places.placed_at) at time zone 'Australia/Brisbane')::date < ${firstDay} - ${sql.lit(days)}`,
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('place_reminders')
              .select('key')
              .where('key', 'in', [reminderKey(days), placeKey(days)]),
          ),
        ),
      )
      .orderBy('places.id')
      .execute();
    const named = { job: 'remind of places', items, keyOf: ({ id }: Reminded) => `place:${id}`, at: moment.now };
    queued += await eachItem(db, named, (trx, one) => queuePlaceReminder(trx, one, moment));
  }
  return queued;
}

type Reminded = { id: number; enrolment_id: number; key: string };

/** False when the place is not taken up any more, or another process was faster. */
async function queuePlaceReminder(trx: Trx, { id, enrolment_id, key }: Reminded, moment: Moment): Promise<boolean> {
  const { today, academy } = moment;
  const enrolment = await readEnrolment(trx, enrolment_id);
  const place = enrolment.places.find((one) => one.id === id && one.state === 'active');
  const first = place && firstDayOf(place);
  const begins = place?.courseDate && courseDateBegins(place.courseDate);
  if (!place || !first) return false;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('place_reminders')
    .values({ key, queued_at: moment.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return false;
  const { email, id: attendeeId } = place.attendee;
  const link = email ? placeLink(enrolment.id, attendeeId) : enrolmentLink(enrolment.id);
  const same = enrolment.places.filter((one) => sameMail(one, place));
  const mail = await queueMail(trx, {
    kind: 'place-reminder',
    about: { kind: 'enrolment', id: enrolment.id },
    to: email ?? enrolment.email,
    replyTo: academy.email,
    links: [link],
    ...placeReminder({
      reference: enrolment.reference,
      soon: inDays(daysBetween(today, first)),
      course: email && !isBuyers(enrolment, place) ? courseForAttendee(place) : courseInWords([place, ...same]),
      ready: readiness(place, await readAttending(trx), email ? 'attendee' : 'buyer'),
      link: placeholderOf(link),
      academy,
    }),
    staleAfter: begins ?? instantOf(first, '00:00', academyZone),
    dedupeKey: key,
  });
  if (email && mail !== null) await markTold(trx, [place]);
  return mail !== null;
}

/** SQL: the first class of the course date is still to come. */
const notBegun = ({ now }: Moment) =>
  sql<boolean>`(course_date.starts_on + course_date.starts_at) at time zone course_date.zone > ${now}`;

const firstDay = sql<Day>`coalesce(course_date.starts_on, places.guided_from)`;

/** The key of a reminder of one place, whether the buyer or the attendee got it. */
const placeKey = (days: number) =>
  sql<string>`'place-reminder:' || places.id || ':' || ${firstDay} || ${sql.lit(`:${days}`)}`;

/** The key of a reminder: one mail tells the buyer of all places whose attendees have no address. */
const reminderKey = (days: number) => sql<string>`case when attendees.email is not null then ${placeKey(days)}
  else 'place-reminder:buyer:' || places.enrolment_id || ':' || places.course_id || ':'
    || coalesce(course_date.id::text, 'guided') || ':' || ${firstDay} || ${sql.lit(`:${days}`)} end`;

/** Whether the mail about this place covers another place of the buyer: no address is known for either. */
const sameMail = (one: Place, { id, attendee, courseId, way, courseDate, guidedFrom }: Place) =>
  one.id !== id &&
  one.state === 'active' &&
  one.attendee.email === null &&
  attendee.email === null &&
  one.courseId === courseId &&
  one.way === way &&
  one.courseDate?.id === courseDate?.id &&
  one.guidedFrom === guidedFrom;

const inDays = (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

const courseDateBegins = ({ startsOn, startsAt, zone }: PlaceCourseDate) => instantOf(startsOn, startsAt, zone);
