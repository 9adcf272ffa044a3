import type { Db } from '#app/db/client.server.ts';
import { assembleCourseDates } from '#app/features/course-dates/assemble.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { readCourseDateRows, readSeats } from '#app/features/course-dates/queries.server.ts';
import { readKeptSeats } from '#app/features/course-dates/seats.server.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * The course dates of the snapshot and those among `ids` that it does not know: what a page by a private link shows of a
 * date that is held for one organisation (P114).
 */
export async function withPrivateDates(
  db: Db,
  snapshot: Snapshot,
  ids: readonly (number | null | undefined)[],
): Promise<readonly CourseDate[]> {
  const known = new Set<number | null | undefined>(snapshot.courseDates.map(({ id }) => id));
  const unknown = ids.filter((id) => typeof id === 'number').filter((id) => !known.has(id));
  if (unknown.length === 0) return snapshot.courseDates;
  const rows = await readCourseDateRows(db, { ids: unknown });
  const seats = await readSeats(db, { ids: unknown });
  const { courseDates } = assembleCourseDates(rows, seats, snapshot, await readKeptSeats(db, unknown));
  return [...snapshot.courseDates, ...courseDates];
}
