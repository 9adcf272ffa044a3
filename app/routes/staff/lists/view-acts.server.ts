import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { common, type Refused, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { deleteView, listsWithViews, mostViews, renameView, saveView } from '#app/features/people/views.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { viewLists } from './view-lists.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name for this view.')
  .max(40, 'Use 40 characters at most.')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Enter a name for this view.');
const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const schemas = {
  save: z.object({ ...common, name, list: z.enum(listsWithViews), query: z.string().max(2000) }),
  rename: z.object({ ...common, name, id }),
  delete: z.object({ ...common, id }),
};

const refused = (why: Omit<Refused, 'ok' | 'reason'>): Refused => ({ ok: false, reason: 'refused', ...why });
const taken = refused({ errors: { name: 'You have a view of this name. Choose another name.' } });

/** Takes a form about the views that somebody saved (P78): saves, renames or deletes one. */
export function takeViewAct(academy: Academy, { form, actor }: { form: FormData | null; actor: StaffActor }) {
  const subject = `views:${actor.person.id}`;
  const how = { form, actor, subject, compares: false } as const;
  switch (textsOf(form).act) {
    case 'rename':
      return takeStaffAct(academy, {
        ...how,
        schema: schemas.rename,
        async act(trx, data) {
          const done = await renameView(trx, data, actor);
          if (done.ok) return { ok: true, did: { action: 'rename-view', details: { view: data.id } } };
          return done.reason === 'name-taken' ? taken : { ok: false, reason: 'missing' };
        },
      });
    case 'delete':
      return takeStaffAct(academy, {
        ...how,
        schema: schemas.delete,
        async act(trx, data) {
          const done = await deleteView(trx, data.id, actor);
          return done.ok ? { ok: true, did: { action: 'delete-view', details: { view: data.id } } } : done;
        },
      });
    default:
      return takeStaffAct(academy, {
        ...how,
        schema: schemas.save,
        async act(trx, data, { now }) {
          const query = viewLists[data.list].kept(data.query);
          const view = { list: data.list, name: data.name, query };
          const done = await saveView(trx, view, { actor, at: now });
          if (done.ok) return { ok: true, did: { action: 'save-view', details: { view: done.id, list: data.list } } };
          if (done.reason === 'name-taken') return taken;
          return refused({ fault: `You have ${mostViews} views. Delete one first.` });
        },
      });
  }
}
