import { addDays, type Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { EnrolmentAct } from './acts.ts';

/** So many days pass before the same is asked of somebody again by an act on many. */
const quietDays = 3;
/** A course that begins within so many days is soon. */
const soonDays = 14;

/** What the acts ask of an enrolment; amounts in cents, days of Brisbane's calendar. */
export type ChosenFacts = {
  balanceCents: Cents;
  /** From when something is due (P39); null while nothing is. */
  dueOn: Day | null;
  /** The first day of what is still to come; null without one. */
  startsOn: Day | null;
  nameMissing: boolean;
  /** The last reminder of a payment, by anybody. */
  remindedOn: Day | null;
  /** The last time that many were asked for names, this one among them. */
  askedOn: Day | null;
  /** Of the invoice that has most of them. */
  instalments: number;
};

/** Why nothing is done for an enrolment. */
export type NotDone =
  | 'owes-nothing'
  | 'not-due'
  | 'reminded'
  | 'all-named'
  | 'begun'
  | 'asked'
  | 'due-later'
  | 'in-instalments';

type Asked = { today: Day; until: Day | null };

/** Why an act does nothing for an enrolment; null when it does. */
export function whyNot(act: EnrolmentAct, facts: ChosenFacts, { today, until }: Asked): NotDone | null {
  const { balanceCents, dueOn, startsOn, nameMissing, remindedOn, askedOn, instalments } = facts;
  const lately = (day: Day | null) => day !== null && day > addDays(today, -quietDays);
  if (act === 'ask-names') {
    if (!nameMissing) return 'all-named';
    // A name is asked for until the day before: on the first day the mail is of no use any more.
    if (startsOn === null || startsOn <= today) return 'begun';
    return lately(askedOn) ? 'asked' : null;
  }
  if (balanceCents <= 0) return 'owes-nothing';
  if (dueOn === null) return 'not-due';
  if (act === 'remind') return lately(remindedOn) ? 'reminded' : null;
  if (instalments > 1) return 'in-instalments';
  return until !== null && dueOn >= until ? 'due-later' : null;
}

/** Under what an enrolment is counted before the button. */
export type ChosenGroup = 'late' | 'due' | 'soon' | 'ahead' | 'after-start';

export function groupOf(act: EnrolmentAct, { dueOn, startsOn }: ChosenFacts, { today, until }: Asked): ChosenGroup {
  if (act === 'ask-names') return startsOn !== null && startsOn <= addDays(today, soonDays) ? 'soon' : 'ahead';
  if (act === 'more-time' && startsOn !== null && until !== null && startsOn < until) return 'after-start';
  return dueOn !== null && dueOn < today ? 'late' : 'due';
}
