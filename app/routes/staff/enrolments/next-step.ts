import { addDays, type Day, daysBetween, formatDay } from '#app/lib/dates.ts';

type Late = { dueOn: Day; firstDay: Day | null; inInstalments: boolean; undelivered: boolean };

/** The days after the due date on which the program reminds by itself (P39). */
const reminders = [3, 10];

/** The next step for a late payment: a reminder by the program, or an act of staff. */
export function nextStep({ dueOn, firstDay, inInstalments, undelivered }: Late, today: Day): string {
  if (undelivered) return 'The last reminder did not arrive. Call the buyer.';
  const late = daysBetween(dueOn, today);
  const begun = firstDay !== null && firstDay <= today && !inInstalments;
  if (begun) return 'The course has begun, so we send no more reminders. Call the buyer.';
  const next = reminders.find((days) => days > late);
  if (next !== undefined) return `We remind the buyer on ${formatDay(addDays(dueOn, next))}.`;
  if (firstDay !== null && daysBetween(today, firstDay) <= 7 && firstDay > today) {
    return `The course begins on ${formatDay(firstDay)}. Call the buyer before.`;
  }
  return 'We send no more reminders. Call the buyer, agree on instalments, or cancel.';
}
