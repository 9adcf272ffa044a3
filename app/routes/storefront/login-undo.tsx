import { data, Form, href, Link } from 'react-router';
import { undoChange } from '#app/features/people/account-changes.server.ts';
import { loadLink } from '#app/features/people/door-acts.server.ts';
import { DoorButton } from '#app/features/people/door-forms.tsx';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/login-undo';
import { LoginFrame } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'This was not me', 'Put your account back as it was before a change.', noPage);

export const loader = (args: Route.LoaderArgs) => loadLink(args);

export async function action({ context, request }: Route.ActionArgs) {
  const { token = '' } = textsOf(await readForm(request));
  const undone = await orAway(() => undoChange(context.get(signInContext), token));
  return data({ undone: undone.ok }, { status: undone.ok ? 200 : 403 });
}

export default function LoginUndo({ loaderData: { token }, actionData }: Route.ComponentProps) {
  if (actionData?.undone) {
    return (
      <LoginFrame title="Your account is as it was">
        <p role="status" className="mt-3 mb-8">
          We took the change back, and logged out every browser. If somebody else reads your email, change the password
          of your email account now.
        </p>
        <Link to={href('/login')} className={button.primary}>
          Login
        </Link>
      </LoginFrame>
    );
  }
  if (actionData || token === '') {
    return (
      <LoginFrame title="This link no longer works">
        <p role="alert" className="mt-3 mb-8">
          The link works once, for seven days after the change. If somebody else uses your account, contact us.
        </p>
        <Link to={href('/contact')} className={button.primary}>
          Contact us
        </Link>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title="This was not me">
      <p className="mt-3 mb-8">
        The button puts the way you log in back as it was before the change, takes back every later change too, and logs
        out every browser.
      </p>
      <Form method="post" action={href('/login/undo')}>
        <input type="hidden" name="token" value={token} />
        <DoorButton>Take the change back</DoorButton>
      </Form>
    </LoginFrame>
  );
}
