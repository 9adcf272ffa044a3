import type { Db } from '#app/db/client.server.ts';
import { enrolmentKeyset, findEnrolmentIds } from '#app/features/enrolments/enrolment-list.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { allThatMatch } from '#app/routes/staff/lists/all-that-match.server.ts';
import type { ChosenRows } from '#app/routes/staff/lists/chosen-rows.ts';
import { enrolmentList } from './enrolment-list.tsx';

/** The ids of the enrolments that were chosen, those of a filter as it finds them now. */
export async function chosenEnrolments(
  db: Db,
  actor: StaffActor,
  chosen: ChosenRows,
  today: Day,
): Promise<readonly number[] | 'too-many'> {
  requirePermission(actor, 'enrolments:read');
  if (!chosen.all) return findEnrolmentIds(db, actor, chosen.rows);
  const view = enrolmentList.viewOf(new URLSearchParams(chosen.list));
  return allThatMatch(db, await enrolmentKeyset(db, view, today), view.descending);
}
