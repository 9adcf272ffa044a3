import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** Everything that a tax invoice or an adjustment note shows, as stored: the same facts give the same bytes (P30). */
type Facts = {
  /** The version of the shape of these facts. */
  version: 1;
  /** Such as `INV-00042`. */
  number: string;
  issuedOn: Day;
  /** Reference of the enrolment, such as `BB-7KQ2MX`. */
  enrolment: string;
  seller: { name: string; tradingAs: string; abn: string; address: string; email: string; phone: string };
  buyer: {
    name: string;
    organisation: string | null;
    abn: string | null;
    address: string | null;
    purchaseOrder: string | null;
  };
  /** By which it is paid, or by which it changes. */
  totalCents: Cents;
  gstCents: Cents;
};

/** One place: its description and price, before and after its discount, GST included. */
export type InvoiceLine = {
  placeId: number | null;
  description: string;
  /** On what dates and how. */
  detail: string;
  priceCents: Cents;
  discountCents: Cents;
  /** Such as `Combo −30%`. */
  discount: string | null;
  amountCents: Cents;
  gstCents: Cents;
  /**
   * The attendee's name when the invoice is drawn; null for one to be named. Never stored with the invoice: names
   * change and are erased, invoices do not.
   */
  attendee?: string | null;
};

export type TaxInvoiceFacts = Facts & {
  dueOn: Day;
  /** `Agreed with Councilworks: 30 days`; absent for the usual due date (P117). */
  terms?: string;
  /**
   * Course dates that were not confirmed when it was issued: nothing is due before (P39). `moved`: a buyer moved a place there,
   * so cancelling may not be free (P40).
   */
  undecided: { title: string; decidedBy: Day; moved?: true }[];
  lines: InvoiceLine[];
  payment: { accountName: string; bsb: string; accountNumber: string; reference: string };
  /** The invoice in whose place it was issued, because the buyer's details were wrong. */
  replaces: string | null;
  /** The part that was already paid when it replaced another invoice; absent for none. */
  paidCents?: Cents;
};

export type AdjustmentNoteFacts = Facts & {
  invoice: { number: string; issuedOn: Day };
  reason: string;
  lines: { description: string; detail: string; amountCents: Cents; gstCents: Cents }[];
  /** The invoice's total less earlier notes, and the rest of it. */
  before: { totalCents: Cents; gstCents: Cents };
  after: { totalCents: Cents; gstCents: Cents };
};
