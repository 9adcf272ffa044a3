import type { Db, Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from './actor.ts';

/** The lists whose views can be saved (P78). */
export const listsWithViews = ['enrolments', 'people', 'course-dates', 'enquiries'] as const;
export type ListName = (typeof listsWithViews)[number];

/** How many views somebody may have. */
export const mostViews = 100;

/** A list under a name; `query` is of the list's address, without words of a search. */
export type SavedView = { id: number; list: ListName; name: string; query: string };

/** A person's own views by name, of one list or of all. */
export async function savedViews(db: Db, actor: StaffActor, list?: ListName): Promise<SavedView[]> {
  requirePermission(actor, 'views:save');
  return db
    .selectFrom('saved_views')
    .select(['id', 'list', 'name', 'query'])
    .where('person_id', '=', actor.person.id)
    .$if(list !== undefined, (query) => query.where('list', '=', list ?? 'enrolments'))
    .orderBy('name')
    .orderBy('id')
    .execute();
}

type NameTaken = { ok: false; reason: 'name-taken' };
type Missing = { ok: false; reason: 'missing' };

/** Saves a view under a name that the person has for no other of this list. */
export async function saveView(
  trx: Trx,
  view: Omit<SavedView, 'id'>,
  { actor, at }: { actor: StaffActor; at: Date },
): Promise<{ ok: true; id: number } | NameTaken | { ok: false; reason: 'too-many' }> {
  if ((await savedViews(trx, actor)).length >= mostViews) return { ok: false, reason: 'too-many' };
  const row = await trx
    .insertInto('saved_views')
    .values({ ...view, person_id: actor.person.id, made_at: at })
    .onConflict((same) => same.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { ok: true, id: row.id } : { ok: false, reason: 'name-taken' };
}

/** Renames an own view. */
export async function renameView(
  trx: Trx,
  { id, name }: { id: number; name: string },
  actor: StaffActor,
): Promise<{ ok: true } | NameTaken | Missing> {
  const views = await savedViews(trx, actor);
  const view = views.find((one) => one.id === id);
  if (!view) return { ok: false, reason: 'missing' };
  const isTaken = views.some(
    (one) => one.id !== id && one.list === view.list && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) return { ok: false, reason: 'name-taken' };
  await trx.updateTable('saved_views').set({ name }).where('id', '=', id).execute();
  return { ok: true };
}

/** Deletes an own view. */
export async function deleteView(trx: Trx, id: number, actor: StaffActor): Promise<{ ok: true } | Missing> {
  requirePermission(actor, 'views:save');
  const { numDeletedRows } = await trx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('person_id', '=', actor.person.id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n ? { ok: true } : { ok: false, reason: 'missing' };
}
