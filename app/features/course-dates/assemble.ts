import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { KeptSeats } from '#app/features/course-dates/kept-seats.ts';
import type { CalendarRecord, CourseDate } from './course-date.ts';
import type { CourseDateRow, SeatsRow } from './queries.server.ts';

export type CourseDates = {
  /** Ordered by start. */
  courseDates: readonly CourseDate[];
  /** Former slug of a course date to its slug now (P3). */
  courseDateAliases: ReadonlyMap<string, string>;
  /** By the id of the course date. */
  calendarRecords: ReadonlyMap<number, CalendarRecord>;
};

/** Course dates of courses that are offered. */
export function assembleCourseDates(
  rows: readonly CourseDateRow[],
  seats: ReadonlyMap<number, SeatsRow>,
  { byId, instructors }: Catalogue,
  kept: ReadonlyMap<number, KeptSeats>,
): CourseDates {
  return {
    courseDates: rows.flatMap(
      ({ courseId, instructorSlug, aliases: _, calendarId: __, madeAt: ___, ...row }): CourseDate[] => {
        const course = byId.get(courseId)?.card;
        const taken = seats.get(row.id);
        if (!course || !taken) return [];
        const instructor = instructors.get(instructorSlug)?.name ?? instructorSlug;
        const counted = { seatsAvailable: taken.left, seatsSold: taken.sold, kept: kept.get(row.id) ?? null };
        return [{ ...row, course, instructor, ...counted, state: taken.state }];
      },
    ),
    courseDateAliases: new Map(
      rows.flatMap(({ slug, aliases }) => aliases.map((alias): [string, string] => [alias, slug])),
    ),
    calendarRecords: new Map(
      rows.flatMap(({ id, calendarId, madeAt }): [number, CalendarRecord][] => {
        const counted = seats.get(id);
        if (!counted) return [];
        const { revision, changedAt } = counted;
        return [[id, { calendarId, madeAt, revision, changedAt }]];
      }),
    ),
  };
}
