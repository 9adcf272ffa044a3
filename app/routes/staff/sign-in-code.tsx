import { href, Link } from 'react-router';
import { actCode, loadCode } from '#app/features/people/door-acts.server.ts';
import { AskAgain, MailCodeForm } from '#app/features/people/door-forms.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/sign-in-code';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Sign in');

export const loader = (args: Route.LoaderArgs) => loadCode('staff', args);
export const action = (args: Route.ActionArgs) => actCode('staff', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function SignInCode({ loaderData, actionData }: Route.ComponentProps) {
  const { email, to, triesLeft, mailAway } = loaderData;
  return (
    <SignInPage title={mailAway === null ? 'Check your email' : 'Your link will come later'}>
      {mailAway === null ? (
        <p role="status" className="mb-6">
          If <strong className="break-all">{email}</strong> is a staff address, we have emailed a link and a code to it.
        </p>
      ) : (
        <MailAway since={mailAway} what="If the address you gave is one of staff, a link">
          If that takes longer than 15 minutes, ask again then.
        </MailAway>
      )}
      <MailCodeForm form={actionData?.form} triesLeft={triesLeft} action={href('/staff/sign-in/code')}>
        Sign in
      </MailCodeForm>
      <p className="mt-6 text-sm text-mute">Or open the link in the email: it works once, for 15 minutes.</p>
      {mailAway === null && (
        <div className="mt-2 text-sm text-mute">
          Nothing after two minutes? Look in spam, or{' '}
          <AskAgain email={email} to={to} action={href('/staff/sign-in')}>
            send it again
          </AskAgain>
          .
        </div>
      )}
      <p className="mt-6 text-sm">
        <Link
          to={`${href('/staff/sign-in')}?${new URLSearchParams({ to })}`}
          className="font-semibold text-link underline underline-offset-4"
        >
          Use another email
        </Link>
      </p>
    </SignInPage>
  );
}
