import { data, Form, href, redirect, useNavigation } from 'react-router';
import { staffContext } from '#app/features/accounts/staff-only.server.ts';
import { enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import {
  previewUpload,
  readMoney,
  takeAssignment,
  takeStatement,
} from '#app/features/enrolments/desk/payments.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { freshDesk } from '#app/http/desk-form.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { ActFields, Panel, Table, TextLink, Words } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import type { Route } from './+types/payments';
import { Preview } from './preview.tsx';
import { shownMoney, shownPreview } from './shown-money.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, forms } = context.get(enquiriesContext);
  const { seen, ...money } = await orAway(() => readMoney(db, forms.trueNow()));
  return { ...shownMoney(money), recorded: url.searchParams.has('recorded'), form: freshDesk(seen) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const desk = context.get(enquiriesContext);
  const staff = context.get(staffContext);
  const form = await readForm(request);
  const act = form?.get('act');
  if (act === 'preview') {
    const preview = shownPreview(await orAway(() => previewUpload(desk, form)));
    return data({ preview, form: null }, { status: preview.ok ? 200 : 400 });
  }
  const result = await (act === 'record'
    ? takeStatement(desk, { form, staff })
    : takeAssignment(desk, { form, staff }));
  if (result.ok) throw redirect(`${href('/staff/payments')}${act === 'record' ? '?recorded' : ''}`, 303);
  return data({ preview: null, form: result.form }, { status: result.status });
}

export const meta = () => staffMeta('Money');

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { odd, refunds, recorded } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const preview = actionData?.preview;
  return (
    <>
      <h1 className="mb-6 text-2xl">Money</h1>
      {actionData?.form && (
        <ErrorSummary form={form} labels={{ to: 'Enrolment of the payment' }} formId="statement-form" />
      )}
      {recorded && !actionData && (
        <p role="status" className="mb-6 rounded-control border border-edge bg-card p-4">
          The statement is recorded. What could not be matched is listed below.
        </p>
      )}
      <div className="grid gap-10">
        {preview?.ok ? <Preview preview={preview} form={loaderData.form} /> : <Upload fault={preview?.why ?? null} />}
        <Odd odd={odd} form={form} />
        <Refunds refunds={refunds} />
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Upload({ fault }: { fault: string | null }) {
  return (
    <Panel title="Bank statement">
      <Form
        method="post"
        encType="multipart/form-data"
        reloadDocument
        className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
      >
        <input type="hidden" name="act" value="preview" />
        <label className="font-bold">
          CSV file of the bank
          <span className="mb-1.5 block text-sm font-normal text-mute">
            CommBank, NAB, Westpac, ANZ and alike, up to 60 KB. First you see what it would do; the same file twice
            changes nothing.
          </span>
          <input
            type="file"
            name="file"
            accept=".csv,text/csv"
            required
            aria-invalid={fault ? true : undefined}
            className={field}
          />
        </label>
        <button type="submit" className={button.primary}>
          Look at it
        </button>
      </Form>
      {fault && (
        <p role="alert" className="mt-3 font-semibold text-fault">
          {fault} Nothing was stored.
        </p>
      )}
    </Panel>
  );
}

function Odd({ odd, form }: { odd: Data['odd']; form: FormState }) {
  return (
    <Panel title={`Payments to look at (${odd.length})`}>
      {odd.length === 0 ? (
        <Words>Every payment of the last 90 days has its enrolment, and came once, in time and in full.</Words>
      ) : (
        <Table head={['Came in', 'Amount', 'Words of the payer', 'Why', 'Enrolment']} label="Payments to look at">
          {odd.map(({ id, day, amount, words, why, reference, balance }) => (
            <tr key={id}>
              <td>{day}</td>
              <td className="font-bold">{amount}</td>
              <td className="break-words">{words}</td>
              <td>
                {why}
                {balance && <div className="text-mute">{balance}</div>}
              </td>
              <td>
                {reference ? (
                  <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                ) : (
                  <Assign id={id} form={form} />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Assign({ id, form }: { id: number; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const typed = form.values.payment === String(id) ? form : null;
  return (
    <Form method="post" preventScrollReset className="flex min-w-56 gap-2">
      <ActFields form={form} act="assign" />
      <input type="hidden" name="payment" value={id} />
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
      <button type="submit" disabled={sending} className={button.quiet}>
        Assign
      </button>
    </Form>
  );
}

function Refunds({ refunds }: { refunds: Data['refunds'] }) {
  return (
    <Panel title={`Refunds to be sent (${refunds.length})`}>
      {refunds.length === 0 ? (
        <Words>No money is owed to anybody.</Words>
      ) : (
        <Table head={['Enrolment', 'To refund', 'Where the money came from', '']} label="Refunds to be sent">
          {refunds.map(({ reference, buyer, amount, sources, failed }) => (
            <tr key={reference}>
              <td>
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                <div>{buyer}</div>
              </td>
              <td className="font-bold">{amount}</td>
              <td>
                {sources.map(({ id, text }) => (
                  <p key={id}>{text}</p>
                ))}
              </td>
              <td>{failed && <span className="font-semibold text-fault">A refund failed before</span>}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
