import { Form, href, Link } from 'react-router';
import { loadAsk } from '#app/features/people/door-acts.server.ts';
import { DoorButton, DoorField } from '#app/features/people/door-forms.tsx';
import { actPassword } from '#app/features/people/enter-otherwise.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/login-password';
import { LoginFrame, quietLink } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Login by password', 'Log in by the password that you set in your account.', noPage);

export const loader = (args: Route.LoaderArgs) => loadAsk('player', args);
export const action = (args: Route.ActionArgs) => actPassword(args);

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function LoginPassword({ loaderData: { to }, actionData }: Route.ComponentProps) {
  const form = actionData?.form;
  return (
    <LoginFrame title="Login">
      <p className="mt-2 mb-8 text-mute">For accounts with a password. You set one in your settings.</p>
      <Form method="post" action={href('/login/password')} noValidate className="grid gap-4">
        <input type="hidden" name="to" value={to} />
        <DoorField
          form={form && { ...form, fault: null }}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
        />
        <DoorField form={form} name="password" label="Password" type="password" autoComplete="current-password" />
        <DoorButton>Login</DoorButton>
      </Form>
      <p className="mt-6 text-sm">
        <Link to={`${href('/login')}?${new URLSearchParams({ to })}`} className={quietLink}>
          Email me a link instead
        </Link>
      </p>
    </LoginFrame>
  );
}
