import { Form, href } from 'react-router';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { actAsk, loadAsk } from '#app/features/people/sign-in-actions.server.ts';
import { SignInButton, SignInField } from '#app/features/people/sign-in-forms.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import type { Route } from './+types/login';
import { LoginFrame, quietLink } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Login', 'Log in by a link or a code that we email you. The same form makes your account.', noPage);

export const loader = (args: Route.LoaderArgs) => loadAsk('player', args);
export const action = (args: Route.ActionArgs) => actAsk('player', args);

export default function Login({ loaderData: { to, again }, actionData }: Route.ComponentProps) {
  return (
    <LoginFrame title="Login" welcome>
      <p className="mt-2 mb-8 text-mute">
        {again ? 'Please log in again to go on.' : 'New here? The same form makes your account.'}
      </p>
      <Form method="post" action={href('/login')} reloadDocument noValidate className="grid gap-4">
        <input type="hidden" name="to" value={to} />
        <SignInField form={actionData?.form} name="email" label="Email" type="email" autoComplete="username" />
        <SignInButton>Email me a link</SignInButton>
      </Form>
      <p className="mt-6 text-sm">
        <PasskeyButton kind="show" at={href('/login/passkey')} to={to} className={quietLink}>
          Use a passkey
        </PasskeyButton>
      </p>
    </LoginFrame>
  );
}
