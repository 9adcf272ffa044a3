import { data, Form, href, redirect } from 'react-router';
import { readMoney } from '#app/features/money/money-page.server.ts';
import { recordedIn } from '#app/features/money/recorded-statement.ts';
import { keepUpload } from '#app/features/money/statement-uploads.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { actOr503, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { FileLink, Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/payments';
import { columns, EnrolmentLink, type MoneyData, More, Moved, Outgoing, Refunds, Skipped } from './money-lists.tsx';
import { takeAssignment, takeOutgoingLine } from './payments.server.ts';
import { shownMoney } from './shown-money.server.ts';
import { takeSuggestion } from './suggested.server.ts';
import { Suggestions } from './suggestions.tsx';

/** The number in a search parameter; null when there is none. */
const idIn = (url: URL, name: string) => {
  const text = url.searchParams.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const { db, clock } = context.get(academyContext);
  const show = url.searchParams.get('show');
  const part = show === 'late' ? ('others' as const) : show === 'aside' ? ('aside' as const) : ('to-do' as const);
  const pages = { part, before: idIn(url, 'before'), refundsAfter: idIn(url, 'refunds-after') };
  const { seen, ...money } = await unlessDatabaseAway(() => readMoney(db, actor, clock.now(), pages));
  const recorded = recordedIn(url.searchParams);
  const accepted = { accepted: idIn(url, 'accepted') ?? 0, changed: idIn(url, 'changed') ?? 0 };
  return { ...shownMoney(money), pages, recorded, accepted, form: blankStaffForm(seen) };
}

const unconfirmed = unconfirmedText(
  'that the file arrived',
  'No payment was recorded. Send it again in a few minutes; a file that nobody records is deleted after a day.',
);

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:record');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const act = form?.get('act');
  if (act === 'preview') {
    const kept = await actOr503(unconfirmed, () => keepUpload(academy, { form, actor }));
    if (kept.ok) throw redirect(href('/staff/payments/statements/:key', { key: kept.key }), 303);
    return data({ fault: kept.why, form: null }, { status: 400 });
  }
  const take = act === 'line' ? takeOutgoingLine : act === 'accept' ? takeSuggestion : takeAssignment;
  const result = await take(academy, { form, actor });
  if (result.ok) throw redirect(href('/staff/payments'), 303);
  return data({ fault: null, form: result.form }, { status: result.status });
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Payments');

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <h1 className="mb-6 text-2xl">Payments</h1>
      <WhoMay needs="money:record" what="record money" />
      {actionData?.form && (
        <ErrorSummary form={form} labels={{ to: 'Enrolment of the payment' }} formId="statement-form" />
      )}
      {loaderData.recorded && !actionData && <Recorded counts={loaderData.recorded} />}
      {loaderData.accepted.accepted > 0 && !actionData && <Accepted counts={loaderData.accepted} />}
      <div className="grid gap-10">
        <OnlyWith permission="money:record">
          <Upload fault={actionData?.fault ?? null} />
        </OnlyWith>
        <Outgoing outgoing={loaderData.outgoing} form={form} />
        <Odd shown={loaderData} form={form} />
        <Refunds shown={loaderData} />
        <Skipped skipped={loaderData.skipped} />
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Recorded({ counts }: { counts: NonNullable<Data['recorded']> }) {
  const { told, recorded, known, unmatched, outgoing, failed, faults } = counts;
  return (
    <div role="status" className="mb-6 rounded-control border border-edge bg-card p-4">
      {told ? (
        <p>
          The statement is recorded: {recorded} new {recorded === 1 ? 'payment' : 'payments'}, {unmatched} of them
          without an enrolment; {known} recorded before; {outgoing} of money that went out.
        </p>
      ) : (
        <p>The statement is recorded. “Who did what” says what became of its lines.</p>
      )}
      {faults && (
        <p className="mt-2 font-semibold text-fault">These lines could not be read, and we left them out: {faults}.</p>
      )}
      {failed && <p className="mt-2 font-semibold text-fault">These lines could not be recorded: {failed}.</p>}
    </div>
  );
}

function Accepted({ counts: { accepted, changed } }: { counts: Data['accepted'] }) {
  return (
    <div role="status" className="mb-6 rounded-control border border-edge bg-card p-4">
      <p>
        {accepted} {accepted === 1 ? 'suggestion is' : 'suggestions are'} accepted.
        {changed > 0 && ` ${changed} ${changed === 1 ? 'was' : 'were'} sure no longer and stayed as before.`}
      </p>
    </div>
  );
}

