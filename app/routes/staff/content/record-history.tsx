import { Form, href } from 'react-router';
import { fieldsOf } from '#app/features/content/form/fields.ts';
import { kindInAddress, titleOf, wordsOf } from '#app/features/content/form/kinds.ts';
import { fieldsChanged, type Revision } from '#app/features/content/records.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { diffWords, type Part } from '#app/lib/diff-words.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { CutCell } from '#app/ui/staff/cells.tsx';
import { Difference } from '#app/ui/staff/difference.tsx';
import { PageHead, Section, Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/record-history';
import { placeAt, readAuthors, standingAt, standingView } from './editor.server.ts';
import { takeRevert } from './history-acts.server.ts';
import { recordAddress } from './record-acts.server.ts';
import { tabsOf } from './record-tabs.ts';
import { valueInWords } from './value-in-words.ts';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:read');
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const { record, revisions, current, draft } = await standingAt(db, actor, params);
    const names = await readAuthors(db, actor, revisions);
    const asked = (name: string) => revisions.find(({ number }) => String(number) === url.searchParams.get(name));
    const later = asked('b') ?? revisions.at(-1);
    // Publishing a draft makes a revision that says the same.
    const before = revisions.findLast(
      ({ number, value }) =>
        later !== undefined && number < later.number && fieldsChanged(value, later.value).length > 0,
    );
    const earlier = asked('a') ?? before ?? revisions[0];
    return {
      title: titleOf(record.kind, (draft ?? current)?.value ?? {}),
      many: wordsOf(record.kind).many,
      kind: kindInAddress(record.kind),
      id: record.id,
      slug: current ? record.key : null,
      current: current?.number ?? 0,
      draft: draft?.number ?? 0,
      revisions: revisions.map((one) => standingView(one, names)).reverse(),
      compared: earlier && later ? compared(record.kind, earlier, later) : null,
      form: blankStaffForm(0),
    };
  });
}

/** The fields that differ between two revisions, word by word. */
function compared(kind: Parameters<typeof fieldsOf>[0], earlier: Revision, later: Revision) {
  const fields = fieldsOf(kind);
  const differ = new Set(fieldsChanged(earlier.value, later.value));
  return {
    a: earlier.number,
    b: later.number,
    same: fields.length - differ.size,
    fields: fields
      .filter(({ name }) => differ.has(name))
      .map((field) => ({
        label: field.label,
        parts: shortened(
          diffWords(valueInWords(field, earlier.value[field.name]), valueInWords(field, later.value[field.name])),
        ),
      })),
  };
}

const kept = 80;

/** Long stretches that stayed the same are cut in the middle. */
function shortened(parts: readonly Part[]): Part[] {
  return parts.map((one, at) => {
    const { kind, text } = one;
    if (kind !== 'same' || text.length <= 3 * kept) return one;
    const head = at === 0 ? '' : text.slice(0, kept);
    const tail = at === parts.length - 1 ? '' : text.slice(-kept);
    return { kind, text: `${head} … ${tail}` };
  });
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'content:change');
  const place = placeAt(params);
  const form = await readForm(request);
  const result = await takeRevert(context.get(academyContext), place, { form, actor });
  return answerForm(result, recordAddress(place));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(`History of ${loaderData?.title ?? 'content'}`);

