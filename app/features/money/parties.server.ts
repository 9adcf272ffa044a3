import type { Db } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { queenslandHolidays } from '#app/lib/business-days.ts';
import type { Day } from '#app/lib/dates.ts';

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

/** The buyer of an enrolment as its documents name it, and the enrolment's reference. */
export async function readBuyer(
  db: Db,
  enrolmentId: number,
): Promise<{ reference: string; buyer: TaxInvoiceFacts['buyer'] }> {
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
