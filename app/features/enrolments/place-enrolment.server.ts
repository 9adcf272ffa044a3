import type { Trx } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { readOpenHolds, readQuoteHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { endHold, type LockedCourseDate, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { type Credit, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { type Issued, issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { type Product, readProduct } from '#app/features/money/price-ledger.server.ts';
import { agreedPrices, type CoursePrice, lowerPrices, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { ensurePeople } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';
import { nameAccountsAddress } from './accounts-address.server.ts';
import { confirmReached } from './confirmed.server.ts';
import { beyondCredit, countAllGiven, type TooManyUnpaid, tooManyUnpaid } from './limits.server.ts';
import { makeEnrolmentLink } from './links.server.ts';
import { queuePlacedMails } from './mails.server.ts';
import { queueNotes } from './money-mails.server.ts';
import type { AttendeeWish, CourseChoice, Order } from './order.ts';
import { findManaged, readAgreed } from './organisation.server.ts';
import { type Unplaceable, unplaceable } from './placeable.ts';
import { readEnrolment } from './queries.server.ts';

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
  const before = await lockDraftToPlace(trx, draftId);
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
  const { email } = order.buyer;
  const organisationId =
    order.organisationId ??
    (order.actor.kind === 'staff' ? onlyForOf(chosen, courseDates) : null) ??
    (await findManaged(trx, { email, payer: order.payer }));
  const agreed = organisationId === null ? null : await readAgreed(trx, organisationId);
  const credit = organisationId !== null && agreed?.creditSeats ? { organisationId, most: agreed.creditSeats } : null;
  const refused =
    unplaceable(choices, product, { courseDates, held, seats: attendees.length, organisationId, today }) ??
    (order.actor.kind === 'buyer' ? await needsStaff(trx, { order, product, credit, at: now }) : null);
  if (refused) return refused;
  const shown = lowerPrices(order.prices, product.prices);
  const { totalCents: nowCents } = quoteOfPrices(shown, attendees.length);
  if (nowCents !== order.shownCents) {
    return { ok: false, reason: 'price-changed', shownCents: order.shownCents, nowCents };
  }

  await ensurePeople(trx, [order.buyer.email, ...attendees.map(({ email }) => email)]);
  // Staff say in a quote or by hand what they take off. A manager pays less than the page showed, never more.
  const bySelf = order.actor.kind === 'buyer' && !order.offeredByStaff;
  const prices = bySelf && agreed?.discount ? agreedPrices(shown, agreed.discount) : shown;
  const enrolment = await writeEnrolment(trx, { order, organisationId, product, at: now }, reference);
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
    { enrolmentId: enrolment.id, placeIds, courseDates, actor, known: credit !== null, ...(discount && { discount }) },
    moment,
  );
  return { ok: true, enrolmentId: enrolment.id, reference: enrolment.reference, token, repeat: false };
}

/** The organisation for which a chosen date is private (P114): staff who place there give it the enrolment. */
const onlyForOf = (chosen: readonly number[], courseDates: ReadonlyMap<number, LockedCourseDate>): number | null =>
  chosen.flatMap((id) => courseDates.get(id)?.organisationId ?? [])[0] ?? null;

/** Each choice with the price of its course; throws when the visit kept no price for one. */
export function pricedChoices(choices: Order['choices'], prices: readonly CoursePrice[]): PricedChoice[] {
  return choices.map((choice) => {
    const price = prices.find(({ courseId }) => courseId === choice.courseId);
    if (!price) throw new Error(`no price was kept for course ${choice.courseId}`);
    const { priceId, priceCents, discountCents, discount } = price;
    return { ...choice, priceId, priceCents, discountCents, discount };
  });
}

/** The credit of an organisation that has paid before (P117). */
type OwnCredit = { organisationId: number; most: number };

async function needsStaff(
  trx: Trx,
  { order, product, credit, at }: { order: Order; product: Product; credit: OwnCredit | null; at: Date },
): Promise<NotPlaced | null> {
  const guaranteed = product.courses.find(({ jobGuarantee }) => jobGuarantee);
  if (guaranteed) return { ok: false, reason: 'agreement-first', courseId: guaranteed.id };
  const seats = order.attendees.length * order.choices.filter(({ way }) => way === 'date').length;
  // Staff looked at what they offered.
  if (order.offeredByStaff) return null;
  if (credit) return beyondCredit(trx, { ...credit, seats, at });
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

async function openHolds(trx: Trx, { draftId, quoteHoldIds = [] }: Order, at: Date) {
  const ofDraft = draftId === null ? [] : await readOpenHolds(trx, draftId, at);
  return [...ofDraft, ...(await readQuoteHolds(trx, quoteHoldIds, at))];
}

/** Locks a draft and returns the enrolment that was placed from it before, if any. */
async function lockDraftToPlace(
  trx: Trx,
  draftId: number | null,
): Promise<{ enrolmentId: number; reference: string } | null> {
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
  { order, organisationId, product, at }: { order: Order; organisationId: number | null; product: Product; at: Date },
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
        organisation_id: organisationId,
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

type Written = {
  enrolmentId: number;
  placeIds: readonly number[];
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  actor: Actor;
  /** For an organisation that has paid before (P117): P24 does not limit to whom it gives places. */
  known?: boolean;
  /** Given by hand on what is invoiced now, in cents; never more than that. */
  discount?: { cents: Cents; reason: string };
};

/** Confirms course dates whose minimum is reached, issues the invoice, and tells everybody, within the limits of a buyer. */
export async function invoiceAndTell(
  trx: Trx,
  { enrolmentId, placeIds, courseDates, actor, known = false, discount }: Written,
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
  const untold =
    actor.kind === 'buyer' && !known ? await countAllGiven(trx, enrolment, places, now) : new Set<number>();
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
