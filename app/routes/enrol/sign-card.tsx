import { Form, href, Link } from 'react-router';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { type Sending, SentMail } from '#app/ui/sent-mail.tsx';
import { AddressRemark } from './address-remark.tsx';
import { mainButton } from './price-bar.tsx';
import { type Due, PriceTable } from './price-summary.tsx';

type Props = {
  token: string;
  form: FormState;
  formId: string;
  quote: Quote;
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
        <CodeField form={form} formId={formId} code={code} />
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

type CodeState = {
  email: string;
  confirmed: boolean;
  /**
   * The time of the last code, such as `10:27 AM`, whether a code is still valid, and the state of its mail; null for
   * none.
   */
  sent: { at: string; holds: boolean; sending: Sending } | null;
  /** The minutes for which a code is valid. */
  minutes: number;
  /** The result of asking for a code, from the address of the page. */
  asked: string | null;
  /** Without a mail server this computer shows the mail that was written (P28). */
  local: boolean;
  /** Since when the mail server is away; null while it answers. */
  mailAway: string | null;
  phone: string;
};

const asked: Record<string, string> = {
  again: 'A new code is on its way. The earlier code also works until its 15 minutes are over.',
  changed: 'You changed your email address, so we sent a new code to the new address.',
  waiting:
    'We could not send your code yet, so you don’t need a second one. We keep trying. The 15 minutes start when we send it.',
  network:
    'We sent no code, because many were asked for from your network. On a mobile network or in an office, you share it with other people. We kept what you filled in. Use a code you have, ask again in ten minutes or on another connection, or call us.',
};

/** The code that confirms the buyer's address (P28), where it was sent, and the button for another one. */
function CodeField({ form, formId, code }: { form: FormState; formId: string; code: CodeState }) {
  const { email, confirmed, sent, minutes, local, mailAway, phone } = code;
  const address = <b className="wrap-anywhere">{email}</b>;
  if (confirmed) {
    return (
      <p>
        {address} is confirmed. <Intent value="back">Change the address</Intent>
      </p>
    );
  }
  const refused = code.asked === 'network';
  const told = refused || (mailAway === null && sent?.sending !== 'refused');
  const state = told ? asked[code.asked ?? ''] : undefined;
  const again = <Intent value="again">{sent === null ? 'Send a code' : 'Send a new code'}</Intent>;
  return (
    <div>
      <MailAway since={refused ? null : mailAway} what={`The code for ${email}`}>
        It then works for {minutes} minutes. What you typed is kept. Reload this page in a few minutes, or call {phone}.
      </MailAway>
      <TextField
        form={form}
        name="code"
        label="Code from your email"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
      <p className="mt-1.5 text-sm text-mute">
        {mailAway !== null ? (
          <>Your address: {address}.</>
        ) : sent === null ? (
          <>We have not sent a code to {address} yet.</>
        ) : sent.holds ? (
          <>
            <SentMail sending={sent.sending} what="six digits" email={email} at={unbrokenTimes(sent.at)} />
            {sent.sending !== 'refused' && ` They work for ${minutes} minutes. Nothing there? Check your spam folder.`}
          </>
        ) : (
          <>
            The code for {address} of {unbrokenTimes(sent.at)} no longer works.
          </>
        )}{' '}
        {again}. <Intent value="back">Change the address</Intent>.
      </p>
      {state && (
        <p role="status" className="mt-2 text-[0.9375rem] font-semibold">
          {state}
        </p>
      )}
      <AddressRemark email={email} formId={formId} />
      {local && (
        <p className="mt-3 rounded-card border border-dashed border-edge px-3 py-2 text-sm">
          No mail server is set up, so the email is kept here:{' '}
          <Link to={href('/mail')} target="_blank" className="font-bold text-link underline underline-offset-4">
            read it at /mail
          </Link>{' '}
          (opens in a new window).
        </p>
      )}
    </div>
  );
}

/** A button of the form that reads like a link; what was typed is kept. */
function Intent({ value, children }: { value: 'again' | 'back'; children: string }) {
  return (
    <button
      type="submit"
      name="intent"
      value={value}
      formNoValidate
      className="min-h-6 font-bold text-link underline underline-offset-4"
    >
      {children}
    </button>
  );
}
