import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { usualAttendance } from '#app/lib/taught-hours.ts';

/**
 * The rule that completes a place (P61): a share of the minutes taught, in percent, or every exercise of guided study.
 */
export type CompletionRule = { by: 'attendance'; percent: number } | { by: 'exercises' };

/** The rules of a course as its page tells them (P61). */
export function completionSentence({ completion }: Pick<CourseDetails, 'completion'>, guided: boolean): string {
  const attended = `We issue your certificate when you have attended at least ${completion?.attendance ?? usualAttendance}% of the hours taught`;
  const dated = completion?.attendanceAlone ? `${attended}.` : `${attended} and the work described above is accepted.`;
  return guided
    ? `${dated} In guided study, the exercise at the end of every module has to be accepted instead of attending.`
    : dated;
}

/** A mark for one day of a course date (P59), with the minutes missed at its start and end. */
export type DayMark = { mark: 'present' | 'absent' | 'excused'; minutesLate: number; minutesLeftEarly: number };

/** Minutes of a day attended. An excused attendee was not there: the mark says why, and adds no minutes. */
export function minutesAttended({ mark, minutesLate, minutesLeftEarly }: DayMark, minutesTaught: number): number {
  return mark === 'present' ? Math.max(0, minutesTaught - minutesLate - minutesLeftEarly) : 0;
}

/** How much of a place is done: minutes or exercises, of all there are. */
export type Share = { done: number; of: number };

/** Whether the rule is met. */
export function isMet(rule: CompletionRule, { done, of }: Share): boolean {
  if (of === 0) return false;
  return rule.by === 'exercises' ? done >= of : done * 100 >= rule.percent * of;
}

/** The least minutes that meet a rule of attendance. */
export const minutesAsked = ({ of }: Share, percent: number): number => Math.ceil((of * percent) / 100);

/** Progress in whole percent: at most 99 until the certificate is issued (P43, P61). */
export function progressPercent({ done, of }: Share, finished: boolean): number {
  if (finished) return 100;
  return of === 0 ? 0 : Math.min(99, Math.floor((done * 100) / of));
}

/** XP that the progress is worth in all: rounded once, so that the entries of a place never drift from it (P62). */
export function xpEarned(courseXp: number, { done, of }: Share): number {
  if (of === 0) return 0;
  return done * 100 >= of * 99 ? Math.round((courseXp * 99) / 100) : Math.round((courseXp * done) / of);
}
