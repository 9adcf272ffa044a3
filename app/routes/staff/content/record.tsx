import { type FormEvent, useId, useRef } from 'react';
import { data, href, Link, redirect } from 'react-router';
import type { FormField } from '#app/features/content/form/field.ts';
import { isNeeded, kindInAddress, wordsOf } from '#app/features/content/form/kinds.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { OnlyWith, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead, Section, Tabs } from '#app/ui/staff/page-head.tsx';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/record';
import type { BothChangedView, ConflictView } from './both-changed.server.ts';
import { placeAt, readEditor, standingAt } from './editor.server.ts';
import { Fault, useShown } from './field-controls.tsx';
import { FieldView } from './field-views.tsx';
import { PartsList } from './parts-list.tsx';
import { Preview } from './preview-frame.tsx';
import { takeRecordForm } from './record-acts.server.ts';
import { RecordActs } from './record-buttons.tsx';
import { CheckBox, StateStrip } from './record-parts.tsx';
import { tabsOf } from './record-tabs.ts';
import { sendRecord } from './send-record.ts';
import { formId, TypedForm } from './typed-form.tsx';

type BothChangedProps = { both: BothChangedView; fields: readonly FormField[] };

/** For each field that two people changed: mine, theirs, and what it was; one is chosen, or the field written anew (P71). */
function BothChanged({ both: { fields: changed, by, number, before, state }, fields }: BothChangedProps) {
  const { typed } = useShown();
  const did = state === 'draft' || state === 'scheduled' ? 'kept' : 'published';
  return (
    <section aria-labelledby="both-changed" className="grid gap-4 border-l-3 border-fault pl-4">
      <h2 id="both-changed" className="text-lg">
        {by} {did} revision {number} while you were typing
      </h2>
      <p>
        Everything else was merged. {changed.length === 1 ? '1 field needs' : `${changed.length} fields need`} you:
        choose what {changed.length === 1 ? 'it is' : 'each is'} to say.
      </p>
      <input type="hidden" name="c-fields" value={changed.map(({ name }) => name).join(' ')} />
      <input type="hidden" name="c-theirs" value={number} />
      <input type="hidden" name="c-before" value={before} />
      {Object.entries(typed)
        .filter(([name]) => name.startsWith('m.'))
        .map(([name, text]) => (
          <input key={name} type="hidden" name={name} value={text} />
        ))}
      {changed.map((one) => (
        <Conflict key={one.name} {...one} by={by} field={fields.find(({ name }) => name === one.name)} />
      ))}
    </section>
  );
}

type ConflictProps = ConflictView & { by: string; field: FormField | undefined };

function Conflict({ name, label, mine, theirs, before, by, field }: ConflictProps) {
  const { typed } = useShown();
  const choice = `c.${name}`;
  const id = useId();
  const sides = [
    ['mine', 'Mine', mine],
    ['theirs', by, theirs],
    ['before', 'Before', before],
  ] as const;
  function chooseAnew(event: FormEvent<HTMLElement>): void {
    const anew = event.currentTarget.querySelector<HTMLInputElement>('input[value=anew]');
    const target = event.target as HTMLInputElement;
    if (anew && target.name !== choice) anew.checked = true;
  }
  return (
    <fieldset id={choice} tabIndex={-1} className="min-w-0" onInput={chooseAnew}>
      <legend className="mb-1 font-semibold">{label}</legend>
      {sides.map(([side, who, text]) => (
        <label
          key={side}
          htmlFor={`${id}${side}`}
          className="flex gap-3 border-t border-line py-2 has-[:checked]:bg-tint"
        >
          <input
            id={`${id}${side}`}
            type="radio"
            name={choice}
            value={side}
            defaultChecked={typed[choice] === side}
            className="mt-0.5 shrink-0"
          />
          <span className="w-24 shrink-0 font-semibold wrap-anywhere">{who}</span>
          <span className="max-h-40 min-w-0 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {text === '' ? <i className="text-mute">Nothing</i> : text}
          </span>
        </label>
      ))}
      {field && (
        <div className="border-t border-line py-2 has-[[value=anew]:checked]:bg-tint">
          <label htmlFor={`${id}anew`} className="mb-2 flex gap-3 font-semibold">
            <input
              id={`${id}anew`}
              type="radio"
              name={choice}
              value="anew"
              defaultChecked={typed[choice] === 'anew'}
              className="mt-0.5 shrink-0"
            />
            Write it anew, from mine
          </label>
          <FieldView field={field} name={`v.${name}`} />
        </div>
      )}
      <Fault name={choice} />
    </fieldset>
  );
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:read');
  const academy = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const standing = await standingAt(academy.db, actor, params);
    const { record } = standing;
    const { many, one } = wordsOf(record.kind as RecordKind);
    const editor = await readEditor(academy.db, actor, standing, momentOf(academy));
    return {
      ...editor,
      many,
      one,
      id: record.id,
      kind: kindInAddress(record.kind),
      key: record.key,
      needed: isNeeded(record),
    };
  });
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'content:change');
  const place = placeAt(params);
  const form = await readForm(request);
  const result = await takeRecordForm(context.get(academyContext), place, { form, actor });
  if (result.ok) throw redirect(result.to, 303);
  const { ok: _, status, ...refused } = result;
  // After a 409 the page is out of date.
  return data({ ...refused, stale: status === 409 }, { status });
}

export const clientAction = sendRecord;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.title ?? 'Content');

