import type { Db } from '#app/db/client.server.ts';
import { lastFirstDay } from '#app/features/enrolments/last-first-day.ts';
import { mayMove } from '#app/features/enrolments/may-change.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import type { Day } from '#app/lib/dates.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { WaitingEntry } from './rules.ts';

/** A place that its buyer may move to a date that they are offered, and when it is now. */
export type MovablePlace = { enrolmentId: number; placeId: number; when: string };

/**
 * The places of the same course, bought with the address of an entry, that may be moved to the date that it is offered (P40):
 * nobody should have to buy a second place to get the other date.
 */
export async function readMovable(
  db: Db,
  { email, courseId, enrolmentId, offer }: WaitingEntry,
  today: Day,
): Promise<MovablePlace[]> {
  if (!offer || enrolmentId !== null) return [];
  const courseDate = await db
    .selectFrom('course_dates')
    .select('starts_on')
    .where('id', '=', offer.courseDateId)
    .executeTakeFirstOrThrow();
  if (courseDate.starts_on > lastFirstDay(today)) return [];
  const enrolments = await db
    .selectFrom('enrolments')
    .innerJoin('places', 'places.enrolment_id', 'enrolments.id')
    .select('enrolments.id')
    .distinct()
    .where('mailbox', '=', mailboxOf(email))
    .where('enrolments.email', '=', email)
    .where('course_id', '=', courseId)
    .where('places.state', '=', 'active')
    .where('course_date_id', '<>', offer.courseDateId)
    .orderBy('enrolments.id')
    .limit(10)
    .execute();
  const movable: MovablePlace[] = [];
  for (const { id } of enrolments) {
    const { places } = await readEnrolment(db, id);
    for (const place of places) {
      const isOther = place.courseId === courseId && place.courseDate?.id !== offer.courseDateId;
      if (isOther && mayMove(place, 'buyer', today) === 'yes') {
        movable.push({ enrolmentId: id, placeId: place.id, when: placeWhen(place) });
      }
    }
  }
  return movable;
}
