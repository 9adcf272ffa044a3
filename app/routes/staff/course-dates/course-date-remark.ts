import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { shortDay } from '#app/lib/short-dates.ts';

type Facts = Pick<
  CourseDateForStaff,
  'standing' | 'state' | 'toDecide' | 'decidedBy' | 'belowMinimum' | 'sold' | 'minimum' | 'unpaid'
>;

/** The states of a course date for staff, on each of their pages. Whoever reads of an open one reads that it is confirmed. */
export const standings = {
  open: 'Confirmed',
  full: 'Full',
  closed: 'Enrolment closed',
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
} as const;

/** The most urgent remark on a course date for staff; `alarm` where they have to act. */
export function courseDateRemark(courseDate: Facts): { text: string; alarm: boolean } {
  const { standing, state, toDecide, decidedBy, belowMinimum, sold, minimum, unpaid } = courseDate;
  if (standing === 'done' && toDecide && sold > 0) return { text: 'Never confirmed', alarm: true };
  if (standing === 'cancelled' || standing === 'done') return { text: standings[standing], alarm: false };
  if (toDecide) return { text: 'Decide now', alarm: true };
  if (belowMinimum) return { text: `${sold} of at least ${minimum}`, alarm: true };
  if (state === 'tentative' && decidedBy) return { text: `Decide by ${shortDay(decidedBy)}`, alarm: false };
  return { text: unpaid > 0 ? `${standings[standing]}, ${unpaid} unpaid` : standings[standing], alarm: false };
}
