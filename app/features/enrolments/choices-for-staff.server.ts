import type { Db } from '#app/db/client.server.ts';
import { freeSeats } from '#app/features/course-dates/rules.ts';
import { dueOn } from '#app/features/money/invoice-rules.ts';
import { readHolidays } from '#app/features/money/invoices.server.ts';
import { type Product, readProduct } from '#app/features/money/price-ledger.server.ts';
import type { Study } from '#app/features/money/refund.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { openCourseDatesOf } from './course-dates-for-staff.server.ts';
import { guidedStarts } from './placeable.ts';
import { shownDate } from './words.ts';

/** The instructors and courses to choose from for a course date or live hour, by name. */
export async function readTeachable(db: Db, actor: StaffActor) {
  requirePermission(actor, 'course-dates:change');
  const instructors = await db
    .selectFrom('instructors')
    .select(['slug', 'name'])
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute();
  return { instructors, courses: await titledCourses(db).execute() };
}

/** The courses by which enrolments are filtered, by title. */
export async function readCourseTitles(db: Db, actor: StaffActor) {
  requirePermission(actor, 'enrolments:read');
  return titledCourses(db).execute();
}

const titledCourses = (db: Db) =>
  db.selectFrom('courses').select(['slug', 'title']).where('retired_at', 'is', null).orderBy('title');

/** The courses that can be studied in one's own time (P38), by title. */
export async function readGuidedCourses(db: Db, actor: StaffActor) {
  requirePermission(actor, 'course-dates:change');
  return titledCourses(db).where('guided', '=', true).execute();
}

/** Everything that can be bought: `course:` or `combo:` with its slug, and its title. */
export async function readSaleable(db: Db, actor: StaffActor) {
  requirePermission(actor, 'enrolments:change');
  const courses = await titledCourses(db).execute();
  const combos = await db
    .selectFrom('combos')
    .select(['slug', 'title'])
    .where('retired_at', 'is', null)
    .orderBy('title')
    .execute();
  return {
    courses: courses.map(({ slug, title }) => ({ item: `course:${slug}`, title })),
    combos: combos.map(({ slug, title }) => ({ item: `combo:${slug}`, title })),
  };
}

/** A course or combo as it is on offer now; null when it is not. */
export async function findProduct(db: Db, actor: StaffActor, item: string, now: Date): Promise<Product | null> {
  requirePermission(actor, 'enrolments:change');
  const [kind, slug = ''] = item.split(':');
  if (kind === 'course') {
    const course = await db.selectFrom('courses').select('id').where('slug', '=', slug).executeTakeFirst();
    return course ? readProduct(db, { comboId: null, courseIds: [course.id] }, now) : null;
  }
  const courses = await db
    .selectFrom('combos')
    .innerJoin('combo_courses', 'combo_id', 'combos.id')
    .select(['combos.id', 'course_id'])
    .where('slug', '=', slug)
    .execute();
  const [first] = courses;
  return first
    ? readProduct(db, { comboId: first.id, courseIds: courses.map(({ course_id }) => course_id) }, now)
    : null;
}

/** One of the ways in which a course can be taken now. */
export type WayToEnrol = {
  /** The value of its field, and its words. */
  value: string;
  text: string;
  /** What the form sends back of it, so that nobody is enrolled on a date that was not read to them (P31). */
  shown: string;
  /** What a refund of it depends on. */
  study: Study;
};

/** The ways in which a course can be taken now (P38). `modules`: how many the course has. */
export async function waysOf(
  db: Db,
  actor: StaffActor,
  course: Pick<Product['courses'][number], 'id' | 'guided' | 'jobGuarantee'>,
  { holidays, modules }: Pick<Product, 'holidays'> & { modules: number },
  today: Day,
): Promise<WayToEnrol[]> {
  const courseDates = await openCourseDatesOf(db, actor, course.id, today);
  const mondays = course.guided && !course.jobGuarantee ? guidedStarts(today, holidays) : [];
  return [
    ...courseDates.map((courseDate) => {
      const { id, days, where, left, reserved, held, sold, minimum, startDate, endDate, state, onlyFor } = courseDate;
      const least = onlyFor && sold === 0 && minimum > 1 ? `, ${minimum} people or more` : '';
      return {
        value: `course-date:${id}`,
        text: `${days}, ${where}, ${freeSeats({ left, reserved })}${held > 0 ? `, ${held} held` : ''}${onlyFor ? `, only for ${onlyFor.name}${least}` : ''}`,
        shown: shownDate({ ...courseDate, startsOn: startDate, endsOn: endDate }),
        study: { way: 'date', firstDay: startDate, state } as const,
      };
    }),
    ...mondays.map((day) => ({
      value: `guided:${day}`,
      text: `Guided, from ${formatDay(day)}`,
      shown: day,
      study: { way: 'guided', from: day, modules, modulesOpened: 0 } as const,
    })),
    {
      value: 'next-date',
      text: 'On its next date; we invoice it then',
      shown: 'next-date',
      study: { way: 'next-date' } as const,
    },
  ];
}

/** By when an invoice of today for a way is to be paid (P39); null for one that is invoiced or due later. */
export async function readDueDays(db: Db, actor: StaffActor, today: Day): Promise<(study: Study) => Day | null> {
  requirePermission(actor, 'enrolments:change');
  const holidays = await readHolidays(db);
  return (study) => {
    if (study.way === 'guided') return dueOn(today, study.from, holidays);
    return study.way === 'date' && study.state !== 'tentative' ? dueOn(today, study.firstDay, holidays) : null;
  };
}

/** Open holds for quotes in course dates of some courses. */
export async function readQuotes(db: Db, actor: StaffActor, courseIds: readonly number[]) {
  requirePermission(actor, 'enrolments:change');
  return db
    .selectFrom('seat_holds')
    .innerJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['seat_holds.id', 'seats', 'label', 'starts_on'])
    .where('purpose', '=', 'quote')
    .where('ended_at', 'is', null)
    .where('course_id', 'in', [0, ...courseIds])
    .orderBy('seat_holds.id')
    .execute();
}
