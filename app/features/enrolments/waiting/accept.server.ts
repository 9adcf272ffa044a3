import type { Trx } from '#app/db/client.server.ts';
import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import { wayField } from '#app/features/enrolments/enrolling/choice.ts';
import { draftToken, saveEnrolmentDraft, storeDraft } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { pricedItem, seenUntil } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import type { TooManyUnpaid } from '#app/features/enrolments/unpaid-seats.server.ts';
import { priceOfCourse } from '#app/features/money/pricing.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { datePlaces } from './date-places.server.ts';
import { lockEntry, markConfirmed, type NoEntry } from './entries.server.ts';
import { readCourse, readWaitingCourseDate } from './mails.server.ts';
import { acceptedEnd, offerEnd } from './offer-end.server.ts';
import { readEntry } from './read-entry.server.ts';

export type Accepted =
  /** Into the steps of enrolment, with the seats held for the offer's own time. */
  | { ok: true; draftToken: string }
  /** Bought before: the places have their date now. */
  | { ok: true; draftToken: null };

export type NotAccepted =
  | NoEntry
  | Meanwhile
  | TooManyUnpaid
  /** It ran out, was withdrawn, or the date is closed for enrolment. */
  | { ok: false; reason: 'over' };

/**
 * Accepts the offer of an entry (P48). Somebody who has not bought yet goes on in the steps of enrolment, with a draft
 * that has the offer's seats and its price for as long as it stands. Accepting again leads to the same
 * draft. Places that were bought get their date and their invoice at once. `secret` signs the draft's link.
 */
export async function acceptOffer(
  trx: Trx,
  entryId: number,
  secret: string,
  moment: Moment,
): Promise<Accepted | NotAccepted> {
  const seen = await readEntry(trx, entryId);
  if (!seen) return { ok: false, reason: 'unknown' };
  return seen.enrolmentId === null ? beginDraft(trx, entryId, secret, moment) : acceptDate(trx, entryId, moment);
}

async function acceptDate(trx: Trx, entryId: number, moment: Moment): Promise<Accepted | NotAccepted> {
  const entry = await readEntry(trx, entryId);
  if (!entry?.offer || entry.enrolmentId === null) return { ok: false, reason: 'over' };
  const { enrolmentId, courseId, offer } = entry;
  const accepted = { enrolmentId, courseId, courseDateId: offer.courseDateId, acceptedHold: offer.holdId };
  const dated = await datePlaces(trx, { ...accepted, actor: theBuyer }, moment);
  if (dated.ok) return { ok: true, draftToken: null };
  if (dated.reason === 'too-many-unpaid') return dated;
  return dated.reason === 'meanwhile' ? { ok: false, reason: 'meanwhile' } : { ok: false, reason: 'over' };
}

async function beginDraft(trx: Trx, entryId: number, secret: string, moment: Moment): Promise<Accepted | NotAccepted> {
  const { now } = moment;
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry, courseDates } = locked;
  const { offer } = entry;
  const courseDate = offer && courseDates.get(offer.courseDateId);
  if (!offer || !courseDate) return { ok: false, reason: 'over' };
  // The same offer has one draft.
  const token = draftToken(secret, `waiting-offer:${offer.id}`);
  const draft = await storeDraft(trx, token, now);
  const hold = trx.updateTable('seat_holds').where('id', '=', offer.holdId);
  const until = acceptedEnd(offer.until ?? offerEnd(now, courseDate), now, courseDate);
  // The first time only: accepting again gives no more time.
  await hold.set({ draft_id: draft.id, expires_at: until }).where('draft_id', 'is', null).execute();
  await markConfirmed(trx, entryId, now);
  // A person who accepts has the message, even when the mail server said otherwise.
  await trx
    .updateTable('waiting_offers')
    .set((row) => ({ mailed_at: row.fn.coalesce('mailed_at', row.val(now)) }))
    .where('id', '=', offer.id)
    .execute();
  if (Object.keys(draft.choice).length === 0) {
    const course = await readCourse(trx, entry.courseId, offer.madeAt);
    const { slug } = await readWaitingCourseDate(trx, offer.courseDateId);
    const choice = {
      item: `course:${course.slug}`,
      attendees: String(offer.seats),
      [wayField(course.slug)]: `course-date:${slug}`,
    };
    const seen = seenUntil(until, priceOfCourse(course), now);
    await saveEnrolmentDraft(
      trx,
      draft.id,
      {
        choice,
        prices: { [pricedItem({ comboId: null, courses: [course] })]: seen },
        // Known, and proved by the link that was mailed there.
        payer: { buyerName: entry.name, email: entry.email },
        confirmedEmail: entry.email,
      },
      now,
    );
    await countBegun(trx, moment.today, [course.slug]);
  }
  return { ok: true, draftToken: token };
}
