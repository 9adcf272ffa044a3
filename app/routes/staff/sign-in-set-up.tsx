import { href, Link } from 'react-router';
import { actSetUp, loadSetUp } from '#app/features/people/door-acts.server.ts';
import { RecoveryCodes, SetUpForm } from '#app/features/people/door-forms.tsx';
import { qrCode } from '#app/features/people/qr-code.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/sign-in-set-up';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Set up a second step');

export async function loader(args: Route.LoaderArgs) {
  const key = await loadSetUp(args);
  return key && { secret: key.secret, picture: qrCode(key.address) };
}

export const action = (args: Route.ActionArgs) => actSetUp(args);

/** Only the response to the form has the recovery codes, so the page's data is not read again after it. */
export const shouldRevalidate = () => false;

export default function SignInSetUp({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'recoveryCodes' in actionData) {
    return (
      <SignInPage title="Your recovery codes">
        <RecoveryCodes codes={actionData.recoveryCodes} />
        <a href={actionData.to} className={button.primary}>
          I have saved them
        </a>
      </SignInPage>
    );
  }
  if (!loaderData) {
    return (
      <SignInPage title="Please sign in again">
        <p>Your sign-in ended before the second step was set up.</p>
        <Link to={href('/staff/sign-in')} className={`${button.primary} mt-6`}>
          Sign in
        </Link>
      </SignInPage>
    );
  }
  const form = actionData && 'form' in actionData ? actionData.form : undefined;
  return (
    <SignInPage title="Set up a second step">
      <p className="mb-6">
        Staff sign in with two things: their email, and a code from an app on their phone. You set it up once.
      </p>
      <SetUpForm form={form} action={href('/staff/sign-in/set-up')} {...loaderData}>
        Sign in
      </SetUpForm>
    </SignInPage>
  );
}
