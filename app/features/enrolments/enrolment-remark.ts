import { type Day, daysBetween } from '#app/lib/dates.ts';
import { shortMonth } from '#app/lib/short-dates.ts';

/** The facts for the remark on an enrolment; amounts in cents, `balanceCents` below zero when too much was paid. */
export type RowFacts = {
  /** Places that are not cancelled. */
  places: number;
  totalCents: number;
  balanceCents: number;
  /** From when something is due (P39); null while nothing is. */
  dueOn: Day | null;
  /** Whether an attendee of a course that is still to come has no name. */
  nameMissing: boolean;
  choosing: boolean;
  waiting: boolean;
  belowMinimum: boolean;
  mailFailed: boolean;
};

/** One remark on an enrolment; `alarm` for what is late or did not work. */
export type Remark = { text: string; alarm: boolean };

/** The most urgent remark on an enrolment for staff; null when there is none. */
export function remarkOf(facts: RowFacts, today: Day): Remark | null {
  const { balanceCents, dueOn } = facts;
  const calm = (text: string): Remark => ({ text, alarm: false });
  if (balanceCents > 0 && dueOn !== null && dueOn < today) {
    const days = daysBetween(dueOn, today);
    return { text: days === 1 ? '1 day late' : `${days} days late`, alarm: true };
  }
  if (facts.mailFailed) return { text: 'Mail came back', alarm: true };
  if (balanceCents < 0) return calm('Refund to send');
  if (facts.places === 0) return calm('Cancelled');
  if (facts.choosing) return calm('Choice open');
  if (facts.nameMissing) return calm('Name missing');
  if (facts.belowMinimum) return calm('Below minimum');
  if (facts.waiting) return calm('Waits for a date');
  if (balanceCents > 0 && balanceCents < facts.totalCents) return calm('Part paid');
  if (balanceCents > 0 && dueOn !== null) return calm(`Due ${Number(dueOn.slice(8))} ${shortMonth(dueOn)}`);
  return balanceCents > 0 ? calm('Not due yet') : null;
}
