import type { Db } from '#app/db/client.server.ts';
import { keysetPage } from '#app/db/keyset.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { mostItems } from '#app/features/runs/acts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Chosen } from '#app/routes/staff/lists/chosen.ts';
import { type EnrolmentView, enrolmentList } from './enrolment-filter.ts';
import { enrolmentKeyset } from './enrolment-keyset.server.ts';

const [pieceLength, mostPieces] = [1000, 20];

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
  const ids: number[] = [];
  let cursor: EnrolmentView['cursor'] = null;
  for (let piece = 0; piece < mostPieces; piece++) {
    const page = await keysetPage(db, set, { descending: view.descending, cursor, length: pieceLength });
    ids.push(...page.ids);
    if (ids.length > mostItems) return 'too-many';
    if (!page.older) return ids;
    cursor = page.older;
  }
  return 'too-many';
}

/** The address of the list that rows were chosen in. */
export function listAddressOf({ list }: Chosen): string {
  return enrolmentList.address({ ...enrolmentList.viewOf(new URLSearchParams(list)), cursor: null });
}
