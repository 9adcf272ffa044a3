import { Form, href, Link } from 'react-router';
import { actLink, loadSignInLink } from '#app/features/people/sign-in-actions.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/sign-in-confirm';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Sign in');

export const loader = (args: Route.LoaderArgs) => loadSignInLink(args);
export const action = (args: Route.ActionArgs) => actLink('staff', args);

export default function SignInConfirm({ loaderData, actionData }: Route.ComponentProps) {
  const { token } = actionData ?? loaderData;
  const { whose } = loaderData;
  if (actionData === null || token === '') {
    return (
      <SignInPage title="This link no longer works">
        <p role="alert">
          A link to sign in works once, within 15 minutes, and signing in ends your other links. This link was used, has
          ended or is incomplete, so you are not signed in.
        </p>
        <Link to={href('/staff/sign-in')} className={`${button.primary} mt-6`}>
          Ask for another link
        </Link>
      </SignInPage>
    );
  }
  return (
    <SignInPage title="Sign in">
      {actionData && (
        <p role="alert" className="mb-6">
          Our system is not available, so you are not signed in yet. Press the button again in a few minutes. If the
          link no longer works then, ask for another.
        </p>
      )}
      <p className="mb-6">
        The button signs you in{whose && ` as ${whose}`} on this device, for twelve hours after you last used it.
      </p>
      <Form method="post" action={href('/staff/sign-in/confirm')}>
        <input type="hidden" name="token" value={token} />
        <button type="submit" className={button.primary}>
          Sign in
        </button>
      </Form>
    </SignInPage>
  );
}
