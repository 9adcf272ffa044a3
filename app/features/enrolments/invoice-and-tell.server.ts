import type { Trx } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { type Credit, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { type Issued, issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import type { Actor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';
import { countAllGiven } from './buyer-limits.server.ts';
import { confirmReached } from './confirmed.server.ts';
import { queueNotes } from './money-mails.server.ts';
import { queuePlacedMails } from './placed-mails.server.ts';
import { readEnrolment } from './queries.server.ts';

type Written = {
  enrolmentId: number;
  placeIds: readonly number[];
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  actor: Actor;
  /** Given by hand on what is invoiced now, in cents; never more than that. */
  discount?: { cents: Cents; reason: string };
};

/** Confirms course dates whose minimum is reached, issues the invoice, and tells everybody, within the limits of a buyer. */
export async function invoiceAndTell(
  trx: Trx,
  { enrolmentId, placeIds, courseDates, actor, discount }: Written,
  moment: Moment,
): Promise<void> {
  const { today, now } = moment;
  await confirmReached(trx, courseDates, placeIds, moment);
  const enrolment = await readEnrolment(trx, enrolmentId);
  const places = enrolment.places.filter(({ id }) => placeIds.includes(id));
  const dated = places.filter(({ way }) => way !== 'next-date').map(({ id }) => id);
  const invoice =
    dated.length > 0 ? await issueTaxInvoice(trx, { enrolmentId, placeIds: dated, today, at: now }) : null;
  // Before the mails: they say what is due.
  const credits = discount && invoice ? discountOf(invoice, discount.cents) : [];
  const notes = discount
    ? await issueAdjustmentNotes(trx, { enrolmentId, credits, reason: discount.reason, today, at: now })
    : [];
  const untold = actor.kind === 'buyer' ? await countAllGiven(trx, enrolment, places, now) : new Set<number>();
  if (untold.size > 0) {
    await trx
      .updateTable('attendees')
      .set({ told: false })
      .where('id', 'in', [...untold])
      .execute();
  }
  await queuePlacedMails(trx, enrolment, { places, invoice, untold }, moment);
  await queueNotes(trx, enrolment, { notes, buyerHasThem: false }, moment);
}

/** A discount given by hand, shared among the lines of an invoice by their amounts. */
function discountOf({ facts: { lines } }: Issued<TaxInvoiceFacts>, cents: Cents): Credit[] {
  const shares = shareOut(
    cents,
    lines.map(({ amountCents }) => amountCents),
  );
  return lines.flatMap(({ placeId }, at) => (placeId === null ? [] : [{ placeId, cents: shares[at] ?? 0 }]));
}
