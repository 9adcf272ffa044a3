import { Form, href, Link } from 'react-router';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { AddressRemark } from './address-remark.tsx';
import { CodeField, type CodeState, Intent } from './code-field.tsx';
import { mainButton } from './price-bar.tsx';
import { type Due, PriceTable } from './price-summary.tsx';

type Props = {
  token: string;
  form: FormState;
  formId: string;
  quote: ChoicePrice;
  fellFromCents: number | null;
  due: Due | null;
  /** The facts that the box accepts: the terms, the choice and the price shown. */
  of: string;
  code: CodeState;
  sending: boolean;
};

/** The card to sign: the sum, the code, the terms and the button that makes the contract (P28, P31). */
export function SignCard({ token, form, formId, quote, fellFromCents, due, of, code, sending }: Props) {
  const error = form.errors.accepted;
  // The box counts for the facts shown now, not for those of an earlier page.
  const accepted = form.values.accepted === 'on' && (form.values.of ?? of) === of;
  const people = quote.attendees === 1 ? '1 person' : `${quote.attendees} people`;
  return (
    <section
      id="sign"
      tabIndex={-1}
      aria-labelledby="sign-title"
      className="min-w-0 self-start bg-card px-[clamp(1rem,4vw,3.5rem)] py-6 outline-none max-lg:-mx-[clamp(1rem,4vw,3.5rem)] max-lg:rounded-t-card max-lg:border-t max-lg:border-line lg:sticky lg:top-6 lg:rounded-card lg:border lg:border-line lg:px-6 lg:py-5"
    >
      <h2 id="sign-title" className="text-xl">
        Enrol {people}
      </h2>
      <PriceTable quote={quote} due={due} fellFromCents={fellFromCents} short />
      <Form
        id={formId}
        method="post"
        action={stepPath(token, 'review')}
        noValidate
        className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 max-lg:max-w-xl"
      >
        <input type="hidden" name="of" value={of} />
        <CodeField form={form} code={code} change={<Intent value="back">Change the address</Intent>}>
          <AddressRemark email={code.email} formId={formId} />
        </CodeField>
        <div>
          <label className="flex gap-3">
            <input
              key={of}
              id="accepted"
              type="checkbox"
              name="accepted"
              defaultChecked={accepted}
              required
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? 'accepted-error' : undefined}
              className="mt-0.5 size-5 shrink-0 accent-action"
            />
            <span>
              I accept the{' '}
              <Link to={href('/terms')} target="_blank" className="font-bold text-link underline underline-offset-4">
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
          value="place"
          disabled={sending}
          aria-busy={sending}
          className={`${mainButton} min-h-14`}
        >
          {sending ? 'Enrolling' : placeLabel(quote.nowCents, due)}
        </button>
        <p className="text-sm text-mute">
          This makes a contract for {formatMoney(quote.totalCents)} incl. GST.
          {quote.nowCents > 0 && ' We email the tax invoice.'}
        </p>
      </Form>
    </section>
  );
}

/** The effect of the button on money. */
function placeLabel(nowCents: number, due: Due | null): string {
  if (nowCents === 0 || !due) return 'Enrol';
  return due.undecided ? 'Enrol, pay once confirmed' : `Enrol and pay by ${due.short}`;
}
