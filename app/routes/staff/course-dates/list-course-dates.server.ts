import type { Db } from '#app/db/client.server.ts';
import { everyRow, listedPage } from '#app/db/keyset.server.ts';
import { type CourseDateView, courseDateKeyset } from '#app/features/enrolments/course-date-list.server.ts';
import { readCourseDates } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';

const pageLength = 50;

/**
 * One page of the course dates of a view that the person may see, with where it stands (P78): those to come and running
 * unless the view names others. Each word of the search is a part of the course's title, the place or the instructor's
 * name.
 */
export async function listCourseDates(db: Db, actor: StaffActor, view: CourseDateView, today: Day) {
  const set = await courseDateKeyset(db, actor, view, today);
  const reading = { ...view, length: pageLength };
  const { rows, ...page } = await listedPage(db, set, reading, (ids) => readCourseDates(db, actor, ids, today));
  return { courseDates: rows, ...page };
}

/** All rows of a view, in pieces, for a file. */
export async function* everyCourseDate(db: Db, actor: StaffActor, view: CourseDateView, today: Day) {
  const set = await courseDateKeyset(db, actor, view, today);
  yield* everyRow(db, set, view, (ids) => readCourseDates(db, actor, ids, today));
}
