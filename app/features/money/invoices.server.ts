import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { InvoiceLine, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { queenslandHolidays } from '#app/lib/business-days.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { gstIn } from '#app/lib/gst.ts';
import { shareOut } from '#app/lib/shares.ts';
import { lockIssuer, takeNumber } from './document-numbers.server.ts';
import { dueOn, invoiceNumber, paymentReference } from './invoice-rules.ts';

export type Issued<Facts> = { id: number; facts: Facts };

/** The instant at which a document is issued; `today` is the day in Brisbane. */
export type IssuedAt = { today: Day; at: Date };

/**
 * Issues the tax invoice for places of one enrolment (P30), in the caller's transaction, which has written the places.
 * The invoice takes the amounts of the places. It refuses places on the list for the next date, and places that were
 * invoiced before. Numbers have no gaps: the next issuer waits until this transaction ends. So this takes its number
 * last, after all reading.
 */
export async function issueTaxInvoice(
  trx: Trx,
  { enrolmentId, placeIds, today, at }: IssuedAt & { enrolmentId: number; placeIds: readonly number[] },
): Promise<Issued<TaxInvoiceFacts>> {
  await lockIssuer(trx, enrolmentId);
  const places = await readPlaces(trx, enrolmentId, placeIds);
  const from = await readSeller(trx);
  const totals = places.map(({ price_cents, discount_cents }) => price_cents - discount_cents);
  const gst = gstOfLines(totals);
  const lines = places.map((place, index) => ({
    placeId: place.id,
    description: place.title,
    detail: detailOf(place),
    priceCents: place.price_cents,
    discountCents: place.discount_cents,
    discount: place.discount,
    amountCents: totals[index] ?? 0,
    gstCents: gst[index] ?? 0,
  }));
  const agreed = await readTerms(trx, enrolmentId);
  const dates = {
    dueOn: dueOn(today, earliestFirstDay(places), from.holidays, agreed?.days),
    undecided: undecidedOf(places),
    ...(agreed && { terms: `Agreed with ${agreed.name}: ${agreed.days} days` }),
  };
  return writeInvoice(trx, { enrolmentId, today, at, ...dates, replaces: null, lines }, from);
}

/** The GST of each line: that of the total (section 9-90), shared among them by largest remainder. */
export function gstOfLines(amounts: readonly number[]): number[] {
  return shareOut(gstIn(amounts.reduce((sum, amount) => sum + amount, 0)), amounts);
}

type NewInvoice = IssuedAt &
  Pick<TaxInvoiceFacts, 'dueOn' | 'undecided' | 'replaces' | 'terms'> & { enrolmentId: number; lines: InvoiceLine[] };

/** Numbers and stores an invoice whose lines are known; `from` is who sells, where that has been read already. */
export async function writeInvoice(
  trx: Trx,
  invoice: NewInvoice,
  from?: Awaited<ReturnType<typeof readSeller>>,
): Promise<Issued<TaxInvoiceFacts>> {
  const { enrolmentId, today, at, lines, ...rest } = invoice;
  const { seller, bank } = from ?? (await readSeller(trx));
  const { reference, buyer } = await readBuyer(trx, enrolmentId);
  const number = await takeNumber(trx, 'tax-invoice');
  const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const facts: TaxInvoiceFacts = {
    version: 1,
    number: invoiceNumber(number),
    issuedOn: today,
    enrolment: reference,
    seller,
    buyer,
    totalCents,
    gstCents: gstIn(totalCents),
    lines,
    payment: { ...bank, reference: paymentReference(number, reference) },
    ...rest,
  };
  const { id } = await trx
    .insertInto('tax_invoices')
    .values({
      number,
      enrolment_id: enrolmentId,
      issued_on: today,
      total_cents: facts.totalCents,
      gst_cents: facts.gstCents,
      facts: JSON.stringify(facts),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('tax_invoice_lines')
    .values(
      lines.map(({ placeId, description, amountCents, gstCents }, index) => ({
        tax_invoice_id: id,
        position: index + 1,
        place_id: placeId,
        description,
        amount_cents: amountCents,
        gst_cents: gstCents,
      })),
    )
    .execute();
  return { id, facts };
}

type Place = Awaited<ReturnType<typeof readStated>>[number];

/** Places of an enrolment as an invoice states them, in the order of their ids; those without a date are left out. */
export async function readStated(trx: Trx, enrolmentId: number, placeIds: readonly number[]) {
  if (placeIds.length === 0) return [];
  return trx
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('course_dates as course_date', 'course_date.id', 'places.course_date_id')
    .select(['places.id', 'places.way', 'guided_from', 'places.price_cents', 'discount_cents', 'discount'])
    .select(['courses.title', 'starts_on', 'ends_on', 'delivery', 'venue', 'course_date.state', 'decided_by'])
    .select(['places.state as placeState', sql<boolean>`coalesce(places.move_cap < 100, false)`.as('moved')])
    .where('enrolment_id', '=', enrolmentId)
    .where('places.id', 'in', placeIds)
    .where('places.way', '!=', 'next-date')
    .orderBy('places.id')
    .execute();
}

async function readPlaces(trx: Trx, enrolmentId: number, placeIds: readonly number[]) {
  const places = (await readStated(trx, enrolmentId, placeIds)).filter(({ placeState }) => placeState === 'active');
  if (places.length === 0 || places.length !== placeIds.length) {
    throw new Error(`not all of places ${placeIds.join(', ')} of enrolment ${enrolmentId} can be invoiced`);
  }
  const invoiced = await trx
    .selectFrom('tax_invoice_lines')
    .select('place_id')
    .where('place_id', 'in', placeIds)
    .executeTakeFirst();
  if (invoiced) throw new Error(`place ${invoiced.place_id} has been invoiced before`);
  return places;
}

/** `Online, 15 to 19 September 2025`, `Guided, from Monday 13 October 2025`. */
export function detailOf({ starts_on, ends_on, delivery, venue, guided_from }: Place): string {
  if (guided_from) return `Guided, from ${formatDay(guided_from)}`;
  if (!starts_on || !ends_on || !delivery) throw new Error('a place has neither a course date nor a Monday');
  return `${deliveryText({ delivery, venue })}, ${formatDays(starts_on, ends_on)}`;
}

/** The first day of the earliest; null when none has one. */
const earliestFirstDay = (places: readonly Place[]): Day | null =>
  places
    .flatMap(({ starts_on, guided_from }) => starts_on ?? guided_from ?? [])
    .toSorted()
    .at(0) ?? null;

/** Each tentative course date once. After a move that its buyer asked for, cancelling may not be free (P40). */
export function undecidedOf(places: readonly Place[]): TaxInvoiceFacts['undecided'] {
  const waits = places.flatMap(({ title, state, decided_by: decidedBy, moved }) =>
    state === 'tentative' && decidedBy ? [{ title, decidedBy, moved }] : [],
  );
  const moved = new Set(waits.flatMap((one) => (one.moved ? one.title : [])));
  const days = new Map(waits.map(({ title, decidedBy }) => [title, decidedBy]));
  return [...days].map(([title, decidedBy]) => ({
    title,
    decidedBy,
    ...(moved.has(title) && { moved: true as const }),
  }));
}

/** The academy as its invoices name it, where it is paid, and the public holidays of Queensland. */
export async function readSeller(
  db: Db,
): Promise<{ seller: TaxInvoiceFacts['seller']; bank: Content['site']['bank']; holidays: ReadonlySet<Day> }> {
  const { site, holidays } = await readDocuments(db, ['site', 'holidays']);
  const { street, city, state, postcode } = site.address;
  return {
    seller: {
      name: site.legalName,
      tradingAs: site.name,
      abn: site.abn,
      address: `${street}, ${city}, ${state} ${postcode}`,
      email: site.email,
      phone: site.phone,
    },
    bank: site.bank,
    holidays: queenslandHolidays(holidays),
  };
}

/** The public holidays of Queensland, by which business days are counted (P39). */
export async function readHolidays(db: Db): Promise<ReadonlySet<Day>> {
  return queenslandHolidays((await readDocuments(db, ['holidays'])).holidays);
}

/** The days that an enrolment's organisation has to pay (P117); null for P39. */
async function readTerms(db: Db, enrolmentId: number): Promise<{ name: string; days: number } | null> {
  const row = await db
    .selectFrom('enrolments')
    .innerJoin('organisations', 'organisations.id', 'organisation_id')
    .select(['legal_name', 'trading_name', 'terms_days'])
    .where('enrolments.id', '=', enrolmentId)
    .executeTakeFirst();
  if (!row || row.terms_days === null) return null;
  return { name: row.trading_name ?? row.legal_name, days: row.terms_days };
}

/** The buyer of an enrolment as its documents name it, and the enrolment's reference. */
async function readBuyer(db: Db, enrolmentId: number): Promise<{ reference: string; buyer: TaxInvoiceFacts['buyer'] }> {
  const row = await db
    .selectFrom('enrolments')
    .select(['reference', 'buyer_name', 'organisation', 'abn', 'address', 'purchase_order'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  return {
    reference: row.reference,
    buyer: {
      name: row.buyer_name,
      organisation: row.organisation,
      abn: row.abn,
      address: row.address,
      purchaseOrder: row.purchase_order,
    },
  };
}
