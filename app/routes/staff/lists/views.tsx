import { data, href, redirect } from 'react-router';
import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm, common, type Refused, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import {
  deleteView,
  listsWithViews,
  mostViews,
  renameView,
  savedViews,
  saveView,
} from '#app/features/people/views.server.ts';
import { type Academy, academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, ButtonText } from '#app/ui/staff/act-form.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/views';
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
function takeViewAct(academy: Academy, { form, actor }: { form: FormData | null; actor: StaffActor }) {
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

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'views:save');
  const views = await unlessDatabaseAway(() => savedViews(context.get(academyContext).db, actor));
  return {
    lists: listsWithViews.flatMap((list) => {
      const known = viewLists[list];
      const its = views.filter((view) => view.list === list);
      if (its.length === 0) return [];
      const shown = its.map(({ query, ...view }) => ({
        ...view,
        to: query ? `${known.path}?${query}` : known.path,
        form: blankStaffForm(0),
      }));
      return [{ list, title: known.title, views: shown }];
    }),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'views:save');
  const form = await readForm(request);
  const result = await takeViewAct(context.get(academyContext), { form, actor });
  const { act, list, query, id } = textsOf(form);
  if (!result.ok) return data({ ...result, id: Number(id) || null }, { status: result.status });
  const known = listsWithViews.find((name) => name === list);
  const saved = act === 'save' && known && viewLists[known];
  if (!saved) throw redirect(href('/staff/views'), 303);
  const kept = saved.kept(query ?? '');
  throw redirect(kept ? `${saved.path}?${kept}` : saved.path, 303);
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Saved views');

type View = Route.ComponentProps['loaderData']['lists'][number]['views'][number];

export default function Views({ loaderData: { lists }, actionData }: Route.ComponentProps) {
  const refused = actionData && 'id' in actionData ? actionData : null;
  return (
    <>
      <PageHead title="Saved views" />
      {refused?.form && <ErrorSummary form={refused.form} labels={{ name: 'Name' }} formId="views" />}
      {lists.length === 0 && <Words>You have saved no view. Open a list, choose filters, then “Save this view”.</Words>}
      <div className="grid gap-8">
        {lists.map(({ list, title, views }) => (
          <Section key={list} title={title}>
            <ul>
              {views.map((view) => (
                <li key={view.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-2">
                  <span className="min-w-48">
                    <TextLink to={view.to}>{view.name}</TextLink>
                  </span>
                  <Change view={view} form={refused?.id === view.id && refused.form ? refused.form : view.form} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </>
  );
}

function Change({ view, form }: { view: View; form: FormState }) {
  return (
    <>
      <ActForm
        act="rename"
        form={form}
        needs="views:save"
        id={null}
        carries={{ id: view.id }}
        className="flex flex-wrap items-center gap-3"
        submit={<ButtonText about={view.name}>Rename</ButtonText>}
      >
        <label>
          <span className="sr-only">Name of {view.name}</span>
          <input name="name" defaultValue={form.values.name ?? view.name} maxLength={40} required className={field} />
        </label>
      </ActForm>
      <ActForm
        act="delete"
        form={view.form}
        needs="views:save"
        id={null}
        carries={{ id: view.id }}
        look="danger"
        submit={<ButtonText about={view.name}>Delete</ButtonText>}
      />
    </>
  );
}
