import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { TaxInvoiceFacts } from './invoice-facts.ts';

/** One course of a quote, for everybody who would take it. Amounts include GST. */
type OfferLine = {
  description: string;
  /** On what dates, where and how. */
  detail: string;
  quantity: number;
  /** Of one person, before and after the discount. */
  priceCents: Cents;
  discountCents: Cents;
  /** Such as `Combo −30%`. */
  discount: string | null;
  amountCents: Cents;
  /** It is invoiced when it has a date. */
  later: boolean;
};

/** Everything that a quote shows, as stored when it is sent (P111): the same facts give the same bytes. */
export type OfferFacts = Pick<TaxInvoiceFacts, 'version' | 'issuedOn' | 'seller' | 'totalCents' | 'gstCents'> & {
  /** Such as `OFF-00042`, or `OFF-00042, version 2`. */
  number: string;
  buyer: Pick<TaxInvoiceFacts['buyer'], 'name' | 'organisation' | 'abn' | 'address'>;
  /** The last day on which it can be accepted. */
  lastDay: Day;
  title: string;
  people: number;
  lines: OfferLine[];
  /** Words of staff to the customer. */
  words: string | null;
  /** What is held until when, in a sentence. */
  held: string;
  /** When it has to be paid once it is accepted, in sentences. */
  due: string;
  /** The refunds if it is accepted on the day it is sent: for each person, in sentences. */
  refunds: string[];
};

/** The same with the private page on which it can be accepted; null on the copy of staff. */
export type OfferSheet = OfferFacts & { link: string | null };
