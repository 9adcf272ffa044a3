import { MailCode } from '#app/features/people/mail-code.tsx';
import { actCode, loadCode } from '#app/features/people/sign-in-actions.server.ts';
import { signInPaths } from '#app/features/people/sign-in-paths.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SentMail } from '#app/ui/sent-mail.tsx';
import type { Route } from './+types/login-code';
import { LoginFrame } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Check your email', 'Log in by the code or the link that we emailed you.', noPage);

export const loader = (args: Route.LoaderArgs) => loadCode('player', args);
export const action = (args: Route.ActionArgs) => actCode('player', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function LoginCode({ loaderData, actionData }: Route.ComponentProps) {
  const { email, to, triesLeft, sending, mailAway } = loaderData;
  return (
    <LoginFrame title={mailAway === null ? 'Check your email' : 'Your link will come later'}>
      <div className="mt-3 mb-8">
        {mailAway === null ? (
          <p role="status">
            <SentMail sending={sending} what="a link and a code" email={email} />
          </p>
        ) : (
          <MailAway since={mailAway} what="Your link">
            If that takes longer than 15 minutes, ask again then.
          </MailAway>
        )}
      </div>
      <MailCode
        form={actionData?.form}
        email={email}
        to={to}
        triesLeft={triesLeft}
        mailed={mailAway === null && sending !== 'refused'}
        paths={signInPaths.player}
        submit="Login"
      />
    </LoginFrame>
  );
}