export default function RecordHistory({ loaderData, actionData }: Route.ComponentProps) {
  const { title, many, kind, id, revisions, compared: shown } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const place = { kind, id: String(id) };
  const own = href('/staff/content/:kind/:id/history', place);
  const several = revisions.length > 1;
  const sides = several ? (['a', 'b'] as const) : [];
  return (
    <>
      <Back to={href('/staff/content/:kind', { kind })}>{many}</Back>
      <PageHead title={title} />
      <Tabs label="Parts" tabs={tabsOf({ kind, id, slug: loaderData.slug, revisions: revisions.length }, 'History')} />
      <WhoMay needs="content:change" />
      <ErrorSummary form={form} labels={{ revision: 'Revision' }} formId="revert-form" />
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <Section title="Revisions" beside={several ? 'Choose two to compare.' : 'Nothing to compare yet.'}>
          <Form action={own} className="grid gap-3" key={`${shown?.a} ${shown?.b}`}>
            <Table label="Revisions" rows="work" head={[...(several ? ['A', 'B'] : []), 'No.', 'When', 'Who', 'Note']}>
              {revisions.map((one) => (
                <tr key={one.number} className={one.number === shown?.a || one.number === shown?.b ? 'bg-tint' : ''}>
                  {sides.map((side) => (
                    <td key={side} className="w-8">
                      <input
                        type="radio"
                        className="block"
                        name={side}
                        value={one.number}
                        aria-label={`${side.toUpperCase()}: revision ${one.number}`}
                        defaultChecked={shown?.[side] === one.number}
                      />
                    </td>
                  ))}
                  <td className="font-semibold">{one.number}</td>
                  <td className="whitespace-nowrap">{one.at}</td>
                  <CutCell title={one.by} className="w-1/5">
                    {one.by}
                  </CutCell>
                  <CutCell title={one.note ?? ''} className="w-2/5">
                    <b>{stateInWords(one, loaderData)}</b> {one.note}
                  </CutCell>
                </tr>
              ))}
            </Table>
            {several && (
              <div>
                <button type="submit" className={button.quiet}>
                  Compare
                </button>
              </div>
            )}
          </Form>
        </Section>
        {shown && revisions.length > 1 && (
          <div className="grid gap-6">
            <Section title={`${shown.a} against ${shown.b}`} beside={countsInWords(shown.fields.length, shown.same)}>
              {shown.fields.length === 0 && <Words>The two say the same.</Words>}
              <dl className="grid gap-4 pt-3">
                {shown.fields.map(({ label, parts }) => (
                  <div key={label}>
                    <dt className="font-semibold">{label}</dt>
                    <dd className="whitespace-pre-wrap wrap-anywhere">
                      <Difference parts={parts} />
                    </dd>
                  </div>
                ))}
              </dl>
            </Section>
            <GoBack form={form} revision={shown.a} seen={loaderData} kinds={revisions} />
          </div>
        )}
      </div>
    </>
  );
}

type States = { current: number; draft: number };

function stateInWords({ number, state }: { number: number; state: Revision['state'] }, { current, draft }: States) {
  if (state === 'draft') return number === draft ? 'Draft now.' : 'Draft.';
  if (state === 'scheduled') return number === draft ? 'Scheduled now.' : 'Scheduled.';
  if (state === 'retired') return number === current ? 'Retired now.' : 'Retired.';
  return number === current ? 'Published now.' : 'Published.';
}

type GoBackProps = {
  form: Route.ComponentProps['loaderData']['form'];
  revision: number;
  /** The revisions that are published and lie over it, as the page shows them. */
  seen: States;
  kinds: Route.ComponentProps['loaderData']['revisions'];
};

/** Publishes revision A again, or takes it as a draft. Address, place in the list and prices stay. */
function GoBack({ form, revision, seen, kinds }: GoBackProps) {
  const { current, draft } = seen;
  const chosen = kinds.find(({ number }) => number === revision);
  if (!chosen) return null;
  const wasPublic = chosen.state === 'published' || chosen.state === 'retired';
  return (
    <Section title={`Go back to ${revision}`} beside="Address, place in the list and prices stay as they are.">
      <ActForm
        act={null}
        id="revert-form"
        form={form}
        needs="content:change"
        carries={{ revision, current, draft }}
        className="flex flex-wrap gap-2 pt-2"
      >
        <SendButton name="act" value="draft">
          Take it as a draft
        </SendButton>
        {wasPublic && revision !== current && (
          <SendButton name="act" value="revert">
            {chosen.state === 'retired' ? 'Retire it again' : 'Publish it again'}
          </SendButton>
        )}
      </ActForm>
    </Section>
  );
}

const countsInWords = (differ: number, same: number) =>
  `${differ} ${differ === 1 ? 'field differs' : 'fields differ'}, ${same} ${same === 1 ? 'is' : 'are'} the same`;
