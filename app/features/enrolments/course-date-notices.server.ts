import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { courseDateNotice } from '#app/emails/course-dates.ts';
import { joiningDetailsKnown } from '#app/features/course-dates/joining-details.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { courseDatesBelowMinimum, courseDatesWithoutJoiningDetails } from './course-dates-for-staff.server.ts';

/**
 * Mails the academy once when a course date that sales confirmed falls below its minimum (P39), and again only after it was
 * above in between. Returns how many. Several processes may do so at once.
 */
export async function tellBelowMinimum(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  const below = (await courseDatesBelowMinimum(db, today)).filter(({ confirmedOn }) => confirmedOn !== null);
  await db
    .updateTable('course_date_notices')
    .set({ below_minimum_at: null })
    .where('below_minimum_at', 'is not', null)
    .where('course_date_id', 'not in', [0, ...below.map(({ id }) => id)])
    .execute();
  const told = await db
    .selectFrom('course_date_notices')
    .select('course_date_id as id')
    .where('below_minimum_at', 'is not', null)
    .execute();
  const items = below.filter(({ id }) => told.every((one) => one.id !== id));
  const job = 'tell of course dates below their minimum';
  return eachItem(
    db,
    { job, items, keyOf: ({ id }) => `course-date:${id}`, at: now },
    async (trx, { id, sold, minimum, confirmedOn: _, ...courseDate }) => {
      const first = await trx
        .insertInto('course_date_notices')
        .values({ course_date_id: id, below_minimum_at: now })
        .onConflict((conflict) =>
          conflict
            .column('course_date_id')
            .doUpdateSet({ below_minimum_at: now })
            .where('course_date_notices.below_minimum_at', 'is', null),
        )
        .returning('course_date_id')
        .executeTakeFirst();
      if (!first) return false;
      const text = [
        `${sold} of at least ${minimum} people are left in it: others cancelled after it was confirmed. It stays confirmed: the people in it rely on that.`,
        'You can run it anyway, move it, or cancel it: then each buyer chooses another date or a full refund.',
      ];
      await queueNotice(trx, { id, matter: 'Below its minimum', ...courseDate, text }, moment);
      return true;
    },
  );
}

/**
 * Asks the academy once for the room or link of a course date with people in it, three business days before its first
 * day (P39): reminders of places wait for it. Asks again for a course date that moved, or that lost a detail that was
 * set. Returns how many.
 */
export async function askForJoiningDetails(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  await db
    .updateTable('course_date_notices')
    .from('course_dates as course_date')
    .set({ joining_details_for: null })
    .whereRef('course_date.id', '=', 'course_date_id')
    .where('joining_details_for', 'is not', null)
    .where(joiningDetailsKnown('course_date'))
    .execute();
  const items = await courseDatesWithoutJoiningDetails(db, today);
  const job = 'ask for rooms and links';
  return eachItem(
    db,
    { job, items, keyOf: ({ id }) => `course-date:${id}`, at: now },
    async (trx, { id, missing, ...courseDate }) => {
      const first = await trx
        .insertInto('course_date_notices')
        .values({ course_date_id: id, joining_details_for: courseDate.startsOn })
        .onConflict((conflict) =>
          conflict
            .column('course_date_id')
            .doUpdateSet({ joining_details_for: courseDate.startsOn })
            .where(sql<boolean>`course_date_notices.joining_details_for is distinct from excluded.joining_details_for`),
        )
        .returning('course_date_id')
        .executeTakeFirst();
      if (!first) return false;
      const text = [
        `It starts on ${formatDay(courseDate.startsOn)}, people are in it, and its ${missing} is not set yet.`,
        'Please set it on the page of the course date. We then email everyone in it at once, and send the reminders.',
      ];
      await queueNotice(trx, { id, matter: 'Room or link is missing', ...courseDate, text }, moment);
      return true;
    },
  );
}

/** Has staff asked again for the way into a course date that is to be taught in another place or way: they need another one. */
export async function askAgainForJoiningDetails(trx: Trx, courseDateId: number): Promise<void> {
  await trx
    .updateTable('course_date_notices')
    .set({ joining_details_for: null })
    .where('course_date_id', '=', courseDateId)
    .execute();
}

type Notice = {
  id: number;
  matter: string;
  slug: string;
  title: string;
  startsOn: string;
  endsOn: string;
  text: string[];
};

async function queueNotice(
  trx: Trx,
  { id, matter, slug, title, startsOn, endsOn, text }: Notice,
  { academy }: Moment,
): Promise<void> {
  await queueMail(trx, {
    kind: 'course-date-notice',
    about: { kind: 'course-date', id },
    to: academy.email,
    replyTo: academy.email,
    ...courseDateNotice({
      matter,
      course: title,
      when: formatDays(startsOn, endsOn),
      text,
      link: `${academy.url}/staff/course-dates/${slug}`,
      academy,
    }),
  });
}
