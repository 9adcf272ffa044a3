import type { Trx } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { lockDocuments } from './document-numbers.server.ts';
import { dueOn } from './invoice-rules.ts';
import {
  detailOf,
  earliestFirstDay,
  gstOfLines,
  type Issued,
  type IssuedAt,
  readStated,
  undecidedOf,
  writeInvoice,
} from './invoices.server.ts';
import { readSeller } from './parties.server.ts';

/** The rise in the charge for an invoiced place, GST included. */
export type Surcharge = { placeId: number; cents: Cents };

/**
 * Issues the tax invoice for the withdrawn part of a combo's discount, a line for each place that was invoiced before
 * (P40), in the caller's transaction, which has written `withdrawn_cents`. Throws when a place has no date.
 */
export async function issueSurcharges(
  trx: Trx,
  { enrolmentId, surcharges, today, at }: IssuedAt & { enrolmentId: number; surcharges: readonly Surcharge[] },
): Promise<Issued<TaxInvoiceFacts>> {
  await lockDocuments(trx, enrolmentId);
  const ids = surcharges.map(({ placeId }) => placeId);
  const places = await readStated(trx, enrolmentId, ids);
  if (places.length !== ids.length) throw new Error(`not all of places ${ids.join(', ')} were invoiced before`);
  const { holidays } = await readSeller(trx);
  const amounts = places.map(({ id }) => surcharges.find(({ placeId }) => placeId === id)?.cents ?? 0);
  const gst = gstOfLines(amounts);
  return writeInvoice(trx, {
    enrolmentId,
    today,
    at,
    dueOn: dueOn(today, earliestFirstDay(places), holidays),
    undecided: undecidedOf(places.filter(({ placeState }) => placeState === 'active')),
    replaces: null,
    lines: places.map((place, index) => {
      const amountCents = amounts[index] ?? 0;
      return {
        placeId: place.id,
        description: place.title,
        detail: `${whyOf(place)} ${detailOf(place)}`,
        priceCents: amountCents,
        discountCents: 0,
        discount: null,
        amountCents,
        gstCents: gst[index] ?? 0,
      };
    }),
  });
}

function whyOf(place: Awaited<ReturnType<typeof readStated>>[number]): string {
  const { price_cents, discount_cents, withdrawn_cents } = place;
  if (withdrawn_cents === discount_cents) {
    return `The combo’s discount no longer applies. Its own price is ${formatMoney(price_cents)}.`;
  }
  const now = formatMoney(price_cents - discount_cents + withdrawn_cents);
  return `The combo’s discount no longer applies in full, its price is now ${now}.`;
}
