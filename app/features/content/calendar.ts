import { compareText } from '#app/lib/compare-text.ts';
import { addDays, daysBetween } from '#app/lib/dates.ts';
import type { ReadableContent } from './faults.ts';
import { type ExtraWeeks, extraWeeksOf, movedBy } from './holidays.ts';
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

/**
 * The same content with every date moved by whole weeks (P13), and each session by its extra weeks besides. `asOf` stays:
 * it says where the move began. So do the days of exams and public holidays, which are real ones.
 */
export function moveDates(content: Content, weeks: number, extra: ExtraWeeks = new Map()): Content {
  return move(content, weeks, (session) => extraWeeksOf(extra, session) ?? 0);
}

/** The inverse of `moveDates` for the same weeks and extra weeks. */
export function moveDatesBack(content: Content, weeks: number, extra: ExtraWeeks = new Map()): Content {
  return move(content, -weeks, (session) => -(extraWeeksOf(extra, session) ?? 0));
}

type Session = Content['trainingSessions'][number];

function move(content: Content, weeks: number, extraOf: (session: Session) => number): Content {
  return {
    ...content,
    courses: content.courses.map((course) => ({ ...course, published: addDays(course.published, weeks * 7) })),
    // Sessions that move by different weeks may change their order.
    trainingSessions: content.trainingSessions
      .map((session) => movedBy(session, weeks + extraOf(session)))
      .sort((a, b) => compareText(a.startDate, b.startDate) || compareText(a.slug, b.slug)),
  };
}
