import { takesEnrolments } from '#app/features/course-dates/rules.ts';
import type { Product } from '#app/features/money/price-ledger.server.ts';
import { businessDaysAfter } from '#app/lib/business-days.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';
import type { CourseChoice } from './order.ts';

/** Guided study starts within twelve weeks (P38). */
const guidedWithinDays = 84;
/** The business days between placing guided study and its Monday, at least. */
const businessDaysAhead = 3;

/** Why a course cannot be taken in the way that was chosen. */
export type Unplaceable =
  | { ok: false; reason: 'course-date-full'; courseId: number; courseDateId: number; left: number }
  | { ok: false; reason: 'course-date-closed' | 'course-date-cancelled'; courseId: number; courseDateId: number }
  /** Fewer seats than the minimum of a private date (P114). */
  | { ok: false; reason: 'below-minimum'; courseId: number; courseDateId: number; minimum: number }
  | { ok: false; reason: 'not-guided' | 'no-such-monday'; courseId: number };

/** A locked course date. */
type Bookable = {
  courseId: number;
  organisationId: number | null;
  state: CourseDateState;
  left: number;
  sold: number;
  minimum: number;
  startsOn: Day;
  enrolmentEndsOn: Day;
};

type Standing = {
  courseDates: ReadonlyMap<number, Bookable>;
  /** Seats that the person's own holds keep, by course date. */
  held: ReadonlyMap<number, number>;
  seats: number;
  /** Who buys (P110); null for no organisation. */
  organisationId: number | null;
  today: Day;
};

/**
 * The first choice that cannot be placed, or null. A course date of another course counts as closed, as a retired one does,
 * and one that is held for another organisation (P114).
 */
export function unplaceable(
  choices: readonly CourseChoice[],
  product: Product,
  { courseDates, held, seats, organisationId, today }: Standing,
): Unplaceable | null {
  for (const choice of choices) {
    const { courseId } = choice;
    if (choice.way === 'date') {
      const { courseDateId } = choice;
      const refused = unbookable(courseDates.get(courseDateId), { courseId, organisationId, today });
      if (refused) return { ok: false, reason: refused, courseId, courseDateId };
      const minimum = minimumAhead(courseDates.get(courseDateId));
      if (seats < minimum) return { ok: false, reason: 'below-minimum', courseId, courseDateId, minimum };
      const left = (courseDates.get(courseDateId)?.left ?? 0) + (held.get(courseDateId) ?? 0);
      if (left < seats) return { ok: false, reason: 'course-date-full', courseId, courseDateId, left };
    }
    if (choice.way === 'guided') {
      const course = product.courses.find(({ id }) => id === courseId);
      if (!course?.guided || course.jobGuarantee) return { ok: false, reason: 'not-guided', courseId };
      if (!isGuidedStart(choice.from, today, product.holidays))
        return { ok: false, reason: 'no-such-monday', courseId };
    }
  }
  return null;
}

/**
 * How many seats the next buyer of a date takes at least: of a private one (P114) that has nobody yet its minimum, which its
 * organisation pays for; otherwise none.
 */
export const minimumAhead = (courseDate: Pick<Bookable, 'organisationId' | 'sold' | 'minimum'> | undefined): number =>
  courseDate && courseDate.organisationId !== null && courseDate.sold === 0 ? courseDate.minimum : 0;

/** Whether a seat could be sold in a course date, apart from whether one is left (P39). */
export function unbookable(
  courseDate: Bookable | undefined,
  { courseId, organisationId, today }: { courseId: number; organisationId: number | null; today: Day },
): 'course-date-closed' | 'course-date-cancelled' | null {
  if (!courseDate || courseDate.courseId !== courseId) return 'course-date-closed';
  if (courseDate.organisationId !== null && courseDate.organisationId !== organisationId) return 'course-date-closed';
  if (courseDate.state === 'cancelled') return 'course-date-cancelled';
  const { state, startsOn: startDate, enrolmentEndsOn: enrolmentEnds } = courseDate;
  return takesEnrolments({ state, startDate, enrolmentEnds }, today) ? null : 'course-date-closed';
}

/**
 * Whether guided study that is placed today can start on a day: a Monday within twelve weeks (P38) that leaves three
 * business days, today and the Monday itself not counted. Placed on a Tuesday of an ordinary week it can start on the
 * next Monday, placed from Wednesday to Sunday a week later.
 */
export function isGuidedStart(day: Day, today: Day, holidays: ReadonlySet<Day>): boolean {
  return isStartAfter(businessDaysAfter(today, businessDaysAhead, holidays), day, today);
}

const isStartAfter = (early: Day, day: Day, today: Day): boolean =>
  day > early && day <= addDays(today, guidedWithinDays) && isMonday(day);

const isMonday = (day: Day): boolean => mondayOf(day) === day;

/** The Mondays on which guided study that is placed today can start, the first one first. */
export function guidedStarts(today: Day, holidays: ReadonlySet<Day>): Day[] {
  const early = businessDaysAfter(today, businessDaysAhead, holidays);
  const days = Array.from({ length: guidedWithinDays }, (_, ahead) => addDays(today, ahead + 1));
  return days.filter((day) => day > early && isMonday(day));
}
