import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import type { OwnOffer } from '#app/features/course-dates/queries.server.ts';
import { decisionText, takesEnrolments } from '#app/features/course-dates/rules.ts';
import { type Enrolment, lastFirstDay, type Place } from '#app/features/enrolments/enrolment.ts';
import { openChoice } from '#app/features/enrolments/may-change.ts';
import { type Charged, capOfMove, purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { courseDateWhen, shownDate } from '#app/features/enrolments/words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { type StepShown, stepsOf } from './place-groups.ts';

/** A date to which a place can be moved. */
export type TransferDate = {
  slug: string;
  courseDateId: number;
  /** The date as the form sends it back. */
  date: string;
  when: string;
  where: string;
  left: number;
  /** Whether it is held, as a sentence; with this place it may be (P39). */
  decision: string;
  /** Whether it still waits to be confirmed once the place is there; then nothing is due for it, and cancelling is free. */
  waits: boolean;
  /** The number of its seats that its waiting list offers the buyer. */
  offered: number;
  /** The refunds after the move, by date (P40). */
  steps: StepShown[];
};

type Now = Pick<Moment, 'now' | 'today'> & { charged: Charged; offers: ReadonlyMap<number, OwnOffer> };

/** The dates of its course that take enrolments, apart from its own, each with the refund ladder after the move. */
export function datesToMoveTo(
  enrolment: Enrolment,
  place: Place & { way: 'date' },
  courseDates: readonly CourseDate[],
  { now, today, charged, offers }: Now,
): TransferDate[] {
  const caused = openChoice(place, today) !== null;
  const moveCap = caused ? place.moveCap : capOfMove(place, charged(place.id), now).percent;
  // Once it is moved it is no longer chosen for alone.
  const whole = { ...place, chooseBy: null, chooseWhy: null };
  const places = enrolment.places.map((one) => (one.id === place.id ? whole : one));
  const bought = refundable(purchaseOf({ ...enrolment, places }, whole, today), { charged, today });
  return courseDates
    .filter((courseDate) => courseDate.course.slug === place.courseSlug && courseDate.id !== place.courseDate?.id)
    .filter((courseDate) => takesEnrolments(courseDate, today) && courseDate.startDate <= lastFirstDay(today))
    .map((courseDate) => {
      const moved = {
        academyChanged: false,
        study: { way: 'date', firstDay: courseDate.startDate, state: courseDate.state },
        moveCap,
      } as const;
      const courses = bought.courses.map((course) => (course.id === place.id ? { ...course, ...moved } : course));
      const times = {
        startsOn: courseDate.startDate,
        endsOn: courseDate.endDate,
        startsAt: courseDate.startTime,
        endsAt: courseDate.endTime,
      };
      return {
        slug: courseDate.slug,
        courseDateId: courseDate.id,
        date: shownDate({ ...courseDate, ...times }),
        when: courseDateWhen({ ...courseDate, ...times }),
        where: deliveryText(courseDate),
        left: courseDate.seatsAvailable,
        ...decisionWith(courseDate, today),
        offered: offers.get(courseDate.id)?.seats ?? 0,
        steps: stepsOf({ ...bought, courses }, now),
      };
    });
}

/** Reaching the minimum confirms a date: a page says so before the place moves there. */
function decisionWith(courseDate: CourseDate, today: Day): Pick<TransferDate, 'decision' | 'waits'> {
  const tentative = courseDate.state === 'tentative' && courseDate.decidedBy !== null;
  const confirms = tentative && courseDate.seatsSold + 1 >= courseDate.minimum;
  if (confirms) return { decision: 'With this place the course runs: the move confirms the date.', waits: false };
  return { decision: `${decisionText(courseDate, today)}.`, waits: tentative };
}
