import { offerNumber } from '#app/features/money/invoice-rules.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** What an offer is: a draft of staff, sent and open, or ended in one of four ways (P111). */
export type OfferState = 'draft' | 'sent' | 'accepted' | 'declined' | 'over' | 'replaced';

/** How long an offer is open, unless staff say otherwise: its last day is so many days after the one it is sent on. */
export const offerDays = 14;
/** How long seats are held for a quote that nobody of the academy looked at. */
export const quoteHours = 48;
/** Its customer is told that it ends, so many days before its last one. */
export const remindDays = 3;

/** The state on a day: an offer is over after its last day, whether or not the job has ended it. */
export function stateOn({ state, lastDay }: { state: OfferState; lastDay: Day }, today: Day): OfferState {
  return state === 'sent' && lastDay < today ? 'over' : state;
}

/** What is done to an offer. A change of one that was sent is a new version. */
export type OfferAct = 'change' | 'delete' | 'send' | 'new-version' | 'accept' | 'decline';

const allowed: Record<OfferState, readonly OfferAct[]> = {
  draft: ['change', 'delete', 'send'],
  sent: ['new-version', 'accept', 'decline'],
  accepted: [],
  declined: ['new-version'],
  over: ['new-version'],
  replaced: [],
};

/** Whether something may be done to an offer in a state. */
export const mayBe = (state: OfferState, act: OfferAct): boolean => allowed[state].includes(act);

/**
 * The last day of an offer that is sent today (P111): 14 days on, or the last day on which each of its dates takes
 * enrolments, whichever comes first.
 */
export function lastDayFrom(today: Day, enrolmentEnds: readonly Day[]): Day {
  const usual = addDays(today, offerDays);
  return [usual, ...enrolmentEnds].toSorted()[0] ?? usual;
}

/** `OFF-00042`, from the second version on `OFF-00042, version 2`. */
export const offerName = (number: number, version: number): string =>
  version === 1 ? offerNumber(number) : `${offerNumber(number)}, version ${version}`;

/** The name of its PDF: `OFF-00042-2.pdf`. */
export const offerFile = (number: number, version: number): string =>
  `${offerNumber(number)}${version === 1 ? '' : `-${version}`}.pdf`;

/** Why the seats of a line cannot be had as it was sent; null while they can. */
export type LineTrouble = 'cancelled' | 'closed' | 'full' | 'changed';
