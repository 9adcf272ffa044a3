import type { CrossFault } from '#app/features/content/faults.ts';
import { holidayDuring } from '#app/features/content/holidays.ts';
import type { Content } from '#app/features/content/schema.ts';
import { minutesADay, taughtHours } from '#app/lib/taught-hours.ts';
import { numberFrom } from './numbers.ts';
import { proseOf } from './prose.ts';

/** A longer day needs a break. */
const minutesWithoutBreak = 6 * 60;

/**
 * Training sessions that teach more hours than their course has, have a long day without a break, or fall on a public
 * holiday of their place on the content's own calendar; and course texts that promise more live hours than the shortest
 * session of the course teaches.
 */
export function taughtHoursFaults(content: Content): CrossFault[] {
  return [...sessionFaults(content), ...promisedHours(content)];
}

function sessionFaults({ trainingSessions, courses, holidays }: Content): CrossFault[] {
  return trainingSessions.flatMap((session, at): CrossFault[] => {
    const fault = (field: string, message: string) => ({
      file: { name: 'trainingSessions' } as const,
      path: [at, field],
      message,
    });
    const faults: CrossFault[] = [];
    const courseHours = courses.find(({ slug }) => slug === session.course)?.hours ?? 0;
    const taught = taughtHours(session);
    if (taught > courseHours) {
      faults.push(fault('endTime', `${taught} hours are taught, more than the ${courseHours} of ${session.course}`));
    }
    if (minutesADay(session) > minutesWithoutBreak && session.breakMinutes === undefined) {
      faults.push(fault('endTime', 'a day of more than 6 hours needs "breakMinutes"'));
    }
    const holiday = holidayDuring(session, holidays);
    if (holiday) faults.push(fault('startDate', `${holiday.day} is ${holiday.name} there`));
    return faults;
  });
}

function promisedHours(content: Content): CrossFault[] {
  const shortest = new Map<string, number>();
  for (const session of content.trainingSessions) {
    shortest.set(
      session.course,
      Math.min(taughtHours(session), shortest.get(session.course) ?? Number.POSITIVE_INFINITY),
    );
  }
  return proseOf(content).flatMap(({ file, path, text }): CrossFault[] => {
    const course = 'course' in file ? content.courses[file.course] : undefined;
    const taught = course && shortest.get(course.slug);
    if (taught === undefined) return [];
    return liveHoursIn(text)
      .filter((hours) => hours > taught)
      .map((hours) => ({ file, path, message: `promises ${hours} hours live; a session teaches ${taught}` }));
  });
}

/** The numbers of hours in sentences that speak of live teaching: `Thirty hours are live teaching` gives 30. */
export function liveHoursIn(text: string): number[] {
  return text
    .split(/[.;]\s/)
    .filter((sentence) => /\b(?:live|taught|class|classroom|in the room|face to face)\b/i.test(sentence))
    .flatMap((sentence) => [
      ...sentence.matchAll(/\b([a-z]+(?:-[a-z]+)?|\d+(?:\.\d+)?)(?: of (?:the|these) [\w-]+)? hours?\b/gi),
    ])
    .flatMap(([, amount = '']) => numberFrom(amount) ?? []);
}
