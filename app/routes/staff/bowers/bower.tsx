import { data, href } from 'react-router';
import { z } from 'zod';
import { type BowerDecision, decideBower } from '#app/features/bower/commands.server.ts';
import { findStaffBower } from '#app/features/bower/queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { blankStaffForm, common, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { DetailPage } from '#app/ui/staff/detail.tsx';
import { Facts, History, Panel, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/bower';
import { BowerPill } from './bower-pill.tsx';

const personOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bowers:read');
  const { db } = context.get(academyContext);
  const person = personOf(params.person);
  const found = await orAway(async () => {
    const bower = await findStaffBower(db, actor, person);
    return bower && { bower, history: await readHistory(db, actor, `bower:${person}`) };
  });
  if (!found) throw data('There is no such bower.', { status: 404 });
  const { bower, history } = found;
  return {
    name: bower.name ?? bower.reports.at(-1)?.name ?? 'Not shown now',
    slug: bower.slug,
    isPublic: bower.shownAt !== null && bower.hiddenWhy === null,
    hiddenWhy: bower.hiddenWhy,
    shown: bower.shownAt && formatMoment(bower.shownAt),
    reports: bower.reports.map(({ name, reason, at }) => ({
      name,
      reason: showControlCharacters(reason),
      at: formatMoment(at),
    })),
    entries: history.entries,
    form: blankStaffForm(history.seen),
  };
}

const schema = z.discriminatedUnion('act', [
  z.object({
    ...common,
    act: z.literal('hide'),
    why: z.string().trim().min(1, 'Say why: its owner reads it.').max(500, 'Shorten this to 500 characters.'),
  }),
  z.object({ ...common, act: z.literal('allow') }),
  z.object({ ...common, act: z.literal('keep') }),
]);

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'bowers:hide');
  const personId = personOf(params.person);
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema,
    subject: `bower:${personId}`,
    actor,
    async act(trx, sent, { now }) {
      const decision: BowerDecision = sent.act === 'hide' ? { kind: 'hide', why: sent.why } : { kind: sent.act };
      if (!(await decideBower(trx, { personId, decision, actor }, now))) return { ok: false, reason: 'missing' };
      return { ok: true, did: { action: `${sent.act}-bower` } };
    },
  });
  return answerForm(result, href('/staff/bowers'));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Bower of ${loaderData.name}` : 'Bower');

const labels = { why: 'Why' };

export default function StaffBower({ loaderData, actionData }: Route.ComponentProps) {
  const { name, slug, isPublic, hiddenWhy, shown, reports, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <DetailPage
      back={{ to: href('/staff/bowers'), text: 'Bowers' }}
      title={name}
      pill={<BowerPill isPublic={isPublic} hidden={hiddenWhy !== null} />}
      line={slug && `/bowers/${slug}`}
      form={form}
      labels={labels}
      needs="bowers:hide"
      what="hide or allow this bower"
      about="About this bower"
      aside={
        <Facts
          facts={[
            ['Public since', shown],
            ['Hidden because', hiddenWhy],
            [
              'Public page',
              isPublic && slug && (
                <TextLink key="page" to={href('/bowers/:name', { name: slug })}>
                  The bower’s page
                </TextLink>
              ),
            ],
          ]}
        />
      }
    >
      {reports.length > 0 && (
        <Panel title="What visitors say">
          <ul className="grid gap-4">
            {reports.map(({ name: then, reason, at }) => (
              <li key={`${at} ${reason}`}>
                <p className="max-w-prose whitespace-pre-line wrap-anywhere">{reason}</p>
                <p className="text-sm text-mute">
                  {at}, when it was called {then}
                </p>
              </li>
            ))}
          </ul>
          <div className="mt-4">
            <ActForm act="keep" form={form} needs="bowers:hide" submit="Nothing is wrong, keep it" />
          </div>
        </Panel>
      )}
      {hiddenWhy === null ? (
        <Panel title="Hide it from the public">
          <ActForm act="hide" form={form} needs="bowers:hide" submit="Hide this bower" look="danger">
            <TextField form={form} name="why" label="Why" hint="Its owner reads this in their account." required />
          </ActForm>
        </Panel>
      ) : (
        <Panel title="Hidden">
          <ActForm act="allow" form={form} needs="bowers:hide" submit="Allow it again">
            <p className="text-sm text-mute">Its owner can show it again, or it is public at once if they still do.</p>
          </ActForm>
        </Panel>
      )}
      <History entries={entries} />
    </DetailPage>
  );
}
