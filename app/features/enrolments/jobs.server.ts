import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { placeReminder } from '#app/emails/place-reminder.ts';
import { wayInKnown } from '#app/features/sessions/way-in.server.ts';
import { readAttending } from '#app/features/site/queries.server.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Circumstances } from './circumstances.ts';
import type { PlaceSession } from './enrolment.ts';
import { makeLinkToken } from './links.server.ts';
import { enrolmentPath, placePath } from './paths.ts';
import { readEnrolment } from './queries.server.ts';
import { firstDayOf } from './refundable.ts';
import { courseInWords, readiness } from './words.ts';

/** How many days before the first day a reminder goes out (P31), the longest first. */
const remindDaysBefore = [7, 1];

/**
 * Queues the reminders of places that start within 7 days or 1 day of the academy's day, once for each place and date:
 * to the attendee, or to the buyer when the attendee has no address. Not of what was placed since, nor of sessions that
 * are tentative or cancelled. The one of a session waits until its room or link is set (P39), and then goes out as long
 * as the session has not begun. Returns how many. Several processes may do so at once.
 */
export async function queuePlaceReminders(db: Db, circumstances: Circumstances): Promise<number> {
  const { today, academy } = circumstances;
  let queued = 0;
  for (const days of remindDaysBefore) {
    const upTo = addDays(today, days);
    const rows = await db
      .selectFrom('places')
      .leftJoin('training_sessions as session', 'session.id', 'training_session_id')
      .select(['places.id', 'enrolment_id'])
      .select(reminderKey(days).as('key'))
      .where('places.state', '=', 'active')
      .where((row) => row.or([row(firstDay, '>', today), notBegun(circumstances)]))
      .where((row) => row.or([row('session.id', 'is', null), row(wayInKnown('session'), '=', true)]))
      .where(firstDay, '<=', upTo)
      // What falls between a day and the next shorter one is too late for this reminder.
      .where(firstDay, '>', addDays(today, days === 7 ? 1 : -1))
      .where((row) => row.or([row('session.state', 'is', null), row('session.state', '=', 'confirmed')]))
      .where(sql<boolean>`(places.placed_at at time zone 'Australia/Brisbane')::date < ${firstDay} - ${sql.lit(days)}`)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('mails').select('id').where('dedupe_key', '=', reminderKey(days)))),
      )
      .orderBy('places.id')
      .limit(100)
      .execute();
    for (const { id, enrolment_id, key } of rows) {
      await db.transaction().execute(async (trx) => {
        const enrolment = await readEnrolment(trx, enrolment_id);
        const place = enrolment.places.find((one) => one.id === id && one.state === 'active');
        const first = place && firstDayOf(place);
        const begins = place?.session && sessionBegins(place.session);
        if (!place || !first) return;
        const { email, id: attendeeId } = place.attendee;
        const path = email
          ? placePath(await makeLinkToken(trx, enrolment.id, attendeeId))
          : enrolmentPath(await makeLinkToken(trx, enrolment.id));
        const mail = await queueMail(trx, {
          kind: 'place-reminder',
          to: email ?? enrolment.email,
          replyTo: academy.email,
          secret: true,
          ...placeReminder({
            reference: enrolment.reference,
            soon: inDays(daysBetween(today, first)),
            course: courseInWords([place]),
            ready: readiness(place, await readAttending(trx), email ? 'attendee' : 'buyer'),
            link: academy.url + path,
            academy,
          }),
          staleAfter: begins ? trueTime(begins, circumstances) : trueTimeOf(first, circumstances),
          dedupeKey: key,
        });
        if (mail !== null) queued++;
      });
    }
  }
  return queued;
}

/** Of a session: that its first class is still to come, by the academy's clock. */
const notBegun = ({ now }: Circumstances) =>
  sql<boolean>`(session.starts_on + session.starts_at) at time zone session.zone > ${now}`;

const firstDay = sql<Day>`coalesce(session.starts_on, places.guided_from)`;
const reminderKey = (days: number) =>
  sql<string>`'place-reminder:' || places.id || ':' || coalesce(session.starts_on, places.guided_from) || ${sql.lit(`:${days}`)}`;

const inDays = (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

const sessionBegins = ({ startsOn, startsAt, zone }: PlaceSession) => instantOf(startsOn, startsAt, zone);

/** The true time at which a day begins in Brisbane by the academy's clock, which a setting may fix. */
const trueTimeOf = (day: Day, circumstances: Circumstances) =>
  trueTime(instantOf(day, '00:00', 'Australia/Brisbane'), circumstances);

const trueTime = (moment: Date, { now, at }: Circumstances) =>
  new Date(at.getTime() + moment.getTime() - now.getTime());
