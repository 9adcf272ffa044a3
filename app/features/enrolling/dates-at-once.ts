import { meet } from '#app/features/sessions/clashes.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { formatDays } from '#app/lib/dates.ts';
import type { Choice, ProductToChoose } from './choice.ts';

/** A course of a combo whose date is at the time of another one's, with the days of both. */
export type DatesAtOnce = { slug: string; days: string; otherTitle: string; otherDays: string };

/**
 * The first course of a choice whose date is at the time of another one (P38): each person takes all courses of a combo.
 * Asked when dates are chosen and again before they are sold, since staff may have moved one meanwhile.
 */
export function datesAtOnce(
  { courses }: ProductToChoose,
  { choices }: Choice,
  sessions: readonly TrainingSession[],
): DatesAtOnce | null {
  const chosen = choices.flatMap((choice) => {
    const session = choice.way === 'session' && sessions.find(({ id }) => id === choice.sessionId);
    const course = courses.find(({ id }) => id === choice.courseId);
    return session && course ? [{ session, course }] : [];
  });
  for (const [at, { session, course }] of chosen.entries()) {
    const other = chosen.slice(0, at).find((one) => meet(one.session, session));
    if (!other) continue;
    return {
      slug: course.slug,
      days: formatDays(session.startDate, session.endDate),
      otherTitle: other.course.title,
      otherDays: formatDays(other.session.startDate, other.session.endDate),
    };
  }
  return null;
}

/** `6 to 10 February 2026 is at the same time as …`. */
export const atOnceText = ({ days, otherTitle, otherDays }: DatesAtOnce): string =>
  `${days} is at the same time as ${otherTitle}, ${otherDays}. Everyone in a combo takes all of its courses, so choose another way for one of the two.`;
