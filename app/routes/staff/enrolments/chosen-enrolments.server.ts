import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { mostItems } from '#app/features/runs/acts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Chosen } from '#app/routes/staff/lists/chosen.ts';
import { everyChosen } from '#app/routes/staff/lists/every-chosen.server.ts';
import { enrolmentList } from './enrolment-filter.ts';
import { enrolmentKeyset } from './enrolment-keyset.server.ts';

/**
 * The ids of the enrolments that were chosen, those of a filter as it finds them now; 'too-many' where they are more than
 * one run may have, or where too many rows had to be looked at to find them.
 */
export async function chosenEnrolments(
  db: Db,
  actor: StaffActor,
  chosen: Chosen,
  today: Day,
): Promise<readonly number[] | 'too-many'> {
  demand(actor, 'enrolments:read');
  if (!chosen.all) {
    const rows = await db
      .selectFrom('enrolments')
      .select('id')
      .where('reference', 'in', ['', ...chosen.rows])
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }
  const view = enrolmentList.viewOf(new URLSearchParams(chosen.list));
  const set = await enrolmentKeyset(db, view, today);
  return everyChosen(db, set, { descending: view.descending, most: mostItems });
}

/** The address of the list that rows were chosen in. */
export function listAddressOf({ list }: Chosen): string {
  return enrolmentList.address({ ...enrolmentList.viewOf(new URLSearchParams(list)), cursor: null });
}
