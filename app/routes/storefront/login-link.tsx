import { Form, href, Link } from 'react-router';
import { actLink, loadSignInLink } from '#app/features/people/sign-in-actions.server.ts';
import { SignInButton } from '#app/features/people/sign-in-forms.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/login-link';
import { LoginFrame } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Login', 'Log in by the link that we emailed you.', noPage);

export const loader = (args: Route.LoaderArgs) => loadSignInLink(args);
export const action = (args: Route.ActionArgs) => actLink('player', args);

export default function LoginLink({ loaderData, actionData }: Route.ComponentProps) {
  const { token } = actionData ?? loaderData;
  const { whose } = loaderData;
  if (actionData === null || token === '') {
    return (
      <LoginFrame title="This link no longer works">
        <p role="alert" className="mt-3 mb-8">
          A login link works once, within 15 minutes, and logging in ends your other links. This link was used, has
          ended or is incomplete, so you are not logged in.
        </p>
        <Link to={href('/login')} className={button.primary}>
          Email me another link
        </Link>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title="Login">
      {actionData && (
        <p role="alert" className="mt-3">
          Our system is not available, so you are not logged in yet. Press the button again in a few minutes. If the
          link no longer works then, ask for another.
        </p>
      )}
      <p className="mt-3 mb-8">
        The button logs you in{whose && ` as ${whose}`}, in this browser. If you did not ask for this link yourself,
        close the page.
      </p>
      <Form method="post" action={href('/login/link')}>
        <input type="hidden" name="token" value={token} />
        <SignInButton>Login</SignInButton>
      </Form>
    </LoginFrame>
  );
}
