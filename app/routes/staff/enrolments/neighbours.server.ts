import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { keyOfRow, keysetPage } from '#app/db/keyset.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { type EnrolmentState, enrolmentList, enrolmentStates } from './enrolment-filter.ts';
import { enrolmentKeyset } from './enrolment-keyset.server.ts';
import type { WalkTo } from './walk.tsx';

/**
 * The enrolments before and after one in the list that it was opened from (P78): `list` is that list's query, as the
 * address of the page carries it; without one there is no list to walk. Found by key, so that it costs the same at a
 * million rows.
 */
export async function readNeighbours(
  db: Db,
  actor: StaffActor,
  { id }: { id: number },
  { list, today }: { list: string | null; today: Day },
): Promise<WalkTo> {
  if (list === null) return { list: { to: enrolmentList.path, text: 'Enrolments' }, previous: null, next: null };
  requirePermission(actor, 'enrolments:read');
  const view = { ...enrolmentList.viewOf(new URLSearchParams(list)), cursor: null };
  const set = await enrolmentKeyset(db, view, today);
  const row = await keyOfRow(db, set, id);
  const beside = async (at: 'before' | 'after') => {
    if (!row) return null;
    const { ids } = await keysetPage(db, set, { descending: view.descending, cursor: { at, ...row }, length: 1 });
    return ids[0] ?? null;
  };
  const [newer, older] = [await beside('before'), await beside('after')];
  const rows = await db
    .selectFrom('enrolments')
    .select(['id', 'reference'])
    .where('id', 'in', [0, newer ?? 0, older ?? 0])
    .execute();
  const to = (wanted: number | null) => {
    const row = rows.find((one) => one.id === wanted);
    return row
      ? `${href('/staff/enrolments/:reference', { reference: row.reference })}?${new URLSearchParams({ list })}`
      : null;
  };
  const state = enrolmentStates[view.values.state as EnrolmentState] ?? 'Enrolments';
  const text = view.search ? `Found by “${view.search}”` : state;
  return { list: { to: enrolmentList.to(view, {}), text }, previous: to(newer), next: to(older) };
}
