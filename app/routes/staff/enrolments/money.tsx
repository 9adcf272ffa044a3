import type { ComponentProps } from 'react';
import { href } from 'react-router';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { FileLink, Panel, Table, TextLink } from '#app/ui/staff/parts.tsx';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import type { ShownEnrolment } from './shown-enrolment.server.ts';

type Props = { enrolment: ShownEnrolment; form: FormState };

/** What was invoiced, paid and refunded, and the forms by which staff record it. */
export function Money({ enrolment, form }: Props) {
  const { sums, due, canRemind, documents, payments } = enrolment;
  return (
    <Panel title="Money">
      <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
        {sums.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-mute">{label}</dt>
            <dd className="tabular text-lg font-bold">{value}</dd>
          </div>
        ))}
      </dl>
      {due.length > 0 && (
        <ul className="mb-4 grid gap-1">
          {due.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {canRemind && <Remind form={form} />}
      {documents.length > 0 && (
        <Table head={['Document', 'What', 'Amount']} label="Invoices and adjustment notes">
          {documents.map(({ kind, id, number, what, amount }) => (
            <tr key={number}>
              <td>
                <FileLink to={href('/staff/documents/:kind/:id', { kind, id })}>{number}</FileLink>
              </td>
              <td>{what}</td>
              <td>{amount}</td>
            </tr>
          ))}
        </Table>
      )}
      <Payments payments={payments} form={form} />
      <div className="mt-6 grid gap-4">
        <RecordPayment form={form} />
        {payments.some(({ leftCents }) => leftCents > 0) && <RecordRefund enrolment={enrolment} form={form} />}
        {documents.length > 0 && <LowerPrice enrolment={enrolment} form={form} />}
      </div>
    </Panel>
  );
}

/** A reminder by hand; the program's own come three days before the due day, and three and ten days after (P39). */
function Remind({ form }: { form: FormState }) {
  return <ActForm act="remind" form={form} needs="enrolments:change" className="mb-4" submit="Send a reminder now" />;
}

function Payments({ payments, form }: { payments: ShownEnrolment['payments']; form: FormState }) {
  if (payments.length === 0) return <p className="mt-4 text-mute">Nothing has been paid yet.</p>;
  return (
    <ul className="mt-4 overflow-hidden rounded-control border border-line bg-card text-sm">
      {payments.map(({ id, amount, what, words, by, refunds }) => (
        <li key={id} className="border-b border-line px-4 py-3 last:border-b-0">
          <p>
            <b className="tabular">{amount}</b> {what}
          </p>
          {words && <p className="break-words">“{words}”</p>}
          <p className="text-mute">{by}</p>
          <TextLink to={href('/staff/payments/:id', { id: String(id) })}>Divide or move it</TextLink>
          {refunds.map((refund) => (
            <div
              key={refund.id}
              className="mt-2 flex flex-wrap items-center justify-between gap-2 border-l-3 border-edge pl-3"
            >
              <div className="min-w-0">
                <p className="break-words font-semibold">{refund.what}</p>
                <p className="text-mute">{refund.by}</p>
              </div>
              {refund.canFail && (
                <ActForm
                  act="refund-failed"
                  id={null}
                  form={form}
                  needs="money:refund"
                  carries={{ refund: refund.id }}
                  className=""
                  submit="It failed"
                />
              )}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** A form that is folded up until it is wanted, or was refused. */
function Folded({ title, ...form }: ComponentProps<typeof ActForm> & { title: string }) {
  return (
    <OnlyWith permission={form.needs}>
      <details open={form.form.values.act === form.act} className="group rounded-control border border-line p-4">
        <summary className="flex items-center justify-between gap-4 font-bold">
          {title}
          <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
        </summary>
        <ActForm {...form} className="mt-4 grid gap-4 sm:grid-cols-2" look="primary" />
      </details>
    </OnlyWith>
  );
}

const methods = { bank: 'Bank transfer', card: 'Card', other: 'Other' };

function RecordPayment({ form }: { form: FormState }) {
  return (
    <Folded title="Record a payment" act="payment" form={form} needs="money:record" submit="Record the payment">
      <TextField form={form} name="amount" label={labels.amount} inputMode="decimal" required />
      <TextField form={form} name="day" label={labels.day} type="date" required />
      <SelectField form={form} name="method" label={labels.method} required>
        <Options of={Object.entries(methods)} />
      </SelectField>
      <TextField form={form} name="words" label={labels.words} />
    </Folded>
  );
}

function RecordRefund({ enrolment: { payments }, form }: Props) {
  return (
    <Folded title="Record a refund" act="refund" form={form} needs="money:refund" submit="Record the refund">
      <SelectField
        form={form}
        name="payment"
        label="Of which payment"
        hint="Send the refund to where the money came from, then record it here. For a card payment, recording it also sends it through Stripe."
        required
      >
        <Options
          of={payments
            .filter(({ leftCents }) => leftCents > 0)
            .map(({ id, left, what }) => [id, `${what}, ${left} left`])}
        />
      </SelectField>
      <TextField form={form} name="refunded" label={labels.refunded} inputMode="decimal" required />
      <TextField form={form} name="why" label={labels.why} required />
    </Folded>
  );
}

function LowerPrice({ enrolment: { places }, form }: Props) {
  return (
    <Folded
      title="Lower a price without cancelling"
      act="credit"
      form={form}
      needs="money:refund"
      submit="Issue the adjustment note"
    >
      <SelectField form={form} name="place" label={labels.place} required>
        <Options of={places.map(({ id, who, course }) => [id, `${who}, ${course}`])} />
      </SelectField>
      <TextField form={form} name="credit" label={labels.credit} inputMode="decimal" required />
      <TextField form={form} name="creditWhy" label={labels.creditWhy} required />
    </Folded>
  );
}
