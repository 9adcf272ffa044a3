import type { AttendeeWish, Buyer, Payer } from '#app/features/enrolments/order.ts';
import type { Agreed } from '#app/features/enrolments/organisation.server.ts';
import type { ChoicePrice, CoursePrice } from '#app/features/money/pricing.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Choice, ProductToChoose, requestReason } from './choice.ts';
import type { Draft, HoldState } from './drafts.server.ts';
import type { StepName } from './steps.ts';

/** A draft with the current result of each step; null for a step that is not complete. */
export type OpenDraft = {
  token: string;
  draft: Draft;
  /** The product being bought; null before one is chosen, and when it is no longer sold. */
  product: ProductToChoose | null;
  choice: Choice | null;
  /** The prices that hold for this visit, without what is agreed with an organisation. */
  prices: readonly CoursePrice[] | null;
  /** With what is agreed, once the address of its manager is proved (P117). */
  quote: ChoicePrice | null;
  /** What is agreed with the organisation of the proved buyer; null for everybody else. */
  known: Agreed | null;
  /** The total at the prices first shown if it is lower today (P28); otherwise null. In cents, GST included. */
  fellFromCents: Cents | null;
  /** Why staff answer it as a request. */
  request: ReturnType<typeof requestReason>;
  attendees: AttendeeWish[] | null;
  payer: { buyer: Buyer; payer: Payer } | null;
  /** The stored text of /terms that is accepted now. */
  termsId: number;
  /** Whether the code of the buyer's address was entered. */
  confirmed: boolean;
  hold: HoldState;
  /** A date that was chosen and can no longer be sold; null while every chosen date can. */
  lost: LostDate | null;
  /** The first step that is not complete. */
  reached: StepName;
};

/** Why a chosen date can no longer be sold, with its days: '' when it is not known any more. */
export type LostDate = { days: string; why: 'cancelled' | 'closed' };
