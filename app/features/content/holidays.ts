import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import type { Content } from './schema.ts';

type Session = Pick<
  Content['trainingSessions'][number],
  'slug' | 'aliases' | 'startDate' | 'endDate' | 'zone' | 'instructor'
>;
type Holidays = Content['holidays'];

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

/** Weeks that single sessions are moved beyond all others, by slug; 0 where one is missing. */
export type ExtraWeeks = ReadonlyMap<string, number>;

/** The extra weeks of a session, known by its slug or a former one; undefined when it is not known. */
export function extraWeeksOf(extra: ExtraWeeks, { slug, aliases = [] }: Pick<Session, 'slug' | 'aliases'>) {
  return [slug, ...aliases].map((name) => extra.get(name)).find((weeks) => weeks !== undefined);
}

/**
 * The weeks that each session moves beyond the common `weeks`, so that none of its days is a public holiday of its
 * place. A session that moves also skips weeks in which its instructor teaches another one. Sessions that are `known`
 * from an earlier import keep their extra weeks: once on sale, only people move them. With the clock at asOf (`weeks`
 * is 0) nothing moves (P13).
 */
export function extraWeeksFor(
  { trainingSessions, holidays }: Pick<Content, 'trainingSessions' | 'holidays'>,
  weeks: number,
  known: ExtraWeeks,
): ExtraWeeks {
  const placed = trainingSessions.map((session) => {
    const given = extraWeeksOf(known, session);
    return { given: given !== undefined, extra: given ?? 0, session: movedBy(session, weeks + (given ?? 0)) };
  });
  const taken = (session: Session) =>
    placed.some((other) => other.session.slug !== session.slug && teachesOnOneDay(other.session, session));
  for (const one of placed.toSorted((a, b) => compareText(a.session.startDate, b.session.startDate))) {
    if (one.given || weeks === 0) continue;
    while (holidayDuring(one.session, holidays) || (one.extra > 0 && taken(one.session))) {
      one.extra++;
      one.session = movedBy(one.session, 1);
    }
  }
  return new Map(placed.map(({ extra, session }) => [session.slug, extra]));
}

/**
 * The extra weeks of sessions at their real dates, for their way back to the calendar of the files. Staff set dates by the
 * real calendar, and the same day of the files' year can be a public holiday: such a session goes back by further weeks, as
 * it would go on at an import.
 */
export function extraWeeksBack(
  { trainingSessions, holidays }: Pick<Content, 'trainingSessions' | 'holidays'>,
  weeks: number,
  known: ExtraWeeks,
): ExtraWeeks {
  const placed = trainingSessions.map((session) => {
    const extra = extraWeeksOf(known, session) ?? 0;
    return { extra, session: movedBy(session, -weeks - extra) };
  });
  for (const one of placed) {
    if (!holidayDuring(one.session, holidays)) continue;
    do {
      one.extra++;
      one.session = movedBy(one.session, -1);
    } while (
      holidayDuring(one.session, holidays) ||
      placed.some((other) => other !== one && teachesOnOneDay(other.session, one.session))
    );
  }
  return new Map(placed.map(({ extra, session }) => [session.slug, extra]));
}

/**
 * True when one instructor would teach both on one day, also at other hours: these dates are moved by
 * whole weeks, so hours decide nothing. `meet` of clashes.ts compares instants.
 */
function teachesOnOneDay(a: Session, b: Session): boolean {
  return a.instructor === b.instructor && a.startDate <= b.endDate && b.startDate <= a.endDate;
}

/** The same session, so many weeks later; earlier when negative. */
export function movedBy<T extends Partial<Record<(typeof movable)[number], Day>>>(session: T, weeks: number): T {
  const moved = { ...session };
  for (const field of movable) {
    const day: Day | undefined = session[field];
    if (day !== undefined) moved[field] = addDays(day, weeks * 7) as T[typeof field];
  }
  return moved;
}

const movable = ['startDate', 'endDate', 'decidedBy', 'enrolmentEnds'] as const;
