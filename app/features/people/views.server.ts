import type { Db, Trx } from '#app/db/client.server.ts';
import { demand, type StaffActor } from './actor.ts';
import { rolesWith } from './permissions.ts';

/** The lists whose views can be saved (P78). */
export const listsWithViews = ['enrolments', 'people', 'sessions', 'enquiries'] as const;
export type ListName = (typeof listsWithViews)[number];

/** How many views of their own somebody may have. */
export const mostViews = 100;

export type SavedView = {
  id: number;
  list: ListName;
  name: string;
  /** The query of the list's address. */
  query: string;
  shared: boolean;
  isOwn: boolean;
  /** A shared view of a person who may not change views any more: whoever shares views may delete it. */
  isLeft: boolean;
  /** The person who made it. */
  by: string | null;
};

/** The views that somebody sees, own ones first, by name; of one list, or of all. */
export async function savedViews(db: Db, actor: StaffActor, list?: ListName): Promise<SavedView[]> {
  demand(actor, 'views:read');
  const { id } = actor.person;
  let found = db
    .selectFrom('saved_views')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['saved_views.id', 'list', 'saved_views.name', 'query', 'shared', 'person_id', 'people.name as by'])
    .select(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('staff_roles')
            .select('role')
            .whereRef('staff_roles.person_id', '=', 'saved_views.person_id')
            .where('role', 'in', rolesWith('views:save')),
        ),
      ).as('isLeft'),
    )
    .where((row) => row.or([row('person_id', '=', id), row('shared', '=', true)]))
    .orderBy('saved_views.name')
    .orderBy('saved_views.id');
  if (list) found = found.where('list', '=', list);
  return (await found.execute())
    .map(({ person_id, ...row }) => ({
      ...row,
      isOwn: person_id === id,
      isLeft: row.isLeft === true,
    }))
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn));
}

type NameTaken = { ok: false; reason: 'name-taken' };
type Missing = { ok: false; reason: 'missing' };

/** Saves a view under a name that the person has for no other of this list. `query` holds no words of a search. */
export async function saveView(
  trx: Trx,
  { list, name, query, shared }: { list: ListName; name: string; query: string; shared: boolean },
  { actor, at }: { actor: StaffActor; at: Date },
): Promise<{ ok: true; id: number } | NameTaken | { ok: false; reason: 'too-many' }> {
  demand(actor, 'views:save');
  if (shared) demand(actor, 'views:share');
  const own = await savedViews(trx, actor);
  if (own.filter(({ isOwn }) => isOwn).length >= mostViews) return { ok: false, reason: 'too-many' };
  const row = await trx
    .insertInto('saved_views')
    .values({ list, name, query, shared, person_id: actor.person.id, made_at: at })
    .onConflict((same) => same.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { ok: true, id: row.id } : { ok: false, reason: 'name-taken' };
}

/** Changes the name of an own view, and whether everybody sees it. */
export async function changeView(
  trx: Trx,
  { id, name, shared }: { id: number; name: string; shared: boolean },
  actor: StaffActor,
): Promise<{ ok: true } | NameTaken | Missing> {
  demand(actor, 'views:save');
  const view = (await savedViews(trx, actor)).find((one) => one.id === id && one.isOwn);
  if (!view) return { ok: false, reason: 'missing' };
  if (shared && !view.shared) demand(actor, 'views:share');
  const others = await savedViews(trx, actor, view.list);
  const taken = others.some((one) => one.isOwn && one.id !== id && one.name.toLowerCase() === name.toLowerCase());
  if (taken) return { ok: false, reason: 'name-taken' };
  await trx.updateTable('saved_views').set({ name, shared }).where('id', '=', id).execute();
  return { ok: true };
}

/** Deletes an own view, for everybody, or a shared one of somebody who may not change it any more. */
export async function deleteView(trx: Trx, id: number, actor: StaffActor): Promise<{ ok: true } | Missing> {
  demand(actor, 'views:save');
  const view = (await savedViews(trx, actor)).find((one) => one.id === id && (one.isOwn || one.isLeft));
  if (!view) return { ok: false, reason: 'missing' };
  if (!view.isOwn) demand(actor, 'views:share');
  const { numDeletedRows } = await trx.deleteFrom('saved_views').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n ? { ok: true } : { ok: false, reason: 'missing' };
}
