import { createHash } from 'node:crypto';
import type { Db, Trx } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { type Busy, type Clash, clashesOf } from './clashes.ts';
import { makeCourseDate, type NewCourseDate } from './commands.server.ts';
import { type FaultyTimes, faultsOf, hoursFaults } from './course-date-times.server.ts';
import { readHeldHours } from './held-hours.server.ts';
import { type HeldHour, hoursInTheWay } from './held-hours.ts';
import { hasDayIn } from './under-way.server.ts';

/**
 * A course date that is in the way of a planned one; its slug is null when it is planned as well. Or a live hour of guided
 * study, by its id, with the first day on which it is in the way.
 */
export type InTheWay = {
  slug: string | null;
  liveHour: number | null;
  title: string;
  startDate: Day;
  endDate: Day;
  clashes: Clash[];
};

/** A course date as it would be made. */
export type Proposal = {
  wish: NewCourseDate;
  title: string;
  /** Faults that keep it from being made. */
  faults: FaultyTimes['faults'];
  inTheWay: InTheWay[];
};

/** The public holidays of all states. */
export async function readPublicHolidays(db: Db): Promise<Content['holidays']> {
  return (await readDocuments(db, ['holidays'])).holidays;
}

export type PlannedCourseDate = Awaited<ReturnType<typeof readPlanned>>[number];

type Span = { from: Day; to: Day };

/** The course dates that are held on some of these days, by start; cancelled and retired ones are not. */
export async function readPlanned(db: Db, { from, to }: Span) {
  return (await heldCourseDates(db).where(hasDayIn(from, to)).execute()).map(plannedOf);
}

/** These of the course dates that are held, by start. */
export async function readPlannedOf(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return (await heldCourseDates(db).where('course_dates.id', 'in', ids).execute()).map(plannedOf);
}

export type BusyCourseDate = Busy & { id: number; instructorName: string };

/**
 * The same course dates as `readPlanned`, with nothing but what decides about clashes and rows of a calendar: a month can
 * have thousands.
 */
export async function readBusy(db: Db, { from, to }: Span): Promise<BusyCourseDate[]> {
  const rows = await db
    .selectFrom('course_dates')
    .leftJoin('instructors', 'instructors.slug', 'instructor_slug')
    .select(['course_dates.id', 'course_id', 'starts_on', 'ends_on', 'starts_at', 'ends_at', 'delivery'])
    .select(['venue', 'room', 'instructor_slug', 'instructors.name as instructor_name'])
    .where('course_dates.state', '<>', 'cancelled')
    .where(hasDayIn(from, to))
    .orderBy('starts_on')
    .orderBy('course_dates.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ...busyOf(row),
    instructorName: row.instructor_name ?? row.instructor_slug,
  }));
}

const heldCourseDates = (db: Db) =>
  db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .leftJoin('organisations', 'organisations.id', 'course_dates.organisation_id')
    .select(['course_dates.id', 'course_dates.slug', 'course_id', 'courses.title', 'starts_on', 'ends_on'])
    .select(['starts_at', 'ends_at', 'break_minutes', 'delivery', 'venue', 'room', 'street', 'state', 'zone'])
    .select(['course_dates.instructor_slug', 'instructors.name as instructor_name', 'capacity', 'minimum'])
    .select(['decided_by', 'confirmed_on', 'enrolment_ends_on', 'organisation_id', 'legal_name', 'trading_name'])
    .where('course_dates.state', '<>', 'cancelled')
    .orderBy('starts_on')
    .orderBy('course_dates.id');

type HeldRow = Awaited<ReturnType<ReturnType<typeof heldCourseDates>['execute']>>[number];

const plannedOf = (row: HeldRow) => ({
  ...busyOf(row),
  id: row.id,
  slug: row.slug,
  // Everything that draws or names it says for whom it is (P114).
  title: row.organisation_id === null ? row.title : `${row.title}, only for ${row.trading_name ?? row.legal_name}`,
  organisationId: row.organisation_id,
  breakMinutes: row.break_minutes,
  street: row.street,
  zone: row.zone,
  instructorName: row.instructor_name ?? row.instructor_slug,
  capacity: row.capacity,
  minimum: row.minimum,
  decidedBy: row.decided_by,
  confirmedOn: row.confirmed_on,
  enrolmentEnds: row.enrolment_ends_on,
  confirmed: row.state === 'confirmed',
});

type BusyRow = Pick<
  HeldRow,
  'course_id' | 'starts_on' | 'ends_on' | 'starts_at' | 'ends_at' | 'delivery' | 'venue' | 'room' | 'instructor_slug'
>;

const busyOf = (row: BusyRow): Busy => ({
  courseId: row.course_id,
  startDate: row.starts_on,
  endDate: row.ends_on,
  startTime: row.starts_at.slice(0, 5),
  endTime: row.ends_at.slice(0, 5),
  delivery: row.delivery,
  venue: row.venue,
  room: row.room,
  instructor: row.instructor_slug,
});

