import { type Day, daysBetween, formatDay } from '#app/lib/dates.ts';

type Late = {
  firstDay: Day | null;
  /** The next day on which the program reminds of something of the enrolment (P39); null when it does not. */
  remindsOn: Day | null;
  /** Whether only what we keep of cancelled places is late, of which the program never reminds. */
  onlyKept: boolean;
  undelivered: boolean;
};

/** The next step for a late payment: a reminder by the program, or an act of staff. */
export function nextStep({ firstDay, remindsOn, onlyKept, undelivered }: Late, today: Day): string {
  if (undelivered) return 'The last reminder did not arrive. Call the buyer.';
  if (remindsOn !== null) return `We remind the buyer on ${formatDay(remindsOn)}.`;
  if (onlyKept) return 'Their places are cancelled, so we send no reminders. Call the buyer.';
  if (firstDay !== null && firstDay <= today) {
    return 'The course has begun, so we send no more reminders. Call the buyer.';
  }
  if (firstDay !== null && daysBetween(today, firstDay) <= 7) {
    return `The course begins on ${formatDay(firstDay)}. Call the buyer before.`;
  }
  return 'We send no more reminders. Call the buyer, agree on instalments, or cancel.';
}
