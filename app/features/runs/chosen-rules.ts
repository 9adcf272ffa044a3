import { addDays, type Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { EnrolmentAct } from './acts.ts';

/** For how many days an act on many does not ask the same person for the same thing again. */
const quietDays = 3;
/** How many days before a course it is soon. */
const soonDays = 14;

/** The facts of an enrolment that acts depend on; amounts in cents, days of Brisbane's calendar. */
export type ChosenFacts = {
  balanceCents: Cents;
  /** The earliest due day (P39); null while nothing is due. */
  dueOn: Day | null;
  /** The next first day of a course of the enrolment; null when none is to come. */
  startsOn: Day | null;
  /** The buyer completed a payment by card that Stripe has not told us about yet. */
  onItsWay: boolean;
  nameMissing: boolean;
  /** The first day after today of a course for which a name is missing; null when there is none with a date. */
  unnamedOn: Day | null;
  /** The last reminder of a payment, by anybody; one that did not arrive is none. */
  remindedOn: Day | null;
  /** The last day on which another day to pay was agreed: the buyer got a letter about it. */
  agreedOn: Day | null;
  /** The last day on which an act on many asked for the names of this enrolment; what did not arrive is none. */
  askedOn: Day | null;
  /** The most instalments agreed for an invoice of the enrolment of which something is due before the new day. */
  instalments: number;
};

/** Why nothing is done for an enrolment. */
export type NotDone =
  | 'owes-nothing'
  | 'not-due'
  | 'on-its-way'
  | 'reminded'
  | 'agreed'
  | 'all-named'
  | 'begun'
  | 'asked'
  | 'due-later'
  | 'in-instalments';

type Asked = { today: Day; until: Day | null };

/** Why an act does nothing for an enrolment; null when it does. */
export function whyNot(act: EnrolmentAct, facts: ChosenFacts, { today, until }: Asked): NotDone | null {
  const { balanceCents, dueOn, onItsWay, nameMissing, unnamedOn, remindedOn, agreedOn, askedOn, instalments } = facts;
  const lately = (day: Day | null) => day !== null && day > addDays(today, -quietDays);
  if (act === 'ask-names') {
    if (!nameMissing) return 'all-named';
    // A name is asked for until the day before: on the first day the mail is of no use any more.
    if (unnamedOn === null) return 'begun';
    return lately(askedOn) ? 'asked' : null;
  }
  if (balanceCents <= 0) return 'owes-nothing';
  if (dueOn === null) return 'not-due';
  if (onItsWay) return 'on-its-way';
  if (act === 'remind') return lately(remindedOn) ? 'reminded' : lately(agreedOn) ? 'agreed' : null;
  if (instalments > 1) return 'in-instalments';
  return until !== null && dueOn >= until ? 'due-later' : null;
}

/** The group in which the page before the button counts an enrolment. */
export type ChosenGroup = 'late' | 'due' | 'soon' | 'ahead' | 'after-start';

export function groupOf(
  act: EnrolmentAct,
  { dueOn, startsOn, unnamedOn }: ChosenFacts,
  { today, until }: Asked,
): ChosenGroup {
  if (act === 'ask-names') return unnamedOn !== null && unnamedOn <= addDays(today, soonDays) ? 'soon' : 'ahead';
  if (act === 'more-time' && startsOn !== null && until !== null && startsOn < until) return 'after-start';
  return dueOn !== null && dueOn < today ? 'late' : 'due';
}