export default function ContentRecord({ loaderData, actionData }: Route.ComponentProps) {
  const { title, kind, id, many, fields, choices, changed, current, draft, goesOut, pages } = loaderData;
  const previews = pages.length > 0 || kind === kindInAddress('module');
  const form = actionData?.form ?? loaderData.form;
  const examined = actionData?.examined ?? loaderData.examined;
  const faults = examined ? examined.faults.length + examined.elsewhere.length : 0;
  const errors = { ...errorsOf(loaderData.examined), ...form.errors };
  // The box of the check lists its own faults, with links.
  const errorsToSum = actionData && !actionData.examined ? form.errors : {};
  const place = { kind, id: String(id) };
  const history = href('/staff/content/:kind/:id/history', place);
  const both = useBoth(actionData);
  const labels = Object.fromEntries([
    ...fields.flatMap(({ name, label }) => [
      [`v.${name}`, label],
      [`c.${name}`, label],
    ]),
    ['day', 'Day'],
  ]);
  return (
    <>
      <Back to={href('/staff/content/:kind', { kind })}>{many}</Back>
      <PageHead title={title}>
        <OnlyWith permission="content:change">
          <RecordActs
            kind={kind}
            id={id}
            hasDraft={draft !== undefined}
            previews={previews}
            faults={faults}
            isPublic={current?.state === 'published'}
            isRetired={current?.state === 'retired'}
            goesOut={goesOut?.day ?? null}
          />
        </OnlyWith>
      </PageHead>
      <StateStrip
        current={current}
        draft={draft}
        goesOut={goesOut}
        changed={Object.keys(changed).length}
        faults={faults}
        history={history}
      />
      <Tabs
        label="Parts"
        tabs={tabsOf({ kind, id, slug: current ? loaderData.key : null, revisions: loaderData.revisions }, 'Text')}
      />
      <WhoMay needs="content:change" />
      <ErrorSummary form={{ ...form, errors: errorsToSum }} labels={labels} formId={formId} />
      {examined && <CheckBox {...examined} />}
      <PartsList fields={fields} faulty={Object.keys(errors)} />
      <div className={previews ? 'grid items-start gap-x-12 gap-y-8 lg:grid-cols-2' : 'max-w-3xl'}>
        <div className="min-w-0">
          <TypedForm
            // Fields restart with new values from the server; a new token alone is no change.
            key={JSON.stringify(form.values)}
            place={`${kind}:${id}`}
            saved={loaderData.form.values}
            fields={fields}
            form={{ ...form, errors }}
            choices={choices}
            changed={changed}
            published={loaderData.published}
            above={both && <BothChanged both={both} fields={fields} />}
            except={new Set(both?.fields.map(({ name }) => name))}
          >
            <Publishing form={form} scheduled={goesOut !== null} />
          </TypedForm>
          {current?.state === 'published' && !loaderData.needed && (
            <OnlyWith permission="content:publish">
              <p className="mt-8 text-sm text-mute">
                Nobody needs this {loaderData.one} any more?{' '}
                <Link
                  to={href('/staff/content/:kind/:id/retire', place)}
                  className="underline underline-offset-3 hover:text-link"
                >
                  Retire it
                </Link>
              </p>
            </OnlyWith>
          )}
        </div>
        {previews && (
          <Preview
            // Loaded again with each revision.
            key={`${current?.number} ${draft?.number}`}
            address={href('/staff/content/:kind/:id/preview', place)}
            pages={pages}
            published={current?.state === 'published'}
          />
        )}
      </div>
    </>
  );
}

/** The fields that two people changed: still there when a form came back without an answer of ours. */
function useBoth(sent: Route.ComponentProps['actionData']): BothChangedView | undefined {
  const last = useRef<BothChangedView>(undefined);
  if (sent?.both) last.current = sent.both;
  return sent?.form.values['c-fields'] ? (sent.both ?? last.current) : sent?.both;
}

const errorsOf = (examined: Route.ComponentProps['loaderData']['examined']) =>
  Object.fromEntries((examined?.faults ?? []).flatMap(({ name, message }) => (name ? [[name, message]] : [])));

type Props = { form: FormState; scheduled: boolean };

/** A note for the history, and when we publish the text on our own. */
function Publishing({ form, scheduled }: Props) {
  return (
    <>
      <div>
        <label htmlFor="note" className="mb-1 block font-semibold">
          What you changed <span className="text-sm font-normal text-mute">(optional), for the history</span>
        </label>
        <input
          id="note"
          name="note"
          maxLength={500}
          defaultValue={form.values.note ?? ''}
          className={`${field} w-full`}
        />
      </div>
      <div>
        <SendButton name="act" value="save">
          Save draft
        </SendButton>
      </div>
      <Section title="Schedule" beside="We publish it at this time if the check finds no fault.">
        <div className="flex flex-wrap items-end gap-3 pt-2">
          <div>
            <label htmlFor="day" className="mb-1 block font-semibold">
              Day
            </label>
            <input
              id="day"
              type="date"
              name="day"
              defaultValue={form.values.day ?? ''}
              aria-invalid={form.errors.day ? true : undefined}
              aria-describedby={form.errors.day ? 'day-fault' : undefined}
              className={field}
            />
          </div>
          <div>
            <label htmlFor="time" className="mb-1 block font-semibold">
              Time in Brisbane
            </label>
            <input id="time" type="time" name="time" defaultValue={form.values.time ?? '09:00'} className={field} />
          </div>
          <SendButton name="act" value="schedule">
            {scheduled ? 'Change' : 'Schedule'}
          </SendButton>
          {scheduled && (
            <SendButton name="act" value="call-off">
              Take it off the schedule
            </SendButton>
          )}
        </div>
        {form.errors.day && (
          <p id="day-fault" className="mt-1 text-sm font-semibold text-fault">
            {form.errors.day}
          </p>
        )}
      </Section>
    </>
  );
}
