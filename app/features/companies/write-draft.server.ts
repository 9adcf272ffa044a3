import type { Trx } from '#app/db/client.server.ts';
import type { AttendeeWish, CourseChoice } from '#app/features/enrolments/order.ts';
import { type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { ensurePeople } from '#app/features/people/addresses.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Offer } from './offer.ts';

/** To whom an offer is made, and what of it staff or the customer say. Prices are those of the courses, in their order. */
export type OfferWish = Pick<Offer, 'name' | 'email' | 'organisation' | 'abn' | 'address'> &
  Partial<Pick<Offer, 'organisationId' | 'discountPercent' | 'seatCents' | 'words' | 'replaces' | 'draftId'>> & {
    comboId: number | null;
    people: number;
    choices: readonly CourseChoice[];
    prices: readonly CoursePrice[];
    lastDay: Day;
    hold: Offer['hold'];
    termsId: number;
    actor: Actor;
    /** Who attends, as far as it is known. */
    attendees?: readonly AttendeeWish[] | null;
    /** The address that the limits count, where somebody else made it. */
    madeByEmail?: string;
  };

/** Writes a draft (P111). Returns its id. Its prices are fixed when it is sent. */
export async function writeOfferDraft(trx: Trx, wish: OfferWish, at: Date): Promise<number> {
  await ensurePeople(trx, [wish.email]);
  const { id } = await trx
    .insertInto('offers')
    .values({
      ...columnsOf(wish),
      replaces: wish.replaces ?? null,
      draft_id: wish.draftId ?? null,
      made_at: at,
      made_by: personIdOf(wish.actor),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeLines(trx, id, wish);
  return id;
}

/** Writes a draft anew; false when it was sent or deleted meanwhile, and nothing is written. */
export async function changeOfferDraft(trx: Trx, id: number, wish: OfferWish): Promise<boolean> {
  await ensurePeople(trx, [wish.email]);
  const { numUpdatedRows } = await trx
    .updateTable('offers')
    .set(columnsOf(wish))
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx.deleteFrom('offer_lines').where('offer_id', '=', id).execute();
  await writeLines(trx, id, wish);
  return true;
}

function columnsOf(wish: OfferWish) {
  requirePermission(wish.actor, 'companies:change');
  const { name, email, organisation, abn, address, people, attendees, madeByEmail } = wish;
  return {
    name,
    email,
    mailbox: mailboxOf(madeByEmail ?? email),
    organisation,
    abn,
    address,
    organisation_id: wish.organisationId ?? null,
    combo_id: wish.comboId,
    people,
    attendees: attendees ? JSON.stringify(attendees) : null,
    discount_percent: wish.discountPercent ?? 0,
    seat_cents: wish.seatCents ?? null,
    words: wish.words ?? null,
    last_day: wish.lastDay,
    hold: wish.hold,
    total_cents: quoteOfPrices(wish.prices, people).totalCents,
    terms_id: wish.termsId,
  };
}

async function writeLines(trx: Trx, offerId: number, { choices, prices }: OfferWish): Promise<void> {
  const rows = choices.map((choice, position) => ({
    offer_id: offerId,
    position,
    course_id: choice.courseId,
    way: choice.way,
    course_date_id: choice.way === 'date' ? choice.courseDateId : null,
    guided_from: choice.way === 'guided' ? choice.from : null,
    price_id: prices[position]?.priceId ?? null,
    price_cents: prices[position]?.priceCents ?? 0,
    discount_cents: prices[position]?.discountCents ?? 0,
    discount: prices[position]?.discount ?? null,
  }));
  await trx.insertInto('offer_lines').values(rows).execute();
}
