import { businessDayUntil, queenslandHolidays } from '#app/lib/business-days.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import type { Content } from './schema.ts';

type Session = Content['trainingSessions'][number];
type Holidays = Content['holidays'];

/** The earliest start of a training session, undefined when there is none. */
export function firstSession(content: Partial<Pick<Content, 'trainingSessions'>>): Day | undefined {
  return content.trainingSessions?.map(({ startDate }) => startDate).sort()[0];
}

/** Weeks by which the first training session comes to start 7 to 13 days after `today`; 0 without sessions (P13). */
export function weeksToMove(content: Pick<Content, 'trainingSessions'>, today: Day): number {
  const first = firstSession(content);
  if (first === undefined) return 0;
  // The sum avoids -0.
  return 0 + Math.ceil((7 - daysBetween(today, first)) / 7);
}

/**
 * The content as it fills a database on `today`. What was written as of one day, `asOf`, moves by whole weeks (P13), and
 * sessions on past public holidays of their place; without that day nothing moves. The days of exams and public holidays
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
    trainingSessions: pastHolidays(
      content.trainingSessions.map((session) => movedBy(session, weeks)),
      content.holidays,
    ),
  };
}

/**
 * The sessions in the order of their starts, each moved on by whole weeks until none of its days is a public holiday of
 * its place. One that moves also skips weeks in which its instructor teaches another one.
 */
function pastHolidays(sessions: readonly Session[], holidays: Holidays): Session[] {
  const placed = sessions.toSorted(byStart);
  for (const [at, session] of placed.entries()) {
    const isTaken = (moved: Session) => placed.some((other, its) => its !== at && teachesOnOneDay(other, moved));
    let moved = session;
    while (holidayDuring(moved, holidays) || (moved !== session && isTaken(moved))) moved = movedBy(moved, 1);
    placed[at] = moved;
  }
  return placed.sort(byStart).map((session) => decidedInTime(session, holidays));
}

const byStart = (a: Session, b: Session) => compareText(a.startDate, b.startDate) || compareText(a.slug, b.slug);

/**
 * True when one instructor would teach both on one day, also at other hours: these dates are moved by
 * whole weeks, so hours decide nothing. `meet` of clashes.ts compares instants.
 */
function teachesOnOneDay(a: Session, b: Session): boolean {
  return a.instructor === b.instructor && a.startDate <= b.endDate && b.startDate <= a.endDate;
}

/** A decision falls on a business day of Queensland, where it is made. */
function decidedInTime(session: Session, holidays: Holidays): Session {
  const { decidedBy } = session;
  return decidedBy === undefined
    ? session
    : { ...session, decidedBy: businessDayUntil(decidedBy, queenslandHolidays(holidays)) };
}

function movedBy(session: Session, weeks: number): Session {
  const later = (day: Day) => addDays(day, weeks * 7);
  return {
    ...session,
    startDate: later(session.startDate),
    endDate: later(session.endDate),
    ...(session.decidedBy && { decidedBy: later(session.decidedBy) }),
    enrolmentEnds: later(session.enrolmentEnds),
  };
}

/** The state whose holidays a session keeps: that of its room; online sessions are taught from Brisbane (P14). */
const stateOf = {
  'Australia/Brisbane': 'QLD',
  'Australia/Sydney': 'NSW',
  'Australia/Melbourne': 'VIC',
} as const satisfies Record<Session['zone'], string>;

/** The first public holiday of its place among the days of a session, undefined when there is none. */
export function holidayDuring(
  { startDate, endDate, zone }: Pick<Session, 'startDate' | 'endDate' | 'zone'>,
  holidays: Holidays,
): { name: string; day: Day } | undefined {
  return holidays
    .filter(({ states }) => states.includes(stateOf[zone]))
    .flatMap(({ name, days }) => days.map((day) => ({ name, day })))
    .filter(({ day }) => startDate <= day && day <= endDate)
    .sort((a, b) => compareText(a.day, b.day))[0];
}
