import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { lastFirstDay } from '#app/features/enrolments/last-first-day.ts';
import { openChoice } from '#app/features/enrolments/may-change.ts';
import { type Charged, capOfMove, purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { sessionWhen, shownDate } from '#app/features/enrolments/words.ts';
import type { OwnOffer } from '#app/features/seats/own-offers.server.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { decisionText } from '#app/features/sessions/states.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { type StepShown, stepsOf } from './place-groups.ts';

/** A date to which a place can be moved. */
export type TransferDate = {
  slug: string;
  sessionId: number;
  /** The date as the form sends it back. */
  date: string;
  when: string;
  where: string;
  left: number;
  /** Whether it is held, as a sentence; with this place it may be (P39). */
  decision: string;
  /** Whether it still waits to be confirmed once the place is there; then nothing is due for it, and cancelling is free. */
  waits: boolean;
  /** How many seats of it its waiting list offers the buyer. */
  offered: number;
  /** The refunds after the move, by date (P40). */
  steps: StepShown[];
};

type Now = Pick<Moment, 'now' | 'today'> & { charged: Charged; offers: ReadonlyMap<number, OwnOffer> };

/** The dates of its course that take enrolments, apart from its own, each with the refund ladder after the move. */
export function datesToMoveTo(
  enrolment: Enrolment,
  place: Place & { way: 'session' },
  sessions: readonly TrainingSession[],
  { now, today, charged, offers }: Now,
): TransferDate[] {
  const caused = openChoice(place, today) !== null;
  const moveCap = caused ? place.moveCap : capOfMove(place, charged(place.id), now).percent;
  // Once it is moved it is no longer chosen for alone.
  const whole = { ...place, chooseBy: null, chooseWhy: null };
  const places = enrolment.places.map((one) => (one.id === place.id ? whole : one));
  const bought = refundable(purchaseOf({ ...enrolment, places }, whole, today), { charged, today });
  return sessions
    .filter((session) => session.course.slug === place.courseSlug && session.id !== place.session?.id)
    .filter((session) => takesEnrolments(session, today) && session.startDate <= lastFirstDay(today))
    .map((session) => {
      const moved = {
        academyChanged: false,
        study: { way: 'session', firstDay: session.startDate, state: session.state },
        moveCap,
      } as const;
      const courses = bought.courses.map((course) => (course.id === place.id ? { ...course, ...moved } : course));
      const times = {
        startsOn: session.startDate,
        endsOn: session.endDate,
        startsAt: session.startTime,
        endsAt: session.endTime,
      };
      return {
        slug: session.slug,
        sessionId: session.id,
        date: shownDate({ ...session, ...times }),
        when: sessionWhen({ ...session, ...times }),
        where: deliveryText(session),
        left: session.seatsAvailable,
        ...decisionWith(session, today),
        offered: offers.get(session.id)?.seats ?? 0,
        steps: stepsOf({ ...bought, courses }, now),
      };
    });
}

/** Reaching the minimum confirms a date: a page says so before the place moves there. */
function decisionWith(session: TrainingSession, today: Day): Pick<TransferDate, 'decision' | 'waits'> {
  const tentative = session.state === 'tentative' && session.decidedBy !== null;
  const confirms = tentative && session.seatsSold + 1 >= session.minimum;
  if (confirms) return { decision: 'With this place the course runs: the move confirms the date.', waits: false };
  return { decision: `${decisionText(session, today)}.`, waits: tentative };
}
