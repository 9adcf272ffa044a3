import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { BuyerAct } from './acts.ts';

/** The facts of an enrolment that acts on its buyer depend on; the amount in cents, days of Brisbane's calendar. */
export type BuyerFacts = {
  balanceCents: Cents;
  /** The earliest due day (P39); null while nothing is due. */
  dueOn: Day | null;
  /** The buyer completed a payment by card that Stripe has not told us about yet. */
  onItsWay: boolean;
  nameMissing: boolean;
  /** The first day after today of a course for which a name is missing; null when there is none with a date. */
  unnamedOn: Day | null;
  /** The buyer got the same kind of email in the last three days. */
  lately: boolean;
};

/** Why an act does nothing for an enrolment. */
export type NotDone = 'owes-nothing' | 'not-due' | 'on-its-way' | 'all-named' | 'begun' | 'lately';

/** Why an act does nothing for an enrolment; null when it does (P101). */
export function whyNot(act: BuyerAct, facts: BuyerFacts): NotDone | null {
  if (act === 'ask-names') {
    if (!facts.nameMissing) return 'all-named';
    // A name is asked for until the day before: on the first day the mail is of no use any more.
    if (facts.unnamedOn === null) return 'begun';
  } else {
    if (facts.balanceCents <= 0) return 'owes-nothing';
    if (facts.dueOn === null) return 'not-due';
    if (facts.onItsWay) return 'on-its-way';
  }
  return facts.lately ? 'lately' : null;
}
