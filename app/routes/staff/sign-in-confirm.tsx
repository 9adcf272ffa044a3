import { data, Form, href, Link, redirect } from 'react-router';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { signInContext } from '#app/features/people/sign-in-links.server.ts';
import { staffPath } from '#app/features/people/staff-path.ts';
import { readForm } from '#app/http/forms.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/sign-in-confirm';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Sign in');

/** Opening the link changes nothing: programs that scan mail open links too. Only the button uses the link up. */
export function loader({ url }: Route.LoaderArgs) {
  return { token: url.searchParams.get('token') ?? '', to: staffPath(url.searchParams.get('to')) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const { signIns, clock } = context.get(signInContext);
  const token = String(form?.get('token') ?? '');
  const entered = await signIns.enter(token, request.headers, clock).catch((error: unknown) => {
    if (isConnectionFailure(error)) return null;
    throw error;
  });
  const to = staffPath(form?.get('to'));
  if (!entered) return data({ token, to }, { status: 503 });
  if (!entered.ok) return data(null, { status: 403 });
  const headers = entered.cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  throw redirect(to, { status: 303, headers });
}

export default function SignInConfirm({ loaderData, actionData }: Route.ComponentProps) {
  const { token, to } = actionData ?? loaderData;
  if (actionData === null || token === '') {
    return (
      <SignInPage title="This link no longer works">
        <p role="alert">
          A link to sign in works once, within 15 minutes, and signing in ends your other links. This link was used, has
          ended or is incomplete, so you are not signed in.
        </p>
        <Link to={`${href('/staff/sign-in')}?${new URLSearchParams({ to })}`} className={`${button.primary} mt-6`}>
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
      <p className="mb-6">The button signs you in on this device, for twelve hours after you last used it.</p>
      <Form method="post" action={href('/staff/sign-in/confirm')}>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="to" value={to} />
        <button type="submit" className={button.primary}>
          Sign in
        </button>
      </Form>
    </SignInPage>
  );
}
