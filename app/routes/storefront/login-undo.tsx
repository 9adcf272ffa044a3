import { data, Form, href, Link } from 'react-router';
import { type Undoing, undoChange, undoingBy } from '#app/features/people/account-changes.server.ts';
import { loadLink } from '#app/features/people/sign-in-actions.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { SignInButton } from '#app/features/people/sign-in-forms.tsx';
import { actOr503, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/login-undo';
import { LoginFrame } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'This was not me', 'Put your account back as it was before a change.', noPage);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { token } = loadLink({ url });
  return { token, undoing: await unlessDatabaseAway(() => undoingBy(context.get(signInContext), token)) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { token = '' } = textsOf(await readForm(request));
  const done = await actOr503(unconfirmed, () => undoChange(context.get(signInContext), token));
  return data({ undone: done.ok ? done.undone : null }, { status: done.ok ? 200 : 403 });
}

const unconfirmed = unconfirmedText(
  'that the change was taken back',
  'Please open the link again in a few minutes. If it no longer works, the change was taken back, and every browser is logged out.',
);

const asked: Record<Undoing, { title: string; text: string; button: string }> = {
  change: {
    title: 'This was not me',
    text: 'This undoes that change and all later ones, and logs out every browser.',
    button: 'Take the change back',
  },
  closing: {
    title: 'Keep your account?',
    text: 'Your account was closed, to be deleted after seven days. The button opens it again, as it was, and logs out every browser.',
    button: 'Keep my account',
  },
};

const done: Record<Undoing, { title: string; text: string }> = {
  change: {
    title: 'Your account is as it was',
    text: 'We took the change back, and logged out every browser. If somebody else reads your email, change the password of your email account now.',
  },
  closing: {
    title: 'Your account is open again',
    text: 'We do not delete it, and everything in it is as it was. We logged out every browser. If it was not you who closed the account, somebody else could log in to it: change the password of your email account now.',
  },
};

export default function LoginUndo({ loaderData: { token, undoing }, actionData }: Route.ComponentProps) {
  if (actionData?.undone) {
    const { title, text } = done[actionData.undone];
    return (
      <LoginFrame title={title}>
        <p role="status" className="mt-3 mb-8">
          {text}
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
  if (undoing === 'kept') {
    return (
      <LoginFrame title="Your account is not closed">
        <p className="mt-3 mb-8">
          It was kept after we sent that email, so there is nothing to take back. If it was not you who closed or kept
          it, change the password of your email account now, then log in.
        </p>
        <Link to={href('/login')} className={button.primary}>
          Login
        </Link>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={asked[undoing].title}>
      <p className="mt-3 mb-8">{asked[undoing].text}</p>
      <Form method="post" action={href('/login/undo')}>
        <input type="hidden" name="token" value={token} />
        <SignInButton>{asked[undoing].button}</SignInButton>
      </Form>
    </LoginFrame>
  );
}