function Upload({ fault }: { fault: string | null }) {
  return (
    <Panel title="Bank statement">
      <Form
        method="post"
        encType="multipart/form-data"
        reloadDocument
        className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
      >
        <input type="hidden" name="act" value="preview" />
        <label className="font-bold">
          CSV file of the bank
          <span className="mb-1.5 block text-sm font-normal text-mute">
            CommBank, NAB, Westpac, ANZ and others, up to 2 MB. You see a preview first. Files can overlap, and you can
            upload the same file twice. Choose whole days. If the file has no balances and starts or ends within a day,
            we may read equal payments of that day as one.
          </span>
          <input
            type="file"
            name="file"
            accept=".csv,text/csv"
            required
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? 'file-fault' : undefined}
            className={field}
          />
        </label>
        <button type="submit" className={button.primary}>
          Check this file
        </button>
      </Form>
      {fault && (
        <p id="file-fault" role="alert" className="mt-3 font-semibold text-fault">
          {fault} Nothing was saved.
        </p>
      )}
    </Panel>
  );
}

/** Payments for a person, a page of them. */
function Odd({ shown: { odd, olderThan, pages }, form }: { shown: MoneyData; form: FormState }) {
  const none = pages.before ? 'That’s all.' : allWell[pages.part];
  return (
    <Panel title="Payments to look at">
      <Tabs
        label="Payments to look at"
        tabs={[
          { text: 'To do', to: address['to-do'], current: pages.part === 'to-do' },
          { text: 'Late, or after a cancellation', to: address.others, current: pages.part === 'others' },
          { text: 'Set aside', to: address.aside, current: pages.part === 'aside' },
        ]}
      />
      {odd.some(({ suggestions }) => suggestions.some(({ sure }) => sure)) && (
        <p className="mb-3">
          <TextLink to={href('/staff/payments/suggested')}>Accept sure suggestions together</TextLink>
        </p>
      )}
      <Rows
        label="Payments to look at"
        rows={odd}
        keyOf={({ id }) => id}
        columns={columns}
        roomy
        none={<Words>{none}</Words>}
      >
        {({ id, day, amount, words, why, isAside, reference, todo, suggestions }) => (
          <>
            <Moved
              day={day}
              amount={<TextLink to={href('/staff/payments/:id', { id: String(id) })}>{amount}</TextLink>}
              words={words}
            />
            <div>
              <p className="font-semibold">{why}</p>
              {reference ? (
                <p>
                  <EnrolmentLink reference={reference} /> {todo && <span className="text-mute">{todo}</span>}
                </p>
              ) : isAside ? null : (
                <>
                  <Suggestions paymentId={id} suggestions={suggestions} form={form} />
                  <Assign id={id} form={form} />
                </>
              )}
            </div>
          </>
        )}
      </Rows>
      {odd.length > 0 && (
        <OnlyWith permission="lists:export">
          <p className="mt-3">
            <FileLink to={href('/staff/:list.csv', { list: 'payments' })}>
              All payments to look at, as a file (CSV)
            </FileLink>
          </p>
        </OnlyWith>
      )}
      <More
        first={pages.before !== null}
        home={address[pages.part]}
        next={olderThan && `${address[pages.part]}${pages.part === 'to-do' ? '?' : '&'}before=${olderThan}`}
        label="Pages of payments"
        words="Older payments"
      />
    </Panel>
  );
}

const address = {
  'to-do': href('/staff/payments'),
  others: `${href('/staff/payments')}?show=late`,
  aside: `${href('/staff/payments')}?show=aside`,
};
const allWell = {
  'to-do': 'Every payment has an enrolment. None of the last 90 days is still too small or too large.',
  others: 'Every other payment of the last 90 days came in time, and before its places were cancelled.',
  aside: 'Nobody set a payment aside in the last 90 days. You can do it on the page of a payment that is not for us.',
};

function Assign({ id, form }: { id: number; form: FormState }) {
  const typed = form.values.payment === String(id) ? form : null;
  return (
    <ActForm
      act="assign"
      id={null}
      form={form}
      needs="money:record"
      className="mt-1 flex gap-2"
      carries={{ payment: id }}
    >
      <label className="min-w-0 grow">
        <span className="sr-only">Reference or invoice number</span>
        <input
          id={typed ? 'to' : undefined}
          name="to"
          placeholder="BB-7KQ2MX"
          defaultValue={typed?.values.to ?? ''}
          aria-invalid={typed?.errors.to ? true : undefined}
          className={field}
        />
      </label>
      <SendButton>Assign</SendButton>
    </ActForm>
  );
}
