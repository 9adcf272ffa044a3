import { businessDayUntil, queenslandHolidays } from '#app/lib/business-days.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import type { Content } from './schema.ts';

type CourseDate = Content['courseDates'][number];
type Holidays = Content['holidays'];

/** The earliest start of a course date, undefined when there is none. */
export function firstCourseDate(content: Partial<Pick<Content, 'courseDates'>>): Day | undefined {
  return content.courseDates?.map(({ startDate }) => startDate).sort()[0];
}

/** Weeks by which the first course date comes to start 7 to 13 days after `today`; 0 without course dates (P13). */
export function weeksToMove(content: Pick<Content, 'courseDates'>, today: Day): number {
  const first = firstCourseDate(content);
  if (first === undefined) return 0;
  // The sum avoids -0.
  return 0 + Math.ceil((7 - daysBetween(today, first)) / 7);
}

/**
 * The content as it fills a database on `today`. What was written as of one day, `asOf`, moves by whole weeks (P13), and
 * course dates on past public holidays of their place; without that day nothing moves. The days of exams and public holidays
 * are real ones and stay.
 */
export function moveDates(content: Content, today: Day): Content {
  const { asOf, ...site } = content.site;
  const weeks = asOf === undefined ? 0 : weeksToMove(content, today);
  if (weeks === 0) return { ...content, site };
  return {
    ...content,
    site,
    courses: content.courses.map((course) => ({ ...course, published: addDays(course.published, weeks * 7) })),
    courseDates: pastHolidays(
      content.courseDates.map((courseDate) => movedBy(courseDate, weeks)),
      content.holidays,
    ),
  };
}

/**
 * The course dates in the order of their starts, each moved on by whole weeks until none of its days is a public holiday of
 * its place. One that moves also skips weeks in which its instructor teaches another one.
 */
function pastHolidays(courseDates: readonly CourseDate[], holidays: Holidays): CourseDate[] {
  const placed = courseDates.toSorted(byStart);
  for (const [at, courseDate] of placed.entries()) {
    const isTaken = (moved: CourseDate) => placed.some((other, its) => its !== at && teachesOnOneDay(other, moved));
    let moved = courseDate;
    while (holidayDuring(moved, holidays) || (moved !== courseDate && isTaken(moved))) moved = movedBy(moved, 1);
    placed[at] = moved;
  }
  return placed.sort(byStart).map((courseDate) => decidedInTime(courseDate, holidays));
}

const byStart = (a: CourseDate, b: CourseDate) => compareText(a.startDate, b.startDate) || compareText(a.slug, b.slug);

/**
 * True when one instructor would teach both on one day, also at other hours: these dates are moved by
 * whole weeks, so hours decide nothing. `meet` of clashes.ts compares instants.
 */
function teachesOnOneDay(a: CourseDate, b: CourseDate): boolean {
  return a.instructor === b.instructor && a.startDate <= b.endDate && b.startDate <= a.endDate;
}

/** A decision falls on a business day of Queensland, where it is made. */
function decidedInTime(courseDate: CourseDate, holidays: Holidays): CourseDate {
  const { decidedBy } = courseDate;
  return decidedBy === undefined
    ? courseDate
    : { ...courseDate, decidedBy: businessDayUntil(decidedBy, queenslandHolidays(holidays)) };
}

function movedBy(courseDate: CourseDate, weeks: number): CourseDate {
  const later = (day: Day) => addDays(day, weeks * 7);
  return {
    ...courseDate,
    startDate: later(courseDate.startDate),
    endDate: later(courseDate.endDate),
    ...(courseDate.decidedBy && { decidedBy: later(courseDate.decidedBy) }),
    enrolmentEnds: later(courseDate.enrolmentEnds),
  };
}

/** The state whose holidays a course date keeps: that of its room; online course dates are taught from Brisbane (P14). */
const stateOf = {
  'Australia/Brisbane': 'QLD',
  'Australia/Sydney': 'NSW',
  'Australia/Melbourne': 'VIC',
} as const satisfies Record<CourseDate['zone'], string>;

/** The first public holiday of its place among the days of a course date, undefined when there is none. */
export function holidayDuring(
  { startDate, endDate, zone }: Pick<CourseDate, 'startDate' | 'endDate' | 'zone'>,
  holidays: Holidays,
): { name: string; day: Day } | undefined {
  return holidays
    .filter(({ states }) => states.includes(stateOf[zone]))
    .flatMap(({ name, days }) => days.map((day) => ({ name, day })))
    .filter(({ day }) => startDate <= day && day <= endDate)
    .sort((a, b) => compareText(a.day, b.day))[0];
}
