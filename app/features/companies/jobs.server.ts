import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { offerOverSoon } from '#app/emails/offers.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { addDays, daysBetween, formatDay, monthsBefore } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { offerLink } from './links.server.ts';
import { datesOfLines, findRequest, readOffer } from './queries.server.ts';
import { remindDays, stateOn } from './rules.ts';
import { endOffer, lockOffers } from './send-offer.server.ts';

/** Ends the offers whose last day is over, and gives their seats back (P111). Returns how many. */
export async function endOffers(db: Db, { now, today }: Moment): Promise<number> {
  const items = await db
    .selectFrom('offers')
    .select('id')
    .where('state', '=', 'sent')
    .where('last_day', '<', today)
    .orderBy('id')
    .execute();
  const keyOf = ({ id }: { id: number }) => `offer:${id}`;
  return eachItem(db, { job: 'end quotes', items, keyOf, at: now }, async (trx, { id }) => {
    const seen = await readOffer(trx, id);
    const courseDates = await lockCourseDates(trx, datesOfLines(seen?.lines ?? []), now);
    await lockOffers(trx, [id]);
    const offer = await readOffer(trx, id);
    if (offer?.state !== 'sent' || stateOn(offer, today) !== 'over') return false;
    await endOffer(trx, offer, { state: 'over', courseDates, at: now });
    return true;
  });
}

/** Tells customers once that their offer ends in three days, unless it was sent since (P111). Returns how many. */
export async function remindOfOffers(db: Db, { now, today, academy }: Moment): Promise<number> {
  const items = await db
    .selectFrom('offers')
    .select('id')
    .where('state', '=', 'sent')
    .where('reminded_at', 'is', null)
    .where('last_day', '>=', today)
    .where('last_day', '<=', addDays(today, remindDays))
    .orderBy('id')
    .execute();
  const keyOf = ({ id }: { id: number }) => `offer:${id}`;
  return eachItem(db, { job: 'remind of quotes', items, keyOf, at: now }, async (trx, { id }) => {
    await lockOffers(trx, [id]);
    const offer = await readOffer(trx, id);
    if (offer?.state !== 'sent' || offer.facts === null) return false;
    await trx.updateTable('offers').set({ reminded_at: now }).where('id', '=', id).execute();
    // Whoever was asked by somebody of theirs gets one email (P113).
    if (await findRequest(trx, id)) return false;
    // A quote for the days right before the date: it was read a moment ago.
    if (daysBetween(offer.facts.issuedOn, offer.lastDay) <= remindDays) return false;
    const link = offerLink(id);
    await queueMail(trx, {
      kind: 'offer-over-soon',
      about: { kind: 'offer', id },
      links: [link],
      to: offer.email,
      replyTo: academy.email,
      ...offerOverSoon({
        number: offer.facts.number,
        title: offer.facts.title,
        total: `${formatMoney(offer.totalCents)} incl. GST`,
        lastDay: formatDay(offer.lastDay),
        link: placeholderOf(link),
        academy,
      }),
    });
    return true;
  });
}

/**
 * The daily job: erases offers that ended without an enrolment for longer than the privacy page allows for enquiries.
 * Returns how many, null when it was done today.
 */
export async function eraseOffersDaily(db: Db, now: Date): Promise<number | null> {
  const { enquiryMonths } = await readRetention(db);
  return doDaily(db, 'erase-offers', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('offers')
      .where('enrolment_id', 'is', null)
      .where('ended_at', '<', monthsBefore(now, enquiryMonths))
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, ['offers', 'offer_lines', 'employer_requests', 'person_words']);
    return Number(numDeletedRows);
  });
}
