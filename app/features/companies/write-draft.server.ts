import type { Trx } from '#app/db/client.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { ensurePeople } from '#app/features/people/addresses.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Offer } from './offer.ts';

/** To whom an offer is made, and what of it staff or the customer say. Prices are those of the courses, in their order. */
export type OfferWish = Pick<Offer, 'name' | 'email' | 'organisation' | 'abn' | 'address'> &
  Partial<Pick<Offer, 'organisationId' | 'discountPercent' | 'words' | 'replaces' | 'draftId'>> & {
    comboId: number | null;
    people: number;
    choices: readonly CourseChoice[];
    prices: readonly CoursePrice[];
    lastDay: Day;
    hold: Offer['hold'];
    termsId: number;
    actor: Actor;
  };

/** Writes a draft (P111), or the draft with an id anew. Returns its id. Its prices are fixed when it is sent. */
export async function writeDraft(trx: Trx, wish: OfferWish, at: Date, id?: number): Promise<number> {
  requirePermission(wish.actor, 'companies:change');
  const { name, email, organisation, abn, address, choices, prices, people, comboId } = wish;
  await ensurePeople(trx, [email]);
  const columns = {
    name,
    email,
    mailbox: mailboxOf(email),
    organisation,
    abn,
    address,
    organisation_id: wish.organisationId ?? null,
    combo_id: comboId,
    people,
    discount_percent: wish.discountPercent ?? 0,
    words: wish.words ?? null,
    last_day: wish.lastDay,
    hold: wish.hold,
    total_cents: quoteOfPrices(prices, people).totalCents,
    terms_id: wish.termsId,
  };
  const row =
    id === undefined
      ? await trx
          .insertInto('offers')
          .values({
            ...columns,
            replaces: wish.replaces ?? null,
            draft_id: wish.draftId ?? null,
            made_at: at,
            made_by: personIdOf(wish.actor),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      : await trx.updateTable('offers').set(columns).where('id', '=', id).returning('id').executeTakeFirstOrThrow();
  await trx.deleteFrom('offer_lines').where('offer_id', '=', row.id).execute();
  await trx
    .insertInto('offer_lines')
    .values(
      choices.map((choice, position) => ({
        offer_id: row.id,
        position,
        course_id: choice.courseId,
        way: choice.way,
        course_date_id: choice.way === 'date' ? choice.courseDateId : null,
        guided_from: choice.way === 'guided' ? choice.from : null,
        price_id: prices[position]?.priceId ?? null,
        price_cents: prices[position]?.priceCents ?? 0,
        discount_cents: prices[position]?.discountCents ?? 0,
        discount: prices[position]?.discount ?? null,
      })),
    )
    .execute();
  return row.id;
}
