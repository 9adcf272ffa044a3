import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { type Sending, SentMail } from '#app/ui/sent-mail.tsx';

export type CodeState = {
  email: string;
  confirmed: boolean;
  /** When the last code was made, such as `10:27 AM`, whether one can still be used, and how far its mail is; null for none. */
  sent: { at: string; holds: boolean; sending: Sending } | null;
  /** For how many minutes a code works. */
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
  link: 'We sent no code, because many were asked for by this link today. Use a code you have, ask again tomorrow, or ask the person who sent you the link to enter your name.',
};

type Props = {
  form: FormState;
  code: CodeState;
  /** The way to another address. */
  change: ReactNode;
  /** Beside the address, such as another spelling that may be meant. */
  children?: ReactNode;
};

/** The code that confirms an address (P28), where it was sent, and the button for another one. */
export function CodeField({ form, code, change, children }: Props) {
  const { email, confirmed, sent, minutes, local, mailAway, phone } = code;
  const address = <b className="wrap-anywhere">{email}</b>;
  if (confirmed) {
    return (
      <p>
        {address} is confirmed. {change}
      </p>
    );
  }
  const refused = code.asked === 'network' || code.asked === 'link';
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
        {again}. {change}
      </p>
      {state && (
        <p role="status" className="mt-2 text-[0.9375rem] font-semibold">
          {state}
        </p>
      )}
      {children}
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
export function Intent({ value, children }: { value: 'again' | 'back'; children: string }) {
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
