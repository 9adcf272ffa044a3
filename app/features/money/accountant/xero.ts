import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { formatAbn } from '#app/lib/abn.ts';
import type { CsvValue } from '#app/lib/csv-cell.ts';
import type { Day } from '#app/lib/dates.ts';
import { gstIn } from '#app/lib/gst.ts';
import type { Cents } from '#app/lib/money.ts';

/**
 * The columns of Xero's template for sales invoices, in its order and with its stars (Xero Central, "Import customer
 * invoices": SalesInvoiceTemplate.csv). Its importer refuses a file with other heads.
 */
export const xeroColumns = [
  '*ContactName',
  'EmailAddress',
  'POAddressLine1',
  'POAddressLine2',
  'POAddressLine3',
  'POAddressLine4',
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
  '*InvoiceNumber',
  'Reference',
  '*InvoiceDate',
  '*DueDate',
  'InventoryItemCode',
  '*Description',
  '*Quantity',
  '*UnitAmount',
  'Discount',
  '*AccountCode',
  '*TaxType',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
  'Currency',
  'BrandingTheme',
] as const;

/** The code of an account in Xero, up to ten characters. */
export const accountCode = /^[A-Za-z0-9.-]{1,10}$/;
/** The account for sales in every new organisation in Xero. */
export const usualAccount = '200';

/** Xero's name of the rate for a sale with GST. */
const taxType = 'GST on Income';
/** Xero keeps 4,000 characters of a line. */
const mostWords = 4000;

type XeroLine = { words: string; cents: Cents };
type Document =
  | { facts: TaxInvoiceFacts; kind: 'tax-invoice' }
  | { facts: AdjustmentNoteFacts; kind: 'adjustment-note' };

export type XeroPayer = {
  /** The name on the first invoice of the enrolment that has the same ABN as the document, or none as well. */
  firstName: string;
  /** The present address; null once it was erased. */
  email: string | null;
};

/**
 * The rows of a document in Xero's columns, a line each, GST included; those of an adjustment note are below zero, by
 * which Xero knows a credit note. Xero computes the GST of each line on its own and adds it up. Where that is not the
 * document's own GST (section 9-90: of the total), the document is one line.
 */
export function xeroRows(document: Document, payer: XeroPayer, account: string): CsvValue[][] {
  const { facts, kind } = document;
  const { buyer } = facts;
  const [one = '', two = '', three = '', ...more] = addressLines(buyer.address);
  const reference = buyer.purchaseOrder ? `${facts.enrolment}, order ${buyer.purchaseOrder}` : facts.enrolment;
  const due = kind === 'tax-invoice' ? document.facts.dueOn : facts.issuedOn;
  const sign = kind === 'tax-invoice' ? 1 : -1;
  return xeroLines(document).map(({ words, cents }) => [
    ...[contactOf(facts, payer.firstName), payer.email, one, two, three, more.join(', '), '', '', '', ''],
    ...[facts.number, reference, slashed(facts.issuedOn), slashed(due), ''],
    ...[words.slice(0, mostWords), 1, { cents: sign * cents }, '', account, taxType, '', '', '', '', 'AUD', ''],
  ]);
}

/** Xero takes names of contacts up to this length. */
const mostOfContact = 255;

/**
 * The payer's contact. Xero knows contacts by their names alone, and sets a credit note only against invoices of its own
 * contact. So two people of one name are two contacts, and a payer is one for the life of an enrolment, whatever is
 * corrected: their first name in it, followed by their ABN, or by the enrolment if they have none.
 */
function contactOf({ buyer, enrolment }: Pick<TaxInvoiceFacts, 'buyer' | 'enrolment'>, firstName: string): string {
  const mark = ` (${buyer.abn ? `ABN ${formatAbn(buyer.abn)}` : enrolment})`;
  return firstName.slice(0, mostOfContact - mark.length) + mark;
}

/** Whether the GST that Xero computes for a document is another amount than the document's own. */
export const xeroGstDiffers = (document: Document): boolean => gstOf(xeroLines(document)) !== document.facts.gstCents;

function xeroLines(document: Document): XeroLine[] {
  const { facts } = document;
  const lines =
    document.kind === 'tax-invoice' ? document.facts.lines.map(invoiceLine) : facts.lines.map(noteLine(document.facts));
  if (gstOf(lines) === facts.gstCents) return lines;
  return [{ words: lines.map(({ words }) => words).join('; '), cents: facts.totalCents }];
}

const gstOf = (lines: readonly XeroLine[]) => lines.reduce((sum, { cents }) => sum + gstIn(cents), 0);

const invoiceLine = (line: TaxInvoiceFacts['lines'][number]): XeroLine => ({
  words: [`${line.description}, ${line.detail}`, line.discount].filter(Boolean).join(', '),
  cents: line.amountCents,
});

const noteLine =
  ({ invoice, reason }: AdjustmentNoteFacts) =>
  (line: { description: string; detail: string; amountCents: Cents }): XeroLine => ({
    words: `${line.description}, ${line.detail} (${invoice.number}: ${reason})`,
    cents: line.amountCents,
  });

const addressLines = (address: string | null) =>
  (address ?? '')
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `08/09/2025`. */
const slashed = (day: Day) => day.split('-').toReversed().join('/');
