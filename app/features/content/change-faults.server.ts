import type { Db } from '#app/db/client.server.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { moveDatesBack } from './calendar.ts';
import type { ExtraWeeks } from './holidays.ts';
import type { Plan } from './plan.ts';
import { promotionFaults } from './promotion-faults.server.ts';
import { crossFaults } from './rules.ts';
import type { Content } from './schema.ts';

/** Content as a plan would leave it, dates as stored. */
type Planned = { plan: Plan; content: Content; shiftWeeks: number; extra: ExtraWeeks; at: { now: Date; today: Day } };

/**
 * The faults that the content would have after a plan, in words: within itself, and with the training sessions to come.
 */
export async function faultsOfChange(trx: Db, { plan, content, shiftWeeks, extra, at }: Planned): Promise<string[]> {
  const { now, today } = at;
  const files = content.courses.map(({ slug }) => `courses/${slug}.yaml`);
  const faults = crossFaults(moveDatesBack(content, shiftWeeks, extra), files, []).map(({ file, path, message }) => {
    const name = 'name' in file ? file.name : `course ${content.courses[file.course]?.slug}`;
    return `${name} ${path.join('.')}: ${message}`;
  });
  return [
    ...faults,
    ...movedPromotion(plan),
    ...(await promotionFaults(trx, { plan, content, now })),
    ...(await takenAddresses(trx, plan)),
    ...(await neededBySessions(trx, plan, today)),
    ...(await neededByLiveHours(trx, plan, today)),
    ...(await neededByBuyers(trx, plan)),
  ];
}

/**
 * New addresses that another record has, or had: a draft that was never published, or a record that was retired. No
 * visitor sees those, so nothing else in the content contradicts them.
 */
async function takenAddresses(trx: Db, { renamed }: Plan): Promise<string[]> {
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
function movedPromotion({ changed }: Plan): string[] {
  const moved = changed.some(({ kind, fields }) => kind === 'promotion' && fields.includes('lasts'));
  return moved ? ['promotion lasts: cannot change: the end of a promotion is never moved (P47)'] : [];
}

const keysOf = (retired: Plan['retired'], wanted: 'course' | 'instructor'): string[] =>
  retired.filter(({ kind }) => kind === wanted).map(({ key }) => key);

/** Courses and instructors that a plan retires although live hours of theirs are still to be held (P60). */
async function neededByLiveHours(trx: Db, { retired }: Plan, today: Day): Promise<string[]> {
  const [courses, instructors] = [keysOf(retired, 'course'), keysOf(retired, 'instructor')];
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

/** Courses and instructors that a plan retires although a training session of theirs is still to be held. */
async function neededBySessions(trx: Db, { retired }: Plan, today: Day): Promise<string[]> {
  const [courses, instructors] = [keysOf(retired, 'course'), keysOf(retired, 'instructor')];
  if (courses.length + instructors.length === 0) return [];
  const sessions = await trx
    .selectFrom('training_sessions')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select([
      'title',
      'starts_on',
      'ends_on',
      'courses.slug as course',
      'training_sessions.instructor_slug as instructor',
    ])
    .where('training_sessions.retired_at', 'is', null)
    .where('state', '<>', 'cancelled')
    .where('ends_on', '>=', today)
    .where(({ or, eb }) =>
      or([
        ...(courses.length > 0 ? [eb('courses.slug', 'in', courses)] : []),
        ...(instructors.length > 0 ? [eb('training_sessions.instructor_slug', 'in', instructors)] : []),
      ]),
    )
    .orderBy('starts_on')
    .orderBy('training_sessions.slug')
    .execute();
  return sessions.map(({ title, starts_on, ends_on, course, instructor }) => {
    const what = courses.includes(course) ? `course ${course}` : `instructor ${instructor}`;
    return `${what}: ${title}, ${formatDays(starts_on, ends_on)}, is still to be held; staff must cancel this course date or change it first`;
  });
}

/**
 * Courses that a plan retires although places of them were bought that wait for their next date: nobody would tell
 * their buyers (P38).
 */
async function neededByBuyers(trx: Db, { retired }: Plan): Promise<string[]> {
  const courses = keysOf(retired, 'course');
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
