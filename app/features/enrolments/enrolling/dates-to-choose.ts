import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { keptText } from '#app/features/course-dates/kept-seats.ts';
import { ownTimesOf } from '#app/features/course-dates/own-times.ts';
import { decisionText, formatCourseDateTime, takesEnrolments } from '#app/features/course-dates/rules.ts';
import { shownDate } from '#app/features/enrolments/words.ts';
import { type Day, daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import type { DateToChoose } from './choice.ts';

/** The dates of a course that take enrolments on a day (P39). `own` are the seats of each course date this visitor holds already. */
export function datesOf(
  courseDates: readonly CourseDate[],
  courseSlug: string,
  today: Day,
  own: ReadonlyMap<number, number> = new Map(),
): DateToChoose[] {
  const open = courseDates
    .filter(({ course }) => course.slug === courseSlug)
    .filter((one) => takesEnrolments(one, today));
  return open.map((courseDate) => {
    const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
    return {
      slug: courseDate.slug,
      courseDateId: courseDate.id,
      days: formatDays(courseDate.startDate, courseDate.endDate),
      place: deliveryText(courseDate),
      times: `${formatCourseDateTime(courseDate)}${count > 1 ? `, ${count}\u00a0days` : ''}`,
      ownTimes: ownTimesOf(courseDate),
      shown: shownDate({
        ...courseDate,
        startsOn: courseDate.startDate,
        endsOn: courseDate.endDate,
        startsAt: courseDate.startTime,
        endsAt: courseDate.endTime,
      }),
      decision: decisionText(courseDate, today),
      firstDay: courseDate.startDate,
      state: courseDate.state,
      missing: courseDate.state === 'tentative' ? Math.max(0, courseDate.minimum - courseDate.seatsSold) : 0,
      seats: courseDate.seatsAvailable + (own.get(courseDate.id) ?? 0),
      kept: keptText(courseDate.kept, own.get(courseDate.id)),
    };
  });
}
