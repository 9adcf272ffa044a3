import { shownDate } from '#app/features/enrolments/words.ts';
import { keptText } from '#app/features/seats/kept-seats.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import { ownTimesOf } from '#app/features/sessions/own-times.ts';
import { formatSessionTime } from '#app/features/sessions/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { decisionText } from '#app/features/sessions/states.ts';
import { type Day, daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import type { DateToChoose } from './choice.ts';

/** The dates of a course that take enrolments on a day (P39). `own` are the seats of each session this visitor holds already. */
export function datesOf(
  sessions: readonly TrainingSession[],
  courseSlug: string,
  today: Day,
  own: ReadonlyMap<number, number> = new Map(),
): DateToChoose[] {
  const open = sessions.filter(({ course }) => course.slug === courseSlug).filter((one) => takesEnrolments(one, today));
  return open.map((session) => {
    const count = daysBetween(session.startDate, session.endDate) + 1;
    return {
      slug: session.slug,
      sessionId: session.id,
      days: formatDays(session.startDate, session.endDate),
      place: deliveryText(session),
      times: `${formatSessionTime(session)}${count > 1 ? `, ${count}\u00a0days` : ''}`,
      ownTimes: ownTimesOf(session),
      shown: shownDate({
        ...session,
        startsOn: session.startDate,
        endsOn: session.endDate,
        startsAt: session.startTime,
        endsAt: session.endTime,
      }),
      decision: decisionText(session, today),
      firstDay: session.startDate,
      state: session.state,
      missing: session.state === 'tentative' ? Math.max(0, session.minimum - session.seatsSold) : 0,
      seats: session.seatsAvailable + (own.get(session.id) ?? 0),
      kept: keptText(session.kept, own.get(session.id)),
    };
  });
}
