import { href } from 'react-router';
import { actFactor, loadFactor } from '#app/features/people/door-acts.server.ts';
import { FactorForm } from '#app/features/people/door-forms.tsx';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/sign-in-factor';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('One more step');

export const loader = (args: Route.LoaderArgs) => loadFactor('staff', args);
export const action = (args: Route.ActionArgs) => actFactor('staff', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function SignInFactor({ loaderData: { to }, actionData }: Route.ComponentProps) {
  return (
    <SignInPage title="One more step">
      <FactorForm form={actionData?.form} action={href('/staff/sign-in/factor')}>
        Sign in
      </FactorForm>
      <p className="mt-6 text-sm">
        <PasskeyButton
          kind="show"
          to={to}
          at={href('/staff/sign-in/passkey')}
          className="font-semibold text-link underline underline-offset-4"
        >
          Use a passkey
        </PasskeyButton>
      </p>
      <p className="mt-6 text-sm text-mute">
        Lost both your phone and your codes? Ask the person who runs the server to reset your second step.
      </p>
    </SignInPage>
  );
}
