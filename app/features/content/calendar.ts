import { addDays, daysBetween } from '#app/lib/dates.ts';
import type { ReadableContent } from './faults.ts';
import type { Content } from './schema.ts';

/** The earliest start of a training session, undefined when there is none. */
export function firstSession(content: Pick<ReadableContent, 'trainingSessions'>): string | undefined {
  return content.trainingSessions?.map(({ startDate }) => startDate).sort()[0];
}

/** Weeks by which the first training session comes to start 7 to 13 days after `today`; 0 without sessions (P13). */
export function weeksToMove(content: Content, today: string): number {
  const first = firstSession(content);
  if (first === undefined) return 0;
  // The sum avoids -0.
  return 0 + Math.ceil((7 - daysBetween(today, first)) / 7);
}

/** The same content with every date moved by whole weeks, `asOf` excepted: it says where the move began (P13). */
export function moveDates(content: Content, weeks: number): Content {
  if (weeks === 0) return content;
  const moved = (day: string) => addDays(day, weeks * 7);
  return {
    ...content,
    courses: content.courses.map((course) => ({ ...course, published: moved(course.published) })),
    trainingSessions: content.trainingSessions.map((session) => ({
      ...session,
      startDate: moved(session.startDate),
      endDate: moved(session.endDate),
    })),
  };
}
