import { href, Link } from 'react-router';
import { actCode, loadCode } from '#app/features/people/door-acts.server.ts';
import { AskAgain, MailCodeForm } from '#app/features/people/door-forms.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/login-code';
import { LoginFrame, quietLink } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Check your email', 'Log in by the code or the link that we emailed you.', noPage);

export const loader = (args: Route.LoaderArgs) => loadCode('player', args);
export const action = (args: Route.ActionArgs) => actCode('player', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function LoginCode({ loaderData, actionData }: Route.ComponentProps) {
  const { email, to, triesLeft, mailAway } = loaderData;
  const usedUp = triesLeft <= 0;
  return (
    <LoginFrame title={mailAway === null ? 'Check your email' : 'Your link will come later'}>
      <div className="mt-3 mb-8">
        {mailAway === null ? (
          <p role="status">
            We sent a link and a code to <strong className="wrap-anywhere">{email}</strong>.
          </p>
        ) : (
          <MailAway since={mailAway} what="Your link">
            If that takes longer than 15 minutes, ask again then.
          </MailAway>
        )}
      </div>
      <MailCodeForm form={actionData?.form} triesLeft={triesLeft} action={href('/login/code')}>
        Login
      </MailCodeForm>
      <p className="mt-6 text-sm text-mute">Or open the link in the email: it works once, for 15 minutes.</p>
      {(mailAway === null || usedUp) && (
        <div className="mt-2 text-sm text-mute">
          {!usedUp && 'Nothing after two minutes? Look in spam, or '}
          <AskAgain email={email} to={to} action={href('/login')}>
            {usedUp ? 'Send a new code' : 'send it again'}
          </AskAgain>
          {!usedUp && '.'}
        </div>
      )}
      <p className="mt-6 text-sm">
        <Link to={`${href('/login')}?${new URLSearchParams({ to })}`} className={quietLink}>
          Use another email
        </Link>
      </p>
    </LoginFrame>
  );
}
