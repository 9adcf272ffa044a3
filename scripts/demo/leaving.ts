import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { recordRefund } from '#app/features/money/payments.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Stage } from './stage.ts';

export type PlaceOf = { id: number; enrolmentId: number };

/** A buyer cancels a place; staff send the refund some days later (P40). */
export async function cancelPlace(stage: Stage, { id, enrolmentId }: PlaceOf, moment: Moment): Promise<string | null> {
  const cancellation = { enrolmentId, placeIds: [id], shownCents: null, why: 'buyer' } as const;
  const result = await stage.transaction((trx) => cancelPlaces(trx, cancellation, moment));
  if (!result.ok) return null;
  stage.later(2 + stage.draw.below(4), 14, (then) => refund(stage, enrolmentId, then));
  return 'places cancelled by buyers';
}

/** A buyer moves a place to another date of its course with a free seat. */
export async function movePlace(stage: Stage, { id, enrolmentId }: PlaceOf, moment: Moment): Promise<string | null> {
  const { db } = stage;
  const dates = await db
    .selectFrom('course_dates')
    .innerJoin('places', 'places.course_id', 'course_dates.course_id')
    .select(['course_dates.id', 'course_date_id as from', seatsLeft])
    .where('places.id', '=', id)
    .where('course_dates.state', '<>', 'cancelled')
    .where('starts_on', '>', moment.today)
    .where('enrolment_ends_on', '>=', moment.today)
    .orderBy('starts_on')
    .execute();
  const to = dates.find(({ id: other, from, left }) => other !== from && left > 0);
  if (!to) return null;
  const transfer = { enrolmentId, placeId: id, toCourseDateId: to.id, actor: theBuyer };
  const result = await stage.transaction((trx) => transferPlace(trx, transfer, moment));
  return result.ok ? 'places moved to another date' : null;
}

/** Buyers with places in a cancelled course date take another one, or the money (P40). */
export async function chooseAfterCancelling(stage: Stage, place: PlaceOf, moment: Moment): Promise<string | null> {
  return (await movePlace(stage, place, moment)) ?? cancelPlace(stage, place, moment);
}

/** Staff refund overpaid money to its source. */
export async function refund(stage: Stage, enrolmentId: number, moment: Moment): Promise<string | null> {
  const { db, draw, team } = stage;
  let left = -balanceOf(await accountOf(db, enrolmentId));
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'amount_cents'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  let sent = false;
  for (const { id, amount_cents } of payments) {
    const amountCents = Math.min(left, amount_cents);
    if (amountCents <= 0) continue;
    const wish = { paymentId: id, amountCents, reason: 'Cancelled by the buyer' };
    const by = { actor: team.admissions, at: moment.now, idempotencyKey: draw.uuid() };
    const result = await stage.transaction((trx) => recordRefund(trx, { ...wish, ...by }));
    if (!result.ok) continue;
    left -= amountCents;
    sent = true;
  }
  return sent ? 'refunds sent' : null;
}
