import { MailCode } from '#app/features/people/mail-code.tsx';
import { actCode, loadCode } from '#app/features/people/sign-in-actions.server.ts';
import { signInPaths } from '#app/features/people/sign-in-paths.ts';
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
      <MailCode
        form={actionData?.form}
        email={email}
        to={to}
        triesLeft={triesLeft}
        mailed={mailAway === null}
        paths={signInPaths.staff}
        submit="Sign in"
      />
    </SignInPage>
  );
}
