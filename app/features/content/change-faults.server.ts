import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#app/db/client.server.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { promotionFaults } from './promotion.server.ts';
import { type RecordChange, type RecordedContent, renamedBy } from './records.ts';
import { crossFaults } from './rules.ts';

/**
 * The faults that the content would have after changes, in words: within itself, and with the course dates to come.
 * `content` is the whole content afterwards.
 */
export async function faultsOfChange(
  trx: Db,
  { changes, content }: { changes: readonly RecordChange[]; content: RecordedContent },
  { now, today }: { now: Date; today: Day },
): Promise<string[]> {
  const faults = faultsWithin(content).map(({ file, path, message }) => {
    const name = 'name' in file ? file.name : `course ${content.courses[file.course]?.slug}`;
    return `${name} ${path.join('.')}: ${message}`;
  });
  const retired = retiredBy(changes);
  return [
    ...faults,
    ...movedPromotion(changes),
    ...(await promotionFaults(trx, { changes, content, now })),
    ...(await takenAddresses(trx, changes)),
    ...(await neededByCourseDates(trx, retired, today)),
    ...(await neededByLiveHours(trx, retired, today)),
    ...(await neededByBuyers(trx, retired)),
  ];
}

/** The faults of the content within itself. */
export const faultsWithin = (content: RecordedContent) =>
  crossFaults(
    content,
    content.courses.map(({ slug }) => `courses/${slug}.yaml`),
    [],
  );

/** The courses and instructors that changes retire. */
type Retired = { courses: string[]; instructors: string[] };

function retiredBy(changes: readonly RecordChange[]): Retired {
  const keysOf = (wanted: 'course' | 'instructor') =>
    changes.filter(({ kind, now }) => kind === wanted && now === null).map(({ key }) => key);
  return { courses: keysOf('course'), instructors: keysOf('instructor') };
}

/**
 * New addresses that another record has, or had: a draft that was never published, or a record that was retired. No
 * visitor sees those, so nothing else in the content contradicts them.
 */
async function takenAddresses(trx: Db, changes: readonly RecordChange[]): Promise<string[]> {
  const renamed = renamedBy(changes);
  if (renamed.length === 0) return [];
  const rows = await trx
    .selectFrom('content_records')
    .select(['kind', 'key'])
    .where(
      'key',
      'in',
      renamed.map(({ to }) => to),
    )
    .execute();
  return renamed
    .filter(({ kind, to }) => rows.some((row) => row.kind === kind && row.key === to))
    .filter(({ kind, to }) => !renamed.some((other) => other.kind === kind && other.key === to))
    .map(({ kind, key, to }) => `${kind} ${key}: cannot become ${to}: a draft or a retired ${kind} has this address`);
}

/** The end of a promotion is never moved, neither on nor back (P47): buyers were told when it ends. */
function movedPromotion(changes: readonly RecordChange[]): string[] {
  const moved = changes.some(
    ({ kind, was, now }) => kind === 'promotion' && was && now && !isDeepStrictEqual(was.lasts, now.lasts),
  );
  return moved ? ['promotion lasts: cannot change: the end of a promotion is never moved (P47)'] : [];
}

/** Retired courses and instructors of whom live hours are still to be held (P60). */
async function neededByLiveHours(trx: Db, { courses, instructors }: Retired, today: Day): Promise<string[]> {
  if (courses.length + instructors.length === 0) return [];
  const hours = await trx
    .selectFrom('live_hours')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['title', 'last_on', 'courses.slug as course', 'live_hours.instructor_slug as instructor'])
    .where('last_on', '>=', today)
    .where(({ or, eb }) => or([eb('ended_from', 'is', null), eb('ended_from', '>', today)]))
    .where(({ or, eb }) =>
      or([eb('courses.slug', 'in', ['', ...courses]), eb('live_hours.instructor_slug', 'in', ['', ...instructors])]),
    )
    .orderBy('live_hours.id')
    .execute();
  return hours.map(({ title, last_on, course, instructor }) => {
    const what = courses.includes(course) ? `course ${course}` : `instructor ${instructor}`;
    return `${what}: a live hour of ${title} is planned until ${formatDay(last_on)}; staff must end it or give it to somebody else first`;
  });
}

/** Retired courses and instructors of whom a course date is still to be held. */
async function neededByCourseDates(trx: Db, { courses, instructors }: Retired, today: Day): Promise<string[]> {
  if (courses.length + instructors.length === 0) return [];
  const courseDates = await trx
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['title', 'starts_on', 'ends_on', 'courses.slug as course', 'course_dates.instructor_slug as instructor'])
    .where('state', '<>', 'cancelled')
    .where('ends_on', '>=', today)
    .where(({ or, eb }) =>
      or([
        ...(courses.length > 0 ? [eb('courses.slug', 'in', courses)] : []),
        ...(instructors.length > 0 ? [eb('course_dates.instructor_slug', 'in', instructors)] : []),
      ]),
    )
    .orderBy('starts_on')
    .orderBy('course_dates.slug')
    .execute();
  return courseDates.map(({ title, starts_on, ends_on, course, instructor }) => {
    const what = courses.includes(course) ? `course ${course}` : `instructor ${instructor}`;
    return `${what}: ${title}, ${formatDays(starts_on, ends_on)}, is still to be held; staff must cancel this course date or change it first`;
  });
}

/** Retired courses of which bought places wait for their next date: nobody would tell their buyers (P38). */
async function neededByBuyers(trx: Db, { courses }: Retired): Promise<string[]> {
  if (courses.length === 0) return [];
  const waiting = await trx
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(({ fn }) => ['slug', fn.countAll<number>().as('count')])
    .where('way', '=', 'next-date')
    .where('places.state', '=', 'active')
    .where('slug', 'in', courses)
    .groupBy('slug')
    .orderBy('slug')
    .execute();
  return waiting.map(
    ({ slug, count }) =>
      `course ${slug}: bought places wait for its next date (${count}); staff must give them one or cancel them first`,
  );
}
