import { Form, href, Link } from 'react-router';
import { actAsk, loadAsk } from '#app/features/people/door-acts.server.ts';
import { DoorButton, DoorField } from '#app/features/people/door-forms.tsx';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
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
        <DoorField form={actionData?.form} name="email" label="Email" type="email" autoComplete="username" />
        <DoorButton>Email me a link</DoorButton>
      </Form>
      <p className="mt-6 text-sm">
        <Link
          to={`${href('/login/password')}?${new URLSearchParams(again ? { again: '', to } : { to })}`}
          className={quietLink}
        >
          Use a password
        </Link>{' '}
        <PasskeyButton kind="show" at={href('/login/passkey')} to={to} className={quietLink} before="or ">
          a passkey
        </PasskeyButton>
      </p>
    </LoginFrame>
  );
}
