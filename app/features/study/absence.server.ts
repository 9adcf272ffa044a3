import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { absenceNotice } from '#app/emails/absence-notice.ts';
import { mailOfInstructor, readTaughtClass } from '#app/features/course-dates/tell-instructors.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, type Day, daysBetween, formatDay } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** The days of a place's class that are not over, in the class's own zone; empty without a class. */
export function daysToMiss(place: Place, now: Date): Day[] {
  if (place.way !== 'date' || place.state !== 'active' || place.courseDate.state === 'cancelled') return [];
  const { startsOn, endsOn, endsAt, zone } = place.courseDate;
  return Array.from({ length: daysBetween(startsOn, endsOn) + 1 }, (_, at) => addDays(startsOn, at)).filter(
    (day) => instantOf(day, endsAt, zone) > now,
  );
}

/** An attendee's message that they cannot come: when it was sent, and for which days; without days they come. */
export type Absence = { toldAt: Date; days: Day[]; note: string | null };

/** The newest message of absence, which replaces those before, by place. */
export async function readAbsences(db: Db, placeIds: readonly number[]): Promise<Map<number, Absence[]>> {
  const rows = await db
    .selectFrom('absence_notices')
    .distinctOn('place_id')
    .select(['place_id', 'told_at', 'note'])
    .select(sql<Day[]>`days::text[]`.as('days'))
    .where('place_id', 'in', [0, ...placeIds])
    .orderBy('place_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ place_id, told_at, note, days }) => [place_id, [{ toldAt: told_at, days, note }]]));
}

type NotTold = { ok: false; reason: 'no-class' | 'no-day' };

/**
 * An attendee says on which of the days to come of a course they cannot come, all of them anew (P56); without a day they
 * come after all. The program keeps it for the person who marks attendance, and tells the instructor and the academy,
 * once a day for each course. Place and refund stay the same.
 */
export async function tellAbsence(
  trx: Trx,
  { place, reference, days, note }: { place: Place; reference: string; days: readonly Day[]; note: string },
  { now, today, academy }: Moment,
): Promise<{ ok: true } | NotTold> {
  const open = daysToMiss(place, now);
  if (place.way !== 'date' || open.length === 0) return { ok: false, reason: 'no-class' };
  const chosen = open.filter((day) => days.includes(day));
  const attendeeId = place.attendee.id;
  await trx.selectFrom('attendees').select('id').where('id', '=', attendeeId).forUpdate().execute();
  const [before = null] = (await readAbsences(trx, [place.id])).get(place.id) ?? [];
  const known = open.filter((day) => before?.days.includes(day));
  if (chosen.length === 0 && known.length === 0) return { ok: false, reason: 'no-day' };
  if (before && chosen.join() === known.join() && note === (before.note ?? '')) return { ok: true };
  const over = before?.days.filter((day) => !open.includes(day)) ?? [];
  const said = { told_at: now, days: sql<string[]>`${[...over, ...chosen]}::date[]`, note: note || null };
  const sameDay = await trx
    .updateTable('absence_notices')
    .set(said)
    .where('place_id', '=', place.id)
    .where('told_on', '=', today)
    .returning('id')
    .executeTakeFirst();
  if (sameDay) return { ok: true };
  await trx
    .insertInto('absence_notices')
    .values({ place_id: place.id, told_on: today, ...said })
    .execute();
  const { slug } = place.courseDate;
  const { instructor } = await readTaughtClass(trx, place.courseDate.id);
  const readers = [academy.email, ...(await mailOfInstructor(trx, instructor.slug))];
  for (const to of new Set(readers)) {
    await queueMail(trx, {
      kind: 'absence-notice',
      about: { kind: 'course-date', id: place.courseDate.id },
      to,
      replyTo: place.attendee.email ?? academy.email,
      ...absenceNotice({
        who: place.attendee.name,
        course: place.courseTitle,
        days: chosen.map(formatDay),
        again: known.length > 0,
        note,
        reference,
        link: `${academy.url}/staff/classes/${slug}?day=${chosen[0] ?? known[0]}`,
        academy,
      }),
    });
  }
  return { ok: true };
}
