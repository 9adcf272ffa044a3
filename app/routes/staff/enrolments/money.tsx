import { Form, href, useNavigation } from 'react-router';
import { ActFields, Panel, Table, TextLink } from '#app/routes/staff/frame/parts.tsx';
import { enrolmentLabels as labels } from '#app/routes/staff/labels.ts';
import { button } from '#app/ui/button.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
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
                <a
                  href={href('/staff/documents/:kind/:id', { kind, id })}
                  className="font-bold text-link underline underline-offset-4"
                >
                  {number}
                </a>
              </td>
              <td>{what}</td>
              <td>{amount}</td>
            </tr>
          ))}
        </Table>
      )}
      <Payments payments={payments} form={form} />
      <div className="mt-6 grid gap-4">
        <RecordPayment form={form} open={form.values.act === 'payment'} />
        {payments.some(({ leftCents }) => leftCents > 0) && <RecordRefund enrolment={enrolment} form={form} />}
        {documents.length > 0 && <LowerPrice enrolment={enrolment} form={form} />}
      </div>
    </Panel>
  );
}

/** A reminder by hand; the program's own come three days before the due day, and three and ten days after (P39). */
function Remind({ form }: { form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id="remind-form" method="post" preventScrollReset className="mb-4">
      <ActFields form={form} act="remind" />
      <button type="submit" disabled={sending} className={button.quiet}>
        Send a reminder now
      </button>
    </Form>
  );
}

function Payments({ payments, form }: { payments: ShownEnrolment['payments']; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
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
                <Form method="post" preventScrollReset>
                  <ActFields form={form} act="refund-failed" />
                  <button type="submit" name="refund" value={refund.id} disabled={sending} className={button.quiet}>
                    It failed
                  </button>
                </Form>
              )}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

function RecordPayment({ form, open }: { form: FormState; open: boolean }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <details open={open} className="group rounded-control border border-line p-4">
      <summary className="flex items-center justify-between gap-4 font-bold">
        Record a payment
        <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <Form id="payment-form" method="post" noValidate preventScrollReset className="mt-4 grid gap-4 sm:grid-cols-2">
        <ActFields form={form} act="payment" />
        <TextField form={form} name="amount" label={labels.amount} inputMode="decimal" required />
        <TextField form={form} name="day" label={labels.day} type="date" required />
        <SelectField form={form} name="method" label={labels.method} required>
          <option value="bank">Bank transfer</option>
          <option value="card">Card</option>
          <option value="other">Otherwise</option>
        </SelectField>
        <TextField form={form} name="words" label={labels.words} />
        <div>
          <button type="submit" disabled={sending} className={button.primary}>
            Record the payment
          </button>
        </div>
      </Form>
    </details>
  );
}

function RecordRefund({ enrolment: { payments }, form }: Props) {
  const sending = useNavigation().state === 'submitting';
  return (
    <details open={form.values.act === 'refund'} className="group rounded-control border border-line p-4">
      <summary className="flex items-center justify-between gap-4 font-bold">
        Record a refund
        <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <Form id="refund-form" method="post" noValidate preventScrollReset className="mt-4 grid gap-4 sm:grid-cols-2">
        <ActFields form={form} act="refund" />
        <SelectField
          form={form}
          name="payment"
          label="Of which payment"
          hint="It goes to where the money came from. One of a payment through Stripe is sent by recording it; send any other first."
          required
        >
          {payments
            .filter(({ leftCents }) => leftCents > 0)
            .map(({ id, left, what }) => (
              <option key={id} value={id}>
                {what}, {left} left
              </option>
            ))}
        </SelectField>
        <TextField form={form} name="refunded" label={labels.refunded} inputMode="decimal" required />
        <TextField form={form} name="why" label={labels.why} required />
        <div className="self-end">
          <button type="submit" disabled={sending} className={button.primary}>
            Record the refund
          </button>
        </div>
      </Form>
    </details>
  );
}

function LowerPrice({ enrolment: { places }, form }: Props) {
  const sending = useNavigation().state === 'submitting';
  return (
    <details open={form.values.act === 'credit'} className="group rounded-control border border-line p-4">
      <summary className="flex items-center justify-between gap-4 font-bold">
        Lower a price without cancelling
        <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <Form id="credit-form" method="post" noValidate preventScrollReset className="mt-4 grid gap-4 sm:grid-cols-2">
        <ActFields form={form} act="credit" />
        <SelectField form={form} name="place" label={labels.place} required>
          {places.map(({ id, who, course }) => (
            <option key={id} value={id}>
              {who}, {course}
            </option>
          ))}
        </SelectField>
        <TextField form={form} name="credit" label={labels.credit} inputMode="decimal" required />
        <TextField form={form} name="creditWhy" label={labels.creditWhy} required />
        <div className="self-end">
          <button type="submit" disabled={sending} className={button.primary}>
            Issue the adjustment note
          </button>
        </div>
      </Form>
    </details>
  );
}
