import { useEffect, useRef } from 'react';
import { data, Form, href, redirect } from 'react-router';
import { countToMatch } from '#app/features/enrolments/todo.server.ts';
import { type MoneyPages, readMoney } from '#app/features/money/money-page.server.ts';
import { listPayments } from '#app/features/money/payment-list.server.ts';
import { recordedIn } from '#app/features/money/recorded-statement.ts';
import { keepUpload } from '#app/features/money/statement-uploads.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
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
import { ListBar } from '#app/ui/staff/list-bar.tsx';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/payments';
import { columns, EnrolmentLink, type MoneyData, More, Moved, Outgoing, Refunds, Skipped } from './money-lists.tsx';
import { parts, paymentList } from './payment-list.tsx';
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
  const academy = context.get(academyContext);
  const { db } = academy;
  const { now, today } = momentOf(academy);
  const asked = paymentList.viewOf(url.searchParams);
  // A search looks through all of them.
  const part = asked.search ? 'all' : asked.values.show;
  const view = { ...asked, values: { show: part } };
  const waiting = await unlessDatabaseAway(() => countToMatch(db, actor));
  const tabs = paymentList
    .tabsOf({ ...view, search: '' }, 'show', parts)
    .map((tab, at) => (at === 0 ? { ...tab, count: String(waiting) } : tab));
  if (part === 'all') {
    const { rows, ...page } = await unlessDatabaseAway(() => listPayments(db, actor, view, today));
    return { all: { ...paymentList.pageOf(view, page), rows: rows.map((row) => paymentList.show(row)) }, tabs };
  }
  const pages = { part, before: idIn(url, 'before'), refundsAfter: idIn(url, 'refunds-after') };
  const { seen, ...money } = await unlessDatabaseAway(() => readMoney(db, actor, now, pages));
  const recorded = recordedIn(url.searchParams);
  const accepted = { accepted: idIn(url, 'accepted') ?? 0, changed: idIn(url, 'changed') ?? 0 };
  return {
    all: null,
    tabs,
    view,
    shown: { ...shownMoney(money), pages },
    recorded,
    accepted,
    form: blankStaffForm(seen),
  };
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
  const upload = (
    <OnlyWith permission="money:record">
      <Upload faulty={Boolean(actionData?.fault)} />
    </OnlyWith>
  );
  if (loaderData.all) {
    const { rows, ...page } = loaderData.all;
    return (
      <ListPage
        list={paymentList}
        page={page}
        acts={upload}
        tabs={loaderData.tabs}
        searches={searches}
        rows={rows}
        keyOf={({ id }) => id}
        none={
          page.view.search ? 'No payment matches. Type an amount, a day, or fewer words.' : 'No payment has come yet.'
        }
      />
    );
  }
  const { tabs, view, shown, recorded, accepted } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead title="Payments">
        {shown.pages.part !== 'refunds' && (
          <OnlyWith permission="lists:export">
            <a href={href('/staff/:list.csv', { list: 'payments' })} className={button.quiet}>
              Export CSV
            </a>
          </OnlyWith>
        )}
        {upload}
      </PageHead>
      <WhoMay needs="money:record" what="record money" />
      {actionData?.form && (
        <ErrorSummary form={form} labels={{ to: 'Enrolment of the payment' }} formId="statement-form" />
      )}
      {actionData?.fault && (
        <p id="file-fault" role="alert" className="mb-3 font-semibold text-fault">
          {actionData.fault} Nothing was saved.
        </p>
      )}
      {recorded && !actionData && <Recorded counts={recorded} />}
      {accepted.accepted > 0 && !actionData && <Accepted counts={accepted} />}
      <Tabs label="Views" tabs={tabs} />
      <ListBar list={paymentList} view={view} searches={searches} />
      <div className="mt-3 grid gap-10">
        {shown.pages.part === 'refunds' ? <Refunds shown={shown} /> : <Odd shown={shown} form={form} />}
        <Outgoing outgoing={shown.outgoing} form={form} />
        <Skipped skipped={shown.skipped} />
      </div>
      {shown.pages.part === 'match' && (
        <OnlyWith permission="money:record">
          <p id="file-hint" className="mt-8 max-w-prose text-sm text-mute">
            A statement is a CSV file of CommBank, NAB, Westpac, ANZ or another bank, up to 2 MB. You see a preview
            first. Files can overlap, and you can upload the same file twice. Choose whole days. If the file has no
            balances and starts or ends within a day, we may read equal payments of that day as one.
          </p>
        </OnlyWith>
      )}
    </>
  );
}

