import { useEffect, useRef } from 'react';
import { Form, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { codeLook, SignInButton, SignInField } from './sign-in-forms.tsx';

type Props = {
  form: FormState | undefined;
  email: string;
  /** The page after the sign-in. */
  to: string;
  triesLeft: number;
  /** Whether the mail has gone out as far as we know. */
  mailed: boolean;
  /** The pages that take the code, and that send another. */
  paths: { code: string; ask: string };
  /** The label of the button. */
  submit: string;
};

const quietLink = 'font-semibold text-link underline underline-offset-4';

/** The code of a mail, and what else to do: the link in it, another mail, another address (P51). */
export function MailCode({ form, email, to, triesLeft, mailed, paths, submit }: Props) {
  const usedUp = triesLeft <= 0;
  return (
    <>
      <MailCodeForm form={form} triesLeft={triesLeft} action={paths.code}>
        {submit}
      </MailCodeForm>
      {usedUp && (
        <AskAgain email={email} to={to} action={paths.ask} first>
          Send a new code
        </AskAgain>
      )}
      <p className="mt-6 text-sm text-pretty text-mute">
        Or open the link in the email: it works once, for 15&nbsp;minutes.
      </p>
      {mailed && !usedUp && (
        <div className="mt-2 text-sm text-mute">
          Nothing after two minutes? Look in spam, or{' '}
          <AskAgain email={email} to={to} action={paths.ask}>
            send it again
          </AskAgain>
          .
        </div>
      )}
      <p className="mt-6 text-sm">
        <Link to={`${paths.ask}?${new URLSearchParams({ to })}`} className={quietLink}>
          Use another email
        </Link>
      </p>
    </>
  );
}

/** Takes the focus that the field of the code had. */
function UsedUp() {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <p ref={box} tabIndex={-1} role="alert" className="font-semibold text-fault outline-none">
      The code was wrong five times, so it no longer works. Send a new code, or open the link in the email.
    </p>
  );
}

/** The field of the code from a mail, until its tries are used up (P51). */
function MailCodeForm({
  form,
  triesLeft,
  action,
  children,
}: {
  form: FormState | undefined;
  triesLeft: number;
  action: string;
  /** The label of the button. */
  children: string;
}) {
  if (triesLeft <= 0) return <UsedUp />;
  return (
    <Form method="post" action={action} noValidate className="grid gap-4">
      <SignInField
        form={form}
        name="code"
        label="Six-digit code"
        hint="Works for 10 minutes, in this browser."
        inputMode="numeric"
        autoComplete="one-time-code"
        className={codeLook}
      />
      <SignInButton>{children}</SignInButton>
    </Form>
  );
}

/** Asks again with the same address. */
function AskAgain({
  email,
  to,
  action,
  first = false,
  children,
}: {
  email: string;
  to: string;
  action: string;
  /** Whether it is the main form of the page now. */
  first?: boolean;
  children: string;
}) {
  const look = first ? `${button.primary} w-full` : 'min-h-6 font-semibold text-link underline underline-offset-4';
  return (
    <Form method="post" action={action} className={first ? 'my-4' : 'inline'}>
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="to" value={to} />
      <button type="submit" className={look}>
        {children}
      </button>
    </Form>
  );
}
