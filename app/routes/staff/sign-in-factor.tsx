import { Form, href } from 'react-router';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { actFactor, loadFactor } from '#app/features/people/sign-in-actions.server.ts';
import { SignInButton, SignInField } from '#app/features/people/sign-in-forms.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/sign-in-factor';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('One more step');

export const loader = (args: Route.LoaderArgs) => loadFactor(args);
export const action = (args: Route.ActionArgs) => actFactor(args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function SignInFactor({ loaderData: { to }, actionData }: Route.ComponentProps) {
  return (
    <SignInPage title="One more step">
      <Form method="post" action={href('/staff/sign-in/factor')} noValidate className="grid gap-4">
        <SignInField
          form={actionData?.form}
          name="code"
          label="Code from your app"
          hint="Six digits from your authenticator app. If you don’t have the app, type one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SignInButton>Sign in</SignInButton>
      </Form>
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
