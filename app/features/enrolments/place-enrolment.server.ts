import type { Trx } from '#app/db/client.server.ts';
import { readOpenHolds, readQuoteHold } from '#app/features/course-dates/draft-holds.server.ts';
import { endHold, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { type CoursePrice, lowerPrices, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Product, readProduct } from '#app/features/money/product.server.ts';
import { personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { ensurePeople } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';
import { nameAccountsAddress } from './accounts-address.server.ts';
import { invoiceAndTell } from './invoice-and-tell.server.ts';
import { makeEnrolmentLink } from './links.server.ts';
import type { Order } from './order.ts';
import { type Unplaceable, unplaceable } from './placeable.ts';
import { type TooManyUnpaid, tooManyUnpaid } from './unpaid-seats.server.ts';
import { type PricedChoice, writePlaces } from './write-places.server.ts';

export type Placed = {
  ok: true;
  enrolmentId: number;
  reference: string;
  /** Of the buyer's private link (P32). */
  token: string;
  /** The draft had been placed before (P25). */
  repeat: boolean;
};

/** Why it was not placed; nothing was written. */
export type NotPlaced =
  | Unplaceable
  /** The course or combo is not on offer any more, or is made of other courses. */
  | { ok: false; reason: 'not-offered' }
  /** An agreement comes before the place: a request for staff (P28). */
  | { ok: false; reason: 'agreement-first'; courseId: number }
  /** A request for staff (P28). */
  | TooManyUnpaid
  /** The buyer has to see the new total before the contract. */
  | { ok: false; reason: 'price-changed'; shownCents: Cents; nowCents: Cents };

/**
 * Places an enrolment (P28): takes the seats, fixes the amounts, issues the tax invoice and queues the emails, all in
 * the caller's transaction. A draft is placed once; a repeat answers with the first result and a further link (P25).
 * Staff may place more unpaid seats, and job-guarantee programmes once the agreement is there.
 */
export async function placeEnrolment(
  trx: Trx,
  order: Order,
  moment: Moment,
  reference: () => string = newReference,
): Promise<Placed | NotPlaced> {
  requirePermission(order.actor, 'enrolments:change');
  const { now, today } = moment;
  const { choices, attendees, draftId } = order;
  const seen = await openHolds(trx, order, now);
  const chosen = choices.flatMap((choice) => (choice.way === 'date' ? [choice.courseDateId] : []));
  const courseDates = await lockCourseDates(
    trx,
    [...new Set([...chosen, ...seen.map(({ courseDateId }) => courseDateId)])],
    now,
  );
  const before = await lockDraft(trx, draftId);
  if (before) {
    const token = order.token ?? (await makeEnrolmentLink(trx, before.enrolmentId));
    return { ok: true, ...before, token, repeat: true };
  }

  const courseIds = choices.map(({ courseId }) => courseId);
  const product = await readProduct(trx, { comboId: order.comboId, courseIds }, now);
  if (!product) return { ok: false, reason: 'not-offered' };
  // Read again: some may have run out before the lock was there.
  const holds = (await openHolds(trx, order, now)).filter(({ courseDateId }) => courseDates.has(courseDateId));
  const held = new Map(holds.map(({ courseDateId, seats }) => [courseDateId, seats]));
  const refused =
    unplaceable(choices, product, { courseDates, held, seats: attendees.length, today }) ??
    (order.actor.kind === 'buyer' ? await needsStaff(trx, { order, product, at: now }) : null);
  if (refused) return refused;
  const prices = lowerPrices(order.prices, product.prices);
  const { totalCents: nowCents } = quoteOfPrices(prices, attendees.length);
  if (nowCents !== order.shownCents) {
    return { ok: false, reason: 'price-changed', shownCents: order.shownCents, nowCents };
  }

  await ensurePeople(trx, [order.buyer.email, ...attendees.map(({ email }) => email)]);
  const enrolment = await writeEnrolment(trx, { order, product, at: now }, reference);
  for (const { id, courseDateId } of holds) {
    const courseDate = courseDates.get(courseDateId);
    if (courseDate) await endHold(trx, courseDate, id, chosen.includes(courseDateId) ? 'sold' : 'released', now);
  }
  const written = { enrolmentId: enrolment.id, attendees, choices: pricedChoices(choices, prices) };
  const placeIds = await writePlaces(trx, written, { courseDates, at: now });
  const { actor } = order;
  const accounts = order.payer.kind === 'organisation' ? order.payer.accountsEmail : null;
  if (accounts) {
    const named = { enrolmentId: enrolment.id, email: accounts, buyerEmail: order.buyer.email, actor } as const;
    await nameAccountsAddress(trx, named, moment);
  }
  await joinWaiting(trx, { order, enrolmentId: enrolment.id, at: now }, reference);
  // Before the invoice: from its number on, every other enrolment waits for this one.
  const token = await makeEnrolmentLink(trx, enrolment.id, null, order.token);
  const { discount } = order;
  await invoiceAndTell(
    trx,
    { enrolmentId: enrolment.id, placeIds, courseDates, actor, ...(discount && { discount }) },
    moment,
  );
  return { ok: true, enrolmentId: enrolment.id, reference: enrolment.reference, token, repeat: false };
}

/** Each choice with the price of its course; throws when the visit kept no price for one. */
export function pricedChoices(choices: Order['choices'], prices: readonly CoursePrice[]): PricedChoice[] {
  return choices.map((choice) => {
    const price = prices.find(({ courseId }) => courseId === choice.courseId);
    if (!price) throw new Error(`no price was kept for course ${choice.courseId}`);
    const { priceId, priceCents, discountCents, discount } = price;
    return { ...choice, priceId, priceCents, discountCents, discount };
  });
}

async function needsStaff(
  trx: Trx,
  { order, product, at }: { order: Order; product: Product; at: Date },
): Promise<NotPlaced | null> {
  const guaranteed = product.courses.find(({ jobGuarantee }) => jobGuarantee);
  if (guaranteed) return { ok: false, reason: 'agreement-first', courseId: guaranteed.id };
  const seats = order.attendees.length * order.choices.filter(({ way }) => way === 'date').length;
  return tooManyUnpaid(trx, { email: order.buyer.email, network: order.network ?? null, seats, at });
}

/** Courses without a date yet wait in order with everybody else's (P38). */
async function joinWaiting(
  trx: Trx,
  { order, enrolmentId, at }: { order: Order; enrolmentId: number; at: Date },
  reference: () => string,
): Promise<void> {
  const { buyer, attendees, choices } = order;
  for (const { courseId } of choices.filter(({ way }) => way === 'next-date')) {
    for (let joined = false; !joined; ) {
      const row = await trx
        .insertInto('waiting_entries')
        .values({
          reference: reference(),
          course_id: courseId,
          seats: attendees.length,
          name: buyer.name,
          email: buyer.email,
          mailbox: mailboxOf(buyer.email),
          enrolment_id: enrolmentId,
          joined_at: at,
        })
        .returning('id')
        .executeTakeFirst();
      joined = row !== undefined;
    }
  }
}

async function openHolds(trx: Trx, { draftId, quoteHoldId }: Order, at: Date) {
  const ofDraft = draftId === null ? [] : await readOpenHolds(trx, draftId, at);
  return quoteHoldId === undefined ? ofDraft : [...ofDraft, ...(await readQuoteHold(trx, quoteHoldId, at))];
}

/** Locks a draft and returns the enrolment that was placed from it before, if any. */
async function lockDraft(trx: Trx, draftId: number | null): Promise<{ enrolmentId: number; reference: string } | null> {
  if (draftId === null) return null;
  const draft = await trx
    .selectFrom('enrolment_drafts')
    .select('enrolment_id')
    .where('id', '=', draftId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (draft.enrolment_id === null) return null;
  const { id, reference } = await trx
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('id', '=', draft.enrolment_id)
    .executeTakeFirstOrThrow();
  return { enrolmentId: id, reference };
}

/** Writes the row of the contract and empties the draft of what was typed. */
async function writeEnrolment(
  trx: Trx,
  { order, product, at }: { order: Order; product: Product; at: Date },
  reference: () => string,
): Promise<{ id: number; reference: string }> {
  const { buyer, payer } = order;
  const organisation = payer.kind === 'organisation' ? payer : null;
  for (;;) {
    // No row when the reference was given out before.
    const row = await trx
      .insertInto('enrolments')
      .values({
        reference: reference(),
        title: product.title,
        combo_id: order.comboId,
        buyer_name: buyer.name,
        email: buyer.email,
        mailbox: mailboxOf(buyer.email),
        mail_domain: mailDomainOf(buyer.email),
        network: order.network ?? null,
        phone: buyer.phone,
        payer: payer.kind,
        organisation: organisation?.organisation ?? null,
        abn: organisation?.abn ?? null,
        address: payer.address,
        purchase_order: organisation?.purchaseOrder ?? null,
        accounts_email: organisation?.accountsEmail ?? null,
        terms_id: order.termsId,
        placed_at: at,
        changed_at: at,
        placed_by: personIdOf(order.actor),
      })
      .returning(['id', 'reference'])
      .executeTakeFirst();
    if (!row) continue;
    if (order.draftId !== null) {
      await trx
        .updateTable('enrolment_drafts')
        .set({ enrolment_id: row.id, changed_at: at, typed: '{}' })
        .where('id', '=', order.draftId)
        .execute();
    }
    return row;
  }
}
