import { Form, href, Link, useNavigation } from 'react-router';
import { gstIn } from '#app/lib/gst.ts';
import { formatMoney } from '#app/lib/money.ts';
import { CodeField, type CodeState } from '#app/routes/enrol/code-field.tsx';
import { mainButton } from '#app/routes/enrol/price-bar.tsx';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';

export const acceptForm = 'accept-form';
export const acceptLabels = {
  name: 'Your name',
  email: 'Your email',
  purchaseOrder: 'Purchase order',
  code: 'Code from your email',
  accepted: 'Terms',
};

type Props = {
  token: string;
  number: string;
  /** What accepting costs now, GST included. */
  totalCents: number;
  fellFromCents: number | null;
  /** Null: a person pays. */
  organisation: string | null;
  /** The names of those who attend, as far as they are known; '' for none. */
  attends: string;
  form: FormState;
  /** Once a code was asked for. */
  code: CodeState | null;
};

/** Where a quote is signed: the sum, who accepts, the code of their address, the terms and the button (P28, P111). */
export function AcceptCard({ token, number, totalCents, fellFromCents, organisation, attends, form, code }: Props) {
  const sending = useNavigation().state === 'submitting';
  const error = form.errors.accepted;
  return (
    <section
      id="accept"
      tabIndex={-1}
      aria-labelledby="accept-title"
      className="no-print mt-8 min-w-0 self-start rounded-card border border-line bg-card p-5 outline-none sm:p-6 lg:sticky lg:top-6 lg:col-start-2 lg:row-start-1 lg:mt-0"
    >
      <h2 id="accept-title" className="text-xl">
        Accept {number}
      </h2>
      <p className="tabular mt-2 font-display text-[1.75rem] leading-tight font-bold">{formatMoney(totalCents)}</p>
      <p className="text-sm text-mute">
        incl. {formatMoney(gstIn(totalCents))} GST.{' '}
        {fellFromCents !== null && `The price has fallen since the quote of ${formatMoney(fellFromCents)}.`}
      </p>
      {attends !== '' && (
        <p className="mt-3 wrap-anywhere">
          <b>Attends:</b> {attends}
        </p>
      )}
      <Form
        id={acceptForm}
        method="post"
        action={href('/offer/:token', { token })}
        noValidate
        className="mt-5 grid gap-4"
      >
        <input type="hidden" name="total" value={totalCents} />
        <TextField form={form} name="name" label={acceptLabels.name} autoComplete="name" required />
        <TextField form={form} name="email" label={acceptLabels.email} type="email" autoComplete="email" required />
        {organisation !== null && <TextField form={form} name="purchaseOrder" label={acceptLabels.purchaseOrder} />}
        {code === null ? (
          <div>
            <button type="submit" name="intent" value="code" disabled={sending} className={`${mainButton} min-h-12`}>
              {sending ? 'Sending' : 'Email me a code'}
            </button>
            <p className="mt-2 text-sm text-mute">
              It confirms your address. You accept with the next button, not with this one.
            </p>
          </div>
        ) : (
          <>
            <CodeField form={form} code={code} change="To use another address, change it above first." />
            <div>
              <label className="flex gap-3">
                <input
                  id="accepted"
                  type="checkbox"
                  name="accepted"
                  defaultChecked={form.values.accepted === 'on'}
                  required
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? 'accepted-error' : undefined}
                  className="mt-0.5 size-5 shrink-0 accent-action"
                />
                <span>
                  I accept the{' '}
                  <Link
                    to={href('/terms')}
                    target="_blank"
                    className="font-bold text-link underline underline-offset-4"
                  >
                    terms
                  </Link>{' '}
                  (they open in a new window), with the refunds shown here.
                </span>
              </label>
              {error && (
                <p id="accepted-error" className="mt-1.5 font-semibold text-fault">
                  {error}
                </p>
              )}
            </div>
            <button
              type="submit"
              name="intent"
              value="accept"
              disabled={sending}
              aria-busy={sending}
              className={`${mainButton} min-h-14`}
            >
              {sending ? 'Accepting' : 'Accept and enrol'}
            </button>
            <p className="text-sm text-mute">
              This makes a contract for {formatMoney(totalCents)} incl. GST
              {organisation !== null && ` in the name of ${organisation}`}. You become the buyer: we email you the tax
              invoice and the link to the enrolment.
            </p>
          </>
        )}
      </Form>
    </section>
  );
}
