import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { readNeighbours } from '#app/features/enrolments/enrolment-list.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { enrolmentList, enrolmentStates } from './enrolment-list.tsx';
import type { WalkTo } from './walk.tsx';

/**
 * The way back to the list that an enrolment was opened from, and along it (P78): `list` is that list's query, as the
 * address of the page carries it; without one there is no list to walk.
 */
export async function readWalk(
  db: Db,
  actor: StaffActor,
  { id }: { id: number },
  { list, today }: { list: string | null; today: Day },
): Promise<WalkTo> {
  if (list === null) return { list: { to: enrolmentList.path, text: 'Enrolments' }, previous: null, next: null };
  const view = enrolmentList.viewOf(new URLSearchParams(list));
  const { previous, next } = await readNeighbours(db, actor, id, view, today);
  const to = (reference: string | null) =>
    reference && `${href('/staff/enrolments/:reference', { reference })}?${new URLSearchParams({ list })}`;
  const state = view.values.state ? enrolmentStates[view.values.state] : 'Enrolments';
  const text = view.search ? `Found by “${view.search}”` : state;
  return { list: { to: enrolmentList.to(view, {}), text }, previous: to(previous), next: to(next) };
}
