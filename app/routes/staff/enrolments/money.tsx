import type { ComponentProps } from 'react';
import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { FileLink, Table, TextLink } from '#app/ui/staff/typography.tsx';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import type { ShownEnrolment } from './shown-enrolment.server.ts';

type Props = {
  enrolment: ShownEnrolment;
  form: FormState;
  /** The act whose form the address opens. */
  opens: string | null;
};

/** The ledger of the enrolment with a running balance, the amounts due with their days and reasons, and the acts. */
export function Money({ enrolment, form, opens }: Props) {
  const { ledger, dues, payments, purchaseOrder } = enrolment;
  return (
    <Section title="Money" id="money" beside={purchaseOrder && `Purchase order ${purchaseOrder}`}>
      {ledger.length === 0 ? (
        <p className="py-2 text-mute">Nothing is invoiced yet.</p>
      ) : (
        <Table
          head={['Day', 'What', 'Document', { text: 'AU$', right: true }, { text: 'Owed after, AU$', right: true }]}
          label="Money"
          stacks
        >
          {ledger.map(({ key, day, what, link, amount, owedAfter }) => (
            <tr key={key}>
              <td className="whitespace-nowrap text-mute">{day}</td>
              <td className="wrap-anywhere">{what}</td>
              <td className="whitespace-nowrap">
                {link &&
                  (link.file ? (
                    <FileLink to={link.to}>{link.text}</FileLink>
                  ) : (
                    <TextLink to={link.to}>{link.text}</TextLink>
                  ))}
              </td>
              <NumberCell head="AU$">{amount}</NumberCell>
              <NumberCell head="Owed after" className="text-mute">
                {owedAfter}
              </NumberCell>
            </tr>
          ))}
          {dues.map(({ key, day, why, amount, late }) => (
            <tr key={key} className={day ? 'font-semibold' : 'text-mute'}>
              <td className={`whitespace-nowrap ${late ? 'text-fault' : ''}`}>{day}</td>
              <td colSpan={2}>{late ? `${why}. Late` : why}</td>
              <td />
              <NumberCell head="AU$" className={late ? 'text-fault' : ''}>
                {amount}
              </NumberCell>
            </tr>
          ))}
        </Table>
      )}
      <Acts enrolment={enrolment} form={form} />
      <Refunds payments={payments} form={form} />
      <div className="mt-4 grid gap-3">
        <RecordPayment form={form} opens={opens} />
        {payments.some(({ leftCents }) => leftCents > 0) && (
          <RecordRefund enrolment={enrolment} form={form} opens={opens} />
        )}
      </div>
    </Section>
  );
}

function Acts({ enrolment, form }: Omit<Props, 'opens'>) {
  const { reference, invoices, openInvoices, places } = enrolment;
  const [last] = invoices.toReversed();
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {invoices.length > 0 && (
        <OnlyWith permission="money:refund">
          <Link to={href('/staff/enrolments/:reference/discount', { reference })} className={button.quiet}>
            Give a discount
          </Link>
        </OnlyWith>
      )}
      {openInvoices.length > 0 && (
        <OnlyWith permission="money:agree">
          <Link to={href('/staff/enrolments/:reference/instalments', { reference })} className={button.quiet}>
            Agree on instalments
          </Link>
        </OnlyWith>
      )}
      {last && (
        <ActForm
          act="send-invoice"
          form={form}
          needs="enrolments:change"
          carries={{ invoice: last.id }}
          submit={invoices.length === 1 ? 'Send the invoice again' : `Send ${last.number} again`}
        />
      )}
      {places.some(({ active }) => active) && (
        <OnlyWith permission="enrolments:change">
          <Link
            to={href('/staff/enrolments/:reference/cancel', { reference })}
            className="px-2 font-semibold text-mute underline-offset-3 hover:text-ink hover:underline"
          >
            Cancel places
          </Link>
        </OnlyWith>
      )}
    </div>
  );
}

/** Payments with refunds that a bank can send back. */
function Refunds({ payments, form }: { payments: ShownEnrolment['payments']; form: FormState }) {
  const refunds = payments.flatMap((payment) => payment.refunds);
  if (refunds.length === 0) return null;
  return (
    <ul className="mt-3" aria-label="Refunds">
      {refunds.map((refund) => (
        <li
          key={refund.id}
          className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-1.5 last:border-b-0"
        >
          <p className="min-w-0 wrap-anywhere">
            {refund.what} <span className="text-sm text-mute">{refund.by}</span>
          </p>
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
        </li>
      ))}
    </ul>
  );
}

/** A form that is folded up until it is wanted, or was refused. */
function Folded({ title, opens, ...form }: ComponentProps<typeof ActForm> & { title: string; opens: string | null }) {
  return (
    <OnlyWith permission={form.needs}>
      <details
        id={form.act ?? undefined}
        open={form.form.values.act === form.act || opens === form.act}
        className="group border-t border-line pt-2"
      >
        <summary className="flex w-fit cursor-pointer items-center gap-2 font-semibold text-link">
          {title}
          <Sign name="down" className="size-4 shrink-0 group-open:rotate-180" />
        </summary>
        <ActForm look="primary" {...form} className="mt-3 grid gap-3 sm:grid-cols-2" />
      </details>
    </OnlyWith>
  );
}

const methods = { bank: 'Bank transfer', card: 'Card', other: 'Other' };

function RecordPayment({ form, opens }: Omit<Props, 'enrolment'>) {
  return (
    <Folded
      title="Record a payment"
      act="payment"
      form={form}
      opens={opens}
      needs="money:record"
      submit="Record the payment"
    >
      <TextField form={form} name="amount" label={labels.amount} inputMode="decimal" required />
      <TextField form={form} name="day" label={labels.day} type="date" required />
      <SelectField form={form} name="method" label={labels.method} required>
        <Options of={Object.entries(methods)} />
      </SelectField>
      <TextField form={form} name="words" label={labels.words} />
    </Folded>
  );
}

function RecordRefund({ enrolment: { payments, today }, form, opens }: Props) {
  return (
    <Folded
      title="Record a refund"
      act="refund"
      form={form}
      opens={opens}
      needs="money:refund"
      submit="Record the refund"
      look="danger"
    >
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
            // The last one is the likeliest to be too much.
            .toReversed()
            .map(({ id, left, what }) => [id, `${what}, ${left} left`])}
        />
      </SelectField>
      <TextField form={form} name="refunded" label={labels.refunded} inputMode="decimal" required />
      <TextField
        form={form}
        name="sentOn"
        label={labels.sentOn}
        type="date"
        defaultValue={form.values.sentOn ?? today}
        required
      />
      <TextField form={form} name="why" label={labels.why} required />
    </Folded>
  );
}
