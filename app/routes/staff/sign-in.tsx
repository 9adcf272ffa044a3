import { Form, href } from 'react-router';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { actAsk, loadAsk } from '#app/features/people/sign-in-actions.server.ts';
import { SignInButton, SignInField } from '#app/features/people/sign-in-forms.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/sign-in';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Sign in');

export const loader = (args: Route.LoaderArgs) => loadAsk('staff', args);
export const action = (args: Route.ActionArgs) => actAsk('staff', args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function SignIn({ loaderData: { to, again }, actionData }: Route.ComponentProps) {
  return (
    <SignInPage title="Sign in">
      <p className="mb-6 text-mute">
        {again
          ? 'Please sign in again to go on.'
          : 'For academy staff. We email you a link and a code, and ask for a code from your authenticator app.'}
      </p>
      <Form method="post" action={href('/staff/sign-in')} noValidate className="grid gap-4">
        <input type="hidden" name="to" value={to} />
        <SignInField form={actionData?.form} name="email" label="Email" type="email" autoComplete="email" />
        <SignInButton>Email me a link</SignInButton>
      </Form>
      <p className="mt-6 text-sm">
        <PasskeyButton
          kind="show"
          at={href('/staff/sign-in/passkey')}
          to={to}
          className="font-semibold text-link underline underline-offset-4"
        >
          Use a passkey
        </PasskeyButton>
      </p>
    </SignInPage>
  );
}
