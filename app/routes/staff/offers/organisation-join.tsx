import { data, Form, href } from 'react-router';
import { z } from 'zod';
import { joinOrganisations, readJoining } from '#app/features/companies/join.server.ts';
import { listOrganisations } from '#app/features/companies/staff-queries.server.ts';
import { blankStaffForm, common, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Facts, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/organisation-join';
import { idOf } from './offer-words.ts';

/** Another organisation is joined into one (P118). What moves is said before the button. */
export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:change');
  const { db } = context.get(academyContext);
  const into = idOf(id);
  const from = idOf(url.searchParams.get('other') ?? '');
  const { all, joining } = await unlessDatabaseAway(async () => ({
    all: await listOrganisations(db, actor),
    joining: from === 0 ? null : await readJoining(db, actor, { from, into }),
  }));
  const own = all.find((one) => one.id === into);
  if (!own) throw data('There is no such organisation.', { status: 404 });
  return {
    id,
    name: showControlCharacters(own.legal_name),
    others: all
      .filter((one) => one.id !== into)
      .map(({ id: other, legal_name, abn }) => ({
        id: String(other),
        text: showControlCharacters(legal_name) + (abn ? `, ABN ${formatAbn(abn)}` : ''),
      })),
    other: from === 0 ? '' : String(from),
    joining: joining && {
      name: showControlCharacters(joining.ends.name),
      facts: [
        ['Enrolments', String(joining.enrolments)],
        ['Quotes', String(joining.quotes)],
        ['Managers', joining.managers.map(showControlCharacters).join(', ') || 'None'],
        ['ABN from now on', abnAfter(joining)],
      ] as const,
    },
    form: { ...blankStaffForm(0), values: { seen: '0', other: from === 0 ? '' : String(from) } },
  };
}

function abnAfter({ ends, stays }: { ends: { abn: string | null }; stays: { abn: string | null } }): string {
  const abn = stays.abn ?? ends.abn;
  if (abn === null) return 'None';
  const dropped = ends.abn !== null && ends.abn !== abn ? `; ${formatAbn(ends.abn)} is nobody’s then` : '';
  return formatAbn(abn) + dropped;
}

const joinForm = z.object({ ...common, act: z.literal('join'), other: z.string().regex(/^[1-9]\d{0,14}$/) });

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'companies:change');
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema: joinForm,
    subject: `organisation:${idOf(id)}`,
    actor,
    compares: false,
    async act(trx, { other }, { now: at }) {
      const joined = await joinOrganisations(trx, { from: Number(other), into: idOf(id), actor, at });
      if (!joined) return { ok: false, reason: 'refused', fault: 'One of the two is not there any more.' };
      return { ok: true, did: { action: 'join-organisations', details: { organisation: Number(other) } } };
    },
  });
  return answerForm(result, href('/staff/organisations/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Join two organisations');

export default function OrganisationJoin({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, others, other, joining } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/organisations/:id', { id })}>{name}</Back>
      <h1 className="mb-4 text-2xl">Join another organisation into {name}</h1>
      <ErrorSummary form={form} labels={{ other: 'The other organisation' }} formId="join-form" />
      <Form method="get" className="mb-6 grid max-w-xl gap-3">
        <SelectField form={form} name="other" label="The other organisation" required>
          <option value="">Choose one</option>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.text}
            </option>
          ))}
        </SelectField>
        <div>
          <button type="submit" className={actButton.quiet}>
            See what moves
          </button>
        </div>
      </Form>
      {joining && (
        <div className="grid max-w-xl gap-4">
          <Words>
            All of {joining.name} moves to {name}, and {joining.name} ends. What is agreed with {name} holds for both.
            Its managers then see the enrolments of both. This cannot be taken back.
          </Words>
          <Facts facts={joining.facts} />
          <ActForm
            act="join"
            form={form}
            needs="companies:change"
            carries={{ other }}
            submit={`End ${joining.name} and move all of it`}
            look="danger"
            stays={false}
          />
        </div>
      )}
    </>
  );
}
