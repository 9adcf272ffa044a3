import type { Db } from '#app/db/client.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { hoursAndMinutes } from '#app/lib/hours.ts';
import { type CompletionRule, isMet, minutesAsked } from './rules.ts';
import { readStudy, type Study } from './study.server.ts';
import type { AskedWork } from './work.server.ts';

/**
 * The facts about a place that a certificate may state. Minutes of guided study are the hours of the course by the
 * share of its exercises.
 */
type Facts = {
  minutesTaught: number;
  minutesAttended: number;
  exercises: number;
  exercisesAccepted: number;
  instructor: string | null;
};

/**
 * Whether the rule of a place is met (P61), with what met it, or in sentences what is missing. Work that the course
 * asks for besides is not counted: where it was not accepted yet, the person who issues the certificate confirms it.
 */
export type Completion = {
  rule: CompletionRule;
  work: AskedWork | null;
  missing: string[];
} & (
  | { met: true; facts: Facts & { firstDay: Day; lastDay: Day } }
  | { met: false; facts: Facts & { firstDay: Day | null; lastDay: Day | null } }
);

/**
 * Whether a place is completed by its own rule, on the academy's day; a course date not before its last day. Money
 * that is owed is no reason (P64). Throws when there is no such place. Lock the place first to rely on it.
 */
export async function completionOf(db: Db, placeId: number, { today }: { today: Day }): Promise<Completion> {
  const study = await readStudy(db, placeId);
  const { rule, work, firstDay, lastDay } = study;
  const facts = {
    minutesTaught: study.minutesTaught,
    minutesAttended: study.minutesAttended,
    exercises: study.modules.length,
    exercisesAccepted: study.modules.filter(({ mark }) => mark?.accepted).length,
    instructor: study.instructor,
  };
  const missing = whatIsMissing(study, today);
  if (missing.length === 0 && firstDay !== null && lastDay !== null) {
    return { met: true, rule, work, missing, facts: { ...facts, firstDay, lastDay } };
  }
  return { met: false, rule, work, missing, facts: { ...facts, firstDay, lastDay } };
}

function whatIsMissing({ state, way, rule, share, days, modules, lastDay }: Study, today: Day): string[] {
  if (state === 'cancelled') return ['The place was cancelled.'];
  if (way === 'next-date') return ['No date is chosen yet.'];
  const missing: string[] = [];
  if (way === 'date' && lastDay !== null && today < lastDay) missing.push(`The last day is ${formatDay(lastDay)}.`);
  if (isMet(rule, share)) return missing;
  if (rule.by === 'attendance') {
    const unmarked = days.filter(({ mark }) => mark === null).length;
    missing.push(
      `Attended ${hoursAndMinutes(share.done)} of ${hoursAndMinutes(share.of)}; ${rule.percent}% is ${hoursAndMinutes(minutesAsked(share, rule.percent))}.`,
    );
    if (unmarked > 0) missing.push(`${unmarked === 1 ? '1 day is' : `${unmarked} days are`} not marked.`);
  } else {
    const open = modules.filter(({ mark }) => !mark?.accepted).map(({ number }) => number);
    missing.push(
      open.length === 1
        ? `The exercise of module ${open[0]} is not accepted.`
        : `The exercises of modules ${open.slice(0, -1).join(', ')} and ${open.at(-1)} are not accepted.`,
    );
  }
  return missing;
}
