import type { Place } from '#app/features/enrolments/enrolment.ts';
import { mostDaysAhead } from '#app/features/enrolments/transfer-place.server.ts';
import { takesEnrolments } from '#app/features/seats/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { addDays, type Day } from '#app/lib/dates.ts';

/** Whether a place has another date of its course to move to: one that takes enrolments and has a free seat (P40). */
export const hasOtherDate = (
  place: Pick<Place, 'courseSlug' | 'session'>,
  sessions: readonly TrainingSession[],
  today: Day,
): boolean =>
  sessions.some(
    (session) =>
      session.course.slug === place.courseSlug &&
      session.id !== place.session?.id &&
      session.seatsAvailable > 0 &&
      takesEnrolments(session, today) &&
      session.startDate <= addDays(today, mostDaysAhead),
  );
