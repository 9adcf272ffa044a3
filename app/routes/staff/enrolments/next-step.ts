import { type Day, daysBetween } from '#app/lib/dates.ts';
import { shortDay } from '#app/lib/short-dates.ts';

type Late = {
  firstDay: Day | null;
  /** The next day on which the program reminds of something of the enrolment (P39); null when it does not. */
  remindsOn: Day | null;
  /** Whether only what we keep of cancelled places is late, of which the program never reminds. */
  onlyKept: boolean;
  undelivered: boolean;
};

/** The next step for an open payment: a reminder by the program, or a call by staff once it sends no more. */
export function nextStep({ firstDay, remindsOn, onlyKept, undelivered }: Late, today: Day): string {
  if (undelivered) return 'Call: the last reminder did not arrive';
  if (remindsOn !== null) return `We remind on ${shortDay(remindsOn)}`;
  if (onlyKept) return 'Call: their places are cancelled';
  if (firstDay !== null && firstDay <= today) {
    return 'Call: the course has begun';
  }
  if (firstDay !== null && daysBetween(today, firstDay) <= 7) {
    return `Call before ${shortDay(firstDay)}, when it begins`;
  }
  return 'Call, agree on instalments or cancel';
}