/** Checks course dates before they are made (P77): the faults and clashes of each. */
export async function proposeCourseDates(db: Db, wishes: readonly NewCourseDate[], today: Day): Promise<Proposal[]> {
  if (wishes.length === 0) return [];
  const around = await readAround(db, wishes);
  const courses = await db
    .selectFrom('courses')
    .select(['id', 'title', 'retired_at'])
    .where(
      'id',
      'in',
      wishes.map(({ courseId }) => courseId),
    )
    .execute();
  const courseOf = new Map(courses.map((course) => [course.id, course]));
  const proposals: Proposal[] = [];
  for (const wish of wishes) {
    const course = courseOf.get(wish.courseId);
    const faults = [...(await faultsOf(db, wish, today)), ...(await hoursFaults(db, wish.courseId, wish))];
    if (!course || course.retired_at) faults.push({ field: 'course', message: 'is not offered' });
    proposals.push({ wish, title: course?.title ?? '', faults, inTheWay: [] });
  }
  const busy = proposals.map(({ wish, title }) => ({ slug: null, title, ...asBusy(wish) }));
  proposals.forEach((proposal, at) => {
    const own = asBusy(proposal.wish);
    const rest = busy.filter((_, other) => other !== at);
    proposal.inTheWay = inTheWayOf(own, { ...around, planned: [...around.planned, ...rest] });
  });
  return proposals;
}

/** The clashes and holidays of the course date with a slug, if it had these times (P77). */
export async function readInTheWay(db: Db, own: Busy, slug: string): Promise<InTheWay[]> {
  const { planned, hours } = await readAround(db, [own]);
  return inTheWayOf(own, { planned: planned.filter((other) => other.slug !== slug), hours });
}

/** The clashes and holidays of a course date with its stored times (P77). */
export async function readInTheWayOf(db: Db, slug: string): Promise<InTheWay[]> {
  const row = await db
    .selectFrom('course_dates')
    .select([
      'course_id',
      'starts_on',
      'ends_on',
      'starts_at',
      'ends_at',
      'delivery',
      'venue',
      'room',
      'instructor_slug',
    ])
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  return readInTheWay(db, busyOf(row), slug);
}

/** The course dates and live hours of these days. A day more on both sides: an instant of one zone is another day in another. */
async function readAround(db: Db, wishes: readonly Pick<Busy, 'startDate' | 'endDate'>[]) {
  const days = wishes.flatMap(({ startDate, endDate }) => [startDate, endDate]).toSorted();
  const span = { from: addDays(days[0] ?? '', -1), to: addDays(days.at(-1) ?? '', 1) };
  return { planned: await readPlanned(db, span), hours: await readHeldHours(db, span) };
}

type Around = {
  planned: readonly (Busy & { slug: string | null; title: string })[];
  hours: readonly HeldHour[];
};

function inTheWayOf(own: Busy, { planned, hours }: Around): InTheWay[] {
  const courseDates = planned.flatMap(({ slug, title, ...other }): InTheWay[] => {
    const clashes = clashesOf(own, other);
    const { startDate, endDate } = other;
    return clashes.length === 0 ? [] : [{ slug, liveHour: null, title, startDate, endDate, clashes }];
  });
  const byHour = Map.groupBy(hoursInTheWay(own, hours), ({ id }) => id);
  const live = [...byHour.values()].flatMap(([first]): InTheWay[] => (first ? [inTheWayAs(first)] : []));
  return [...courseDates, ...live];
}

/** A live hour as something in the way. */
export const inTheWayAs = ({ id, title, day }: HeldHour): InTheWay => ({
  ...{ slug: null, liveHour: id, title, startDate: day, endDate: day },
  clashes: ['instructor'],
});

/** A new course date as what keeps its instructor and room busy. */
const asBusy = (wish: NewCourseDate): Busy => ({ ...wish, room: wish.joiningDetails?.room ?? null });

/** A hash of what a page shows; it changes when anything in it does. */
export function nameOfShown(shown: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16);
}

/** Makes all of these course dates; at the first that cannot be made it stops, and the caller undoes the rest. */
export async function makeCourseDates(
  trx: Trx,
  wishes: readonly NewCourseDate[],
  by: Parameters<typeof makeCourseDate>[2],
): Promise<{ ok: true; slugs: string[] } | (FaultyTimes & { at: number })> {
  requirePermission(by.actor, 'course-dates:change');
  const slugs: string[] = [];
  for (const [at, wish] of wishes.entries()) {
    const made = await makeCourseDate(trx, wish, by);
    if (!made.ok) return { ...made, at };
    slugs.push(made.slug);
  }
  return { ok: true, slugs };
}
