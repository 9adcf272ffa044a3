import type { CoursePrice } from '#app/features/money/pricing.ts';
import type { Actor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** How one course is taken (P38): in a course date, guided from a Monday, or on its next date. */
export type CourseChoice = { courseId: number } & (
  | { way: 'date'; courseDateId: number }
  | { way: 'guided'; from: Day }
  | { way: 'next-date' }
);

/** Somebody who will attend. Without a name they are named later (P28). */
export type AttendeeWish = {
  name: string | null;
  email: string | null;
  /** Their needs for taking part. */
  needs: string | null;
  under18: boolean;
  /** Required when `under18`. */
  guardian: { name: string; email: string | null } | null;
};

/** Somebody who is named later. */
export const nobodyYet: AttendeeWish = { name: null, email: null, needs: null, under18: false, guardian: null };

/** The payer (P30). The ABN is eleven digits with a valid checksum. */
export type Payer =
  | { kind: 'person'; address: string | null }
  | {
      kind: 'organisation';
      organisation: string;
      abn: string | null;
      address: string | null;
      purchaseOrder: string | null;
      /** A copy of every invoice goes there. */
      accountsEmail: string | null;
    };

export type Buyer = { name: string; email: string; phone: string | null };

/** A complete order, checked field by field. The write checks it against the database. */
export type Order = {
  /** Null for a single course. */
  comboId: number | null;
  /** One choice, or each course of the combo once. All attendees take all of them in the same way. */
  choices: readonly CourseChoice[];
  /** At least one. */
  attendees: readonly AttendeeWish[];
  buyer: Buyer;
  payer: Payer;
  /** The organisation to which staff offered it (P110); otherwise that which its buyer manages. */
  organisationId?: number | null;
  /** The stored text of /terms that was accepted (P28). */
  termsId: number;
  /** The draft, whose holds end and which is placed once; null when staff place without one. */
  draftId: number | null;
  /** The token of the buyer's private link (P32); made when absent. */
  token?: string;
  /** The holds of a quote whose seats are sold. Seats of them that are not needed are given back. */
  quoteHoldIds?: readonly number[];
  /** Staff offered it (P111): the limits on unpaid seats do not bind its buyer. */
  offeredByStaff?: boolean;
  /**
   * The prices first shown in the visit, one for each course; today's apply when they are lower (P28), and when null.
   */
  prices: readonly CoursePrice[] | null;
  /** The total, GST included, that stood before the person when they placed it. */
  shownCents: Cents;
  /** The buyer or member of staff who places it. */
  actor: Actor;
  /**
   * Given by staff on the places that are invoiced now, with a reason that the adjustment note gives (P83); in cents,
   * GST included, of all of them together.
   */
  discount?: { cents: Cents; reason: string };
  /** The keyed hash of the buyer's network, by which unpaid seats are counted (P28); none when staff place. */
  network?: string | null;
};