const searches = 'Amount, day, name or words';

type Work = Extract<Route.ComponentProps['loaderData'], { all: null }>;

function Recorded({ counts }: { counts: NonNullable<Work['recorded']> }) {
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

function Accepted({ counts: { accepted, changed } }: { counts: Work['accepted'] }) {
  return (
    <div role="status" className="mb-6 rounded-control border border-edge bg-card p-4">
      <p>
        {accepted} {accepted === 1 ? 'suggestion is' : 'suggestions are'} accepted.
        {changed > 0 && ` ${changed} ${changed === 1 ? 'was' : 'were'} sure no longer and stayed as before.`}
      </p>
    </div>
  );
}

/** One press: choosing the file sends it. Without scripts a second button does. */
function Upload({ faulty }: { faulty: boolean }) {
  const chosen = useRef<HTMLInputElement>(null);
  // Chosen before the scripts had started.
  useEffect(() => {
    if (chosen.current?.files?.length) chosen.current.form?.requestSubmit();
  }, []);
  return (
    <Form
      method="post"
      action={href('/staff/payments')}
      encType="multipart/form-data"
      reloadDocument
      className="flex gap-2"
    >
      <input type="hidden" name="act" value="preview" />
      <label
        className={`${button.primary} relative focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus`}
      >
        Upload a statement
        <input
          ref={chosen}
          type="file"
          name="file"
          accept=".csv,text/csv"
          required
          aria-invalid={faulty || undefined}
          aria-describedby={faulty ? 'file-fault' : undefined}
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
          className="absolute inset-0 w-full cursor-pointer opacity-0"
        />
      </label>
      <noscript>
        <button type="submit" className={button.quiet}>
          Check this file
        </button>
      </noscript>
    </Form>
  );
}

/** Payments for a person, a page of them. */
function Odd({ shown: { odd, olderThan, pages }, form }: { shown: MoneyData; form: FormState }) {
  const none = pages.before ? 'That’s all.' : allWell[pages.part];
  const home = paymentsAt(pages.part);
  return (
    <div>
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
        {({ id, day, amount, words, why, isAside, reference, buyer, todo, suggestions }) => (
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
                  <EnrolmentLink reference={reference} /> {buyer}. {todo && <span className="text-mute">{todo}</span>}
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
      <More
        first={pages.before !== null}
        home={home}
        next={olderThan && `${home}${home.includes('?') ? '&' : '?'}before=${olderThan}`}
        label="Pages of payments"
        words="Older payments"
      />
    </div>
  );
}

const paymentsAt = (show: MoneyPages['part']) => `${href('/staff/payments')}${show === 'match' ? '' : `?show=${show}`}`;
const allWell = {
  match: 'Every payment has an enrolment. None of the last 90 days is still too small or too large.',
  late: 'Every other payment of the last 90 days came in time, and before its places were cancelled.',
  aside: 'Nobody set a payment aside in the last 90 days. You can do it on the page of a payment that is not for us.',
  refunds: '',
};

function Assign({ id, form }: { id: number; form: FormState }) {
  const typed = form.values.payment === String(id) ? form : null;
  return (
    <ActForm
      act="assign"
      id={null}
      form={form}
      needs="money:record"
      className="mt-1 flex max-w-md gap-2"
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
