import { href } from 'react-router';
import { actFactor, loadFactor } from '#app/features/people/door-acts.server.ts';
import { FactorForm } from '#app/features/people/door-forms.tsx';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/login-factor';
import { LoginFrame, quietLink } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'One more step', 'Type the code from your authenticator app.', noPage);

export const loader = (args: Route.LoaderArgs) => loadFactor('player', args);
export const action = (args: Route.ActionArgs) => actFactor('player', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function LoginFactor({ loaderData: { to }, actionData }: Route.ComponentProps) {
  return (
    <LoginFrame title="One more step">
      <div className="mt-8">
        <FactorForm form={actionData?.form} action={href('/login/factor')}>
          Login
        </FactorForm>
        <p className="mt-6 text-sm">
          <PasskeyButton kind="show" to={to} at={href('/login/passkey')} className={quietLink}>
            Use a passkey
          </PasskeyButton>
        </p>
      </div>
    </LoginFrame>
  );
}
