import type { OfferFacts } from '#app/documents/offer-facts.ts';
import type { AttendeeWish, CourseChoice } from '#app/features/enrolments/order.ts';
import type { AgreedDiscount, CoursePrice } from '#app/features/money/pricing.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { OfferState } from './rules.ts';

/** One course of an offer, as everybody of it takes it. */
export type OfferLine = {
  slug: string;
  title: string;
  choice: CourseChoice;
  /** Days, hours and place of its date when it was sent; null before, and for other ways. */
  shown: string | null;
  price: CoursePrice;
  /** Of its seats, while they are held or once were. */
  holdId: number | null;
};

/** An offer as it is stored (P111). */
export type Offer = {
  id: number;
  /** Null until it is sent. */
  number: number | null;
  version: number;
  /** The version that it ends once it is sent. */
  replaces: number | null;
  state: OfferState;
  name: string;
  email: string;
  /** Whom the limits count: who made it, without what is behind a plus sign. */
  mailbox: string;
  organisation: string | null;
  abn: string | null;
  address: string | null;
  organisationId: number | null;
  comboId: number | null;
  people: number;
  discountPercent: number;
  /** What one person pays for everything, GST included, instead of a discount in per cent (P114); null: no such price. */
  seatCents: Cents | null;
  words: string | null;
  lastDay: Day;
  hold: 'no' | 'two-days' | 'last-day';
  totalCents: Cents;
  termsId: number;
  /** What its PDF shows; null until it is sent. */
  facts: OfferFacts | null;
  /** Who of staff made it; null: the customer. */
  madeBy: number | null;
  madeAt: Date;
  draftId: number | null;
  sentAt: Date | null;
  endedAt: Date | null;
  /** Words with which it was declined. */
  answer: string | null;
  enrolmentId: number | null;
  /** Who attends, as far as it was typed before the offer; null when nobody was, and once it has ended. */
  attendees: AttendeeWish[] | null;
  lines: OfferLine[];
};

/** What staff take off in an offer (P111, P114). */
export const discountOf = ({
  organisation,
  discountPercent: percent,
  seatCents,
}: Pick<Offer, 'organisation' | 'discountPercent' | 'seatCents'>): AgreedDiscount =>
  seatCents === null ? { name: null, percent } : { name: organisation, percent: 0, seatCents };
