import { data, href, redirect } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listsWithViews, savedViews } from '#app/features/people/views.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
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
import { takeViewAct } from './view-acts.server.ts';
import { viewLists } from './view-lists.ts';

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
