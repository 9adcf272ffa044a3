import type { Trx } from '#app/db/client.server.ts';
import { confirmIfReached } from '#app/features/course-dates/commands.server.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { dueShort } from '#app/features/money/open-invoice.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type Enrolment, groupsOf, type Place, type PlacesOfDate } from './enrolment.ts';
import { markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { type Charged, purchaseOf, refundable } from './purchases.ts';
import { enrolmentsIn, readEnrolment } from './queries.server.ts';

/**
 * Confirms those of the locked course dates whose minimum a sale reached (P39), and tells everybody who enrolled
 * before; the new places learn it from their own mail.
 */
export async function confirmReached(
  trx: Trx,
  courseDates: ReadonlyMap<number, LockedCourseDate>,
  newPlaces: readonly number[],
  moment: Moment,
): Promise<void> {
  const confirmed: number[] = [];
  for (const courseDate of courseDates.values()) {
    if (await confirmIfReached(trx, courseDate, moment.now)) confirmed.push(courseDate.id);
  }
  await queueConfirmed(trx, confirmed, moment, newPlaces);
}

/**
 * Tells buyers and attendees that their course dates are confirmed, with a calendar entry that replaces the tentative one.
 * The buyer also gets the amounts and due dates of open invoices. Of a course date that is over only buyers are told.
 */
export async function queueConfirmed(
  trx: Trx,
  courseDateIds: readonly number[],
  moment: Moment,
  exceptPlaces: readonly number[] = [],
): Promise<void> {
  const concerns = ({ id, courseDate }: Place) =>
    courseDate !== null && courseDateIds.includes(courseDate.id) && !exceptPlaces.includes(id);
  const enrolmentIds = new Set<number>();
  for (const courseDateId of courseDateIds)
    for (const id of await enrolmentsIn(trx, courseDateId)) enrolmentIds.add(id);
  // In order: two sales at once change the same enrolments, and must not wait for each other.
  for (const id of [...enrolmentIds].sort((a, b) => a - b)) {
    if (!groupsOf((await readEnrolment(trx, id)).places.filter(concerns))[0]) continue;
    const enrolment = await markChanged(trx, id, moment.now);
    const money = await dueInWords(trx, id, moment);
    const charged = await chargedFor(trx, id);
    for (const places of groupsOf(enrolment.places.filter(concerns))) {
      if ((places[0].courseDate?.endsOn ?? moment.today) < moment.today) {
        await queuePlaceMails(trx, enrolment, { change: 'course-date-held', places, money, buyerOnly: true }, moment);
        continue;
      }
      const event = {
        change: 'course-date-confirmed',
        places,
        money: [...money, cancellingInWords(enrolment, places, charged, moment)],
      } as const;
      await queuePlaceMails(trx, enrolment, event, moment);
    }
  }
}

/** A sentence about the refunds of places with the same refund, with their days (P100); one for each where they differ. */
export function cancellingInWords(
  enrolment: Enrolment,
  places: PlacesOfDate,
  charged: Charged,
  { now, today }: Pick<Moment, 'now' | 'today'>,
): string {
  const combo = enrolment.comboId !== null;
  const textOf = (place: Place) => refundText(refundable(purchaseOf(enrolment, place, today), { charged, today }), now);
  const texts = [...Map.groupBy(places, textOf)];
  const refund = texts
    .map(([text, its]) =>
      texts.length > 1 ? `${its.length === 1 ? '1 place' : `${its.length} places`}, ${text}` : text,
    )
    .join('; ');
  const free = places[0].courseDate?.state === 'tentative' ? ' Until we confirm the date, cancelling is free.' : '';
  const of = combo ? ' the combo' : '';
  const each = places.length > 1 ? `, for each ${combo ? 'person' : 'place'}` : '';
  return `What we refund now depends on the day you cancel${of}${each}: ${refund}.${free}${combo ? ` ${comboRule}` : ''}`;
}

/** Amounts and due dates of an enrolment's open invoices, a sentence each; parts that wait for a decision left out. */
export async function dueInWords(trx: Trx, enrolmentId: number, { today }: Pick<Moment, 'today'>): Promise<string[]> {
  const due = (await openInvoices(trx, enrolmentId)).filter(({ dueOn }) => dueOn !== null);
  return due.map((one) => `Tax invoice ${one.facts.number}: ${dueShort(one, today)}.`);
}
