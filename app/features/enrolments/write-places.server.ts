import type { Trx } from '#app/db/client.server.ts';
import { type LockedCourseDate, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';
import type { AttendeeWish, CourseChoice } from './order.ts';

/** A choice with its price for one attendee. */
export type PricedChoice = CourseChoice & {
  priceId: number | null;
  priceCents: Cents;
  /** The discount of the combo in cents, and its explanation. */
  discountCents: Cents;
  discount: string | null;
};

/**
 * Writes attendees with a place each for every choice, and sells their seats; the course dates are locked and have enough.
 * Returns the ids of the places.
 */
export async function writePlaces(
  trx: Trx,
  { enrolmentId, attendees, choices }: WishedPlaces,
  { courseDates, at }: { courseDates: ReadonlyMap<number, LockedCourseDate>; at: Date },
): Promise<number[]> {
  const placeIds: number[] = [];
  for (const attendee of attendees) {
    const attendeeId = await writeAttendee(trx, enrolmentId, attendee);
    for (const choice of choices) {
      const { id } = await trx
        .insertInto('places')
        .values({
          enrolment_id: enrolmentId,
          attendee_id: attendeeId,
          course_id: choice.courseId,
          way: choice.way,
          course_date_id: choice.way === 'date' ? choice.courseDateId : null,
          guided_from: choice.way === 'guided' ? choice.from : null,
          price_id: choice.priceId,
          price_cents: choice.priceCents,
          discount_cents: choice.discountCents,
          discount: choice.discount,
          placed_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      placeIds.push(id);
      if (choice.way === 'date') await sellOne(trx, courseDates.get(choice.courseDateId), id, at);
    }
  }
  return placeIds;
}

type WishedPlaces = { enrolmentId: number; attendees: readonly AttendeeWish[]; choices: readonly PricedChoice[] };

/** Sells the seat of a place in a locked course date that was found to have one. */
export async function sellOne(
  trx: Trx,
  courseDate: LockedCourseDate | undefined,
  placeId: number,
  at: Date,
): Promise<void> {
  const sold = courseDate && (await sellSeats(trx, courseDate, [placeId], at));
  if (!sold?.ok) throw new Error(`no seat for place ${placeId}, although its course date was locked and had one`);
}

async function writeAttendee(trx: Trx, enrolmentId: number, attendee: AttendeeWish): Promise<number> {
  const { id } = await trx
    .insertInto('attendees')
    .values({ enrolment_id: enrolmentId, ...attendeeColumns(attendee) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An attendee as the columns of its row. */
export const attendeeColumns = ({ name, email, needs, under18, guardian }: AttendeeWish) => ({
  name,
  email,
  mailbox: email === null ? null : mailboxOf(email),
  needs,
  under_18: under18,
  guardian_name: guardian?.name ?? null,
  guardian_email: guardian?.email ?? null,
});
