import { Form, href, Link } from 'react-router';
import { qrCode } from '#app/features/people/factors.server.ts';
import { actSetUp, loadSetUp } from '#app/features/people/sign-in-actions.server.ts';
import { codeLook, RecoveryCodes, SignInButton, SignInField } from '#app/features/people/sign-in-forms.tsx';
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
  const { secret, picture } = loaderData;
  return (
    <SignInPage title="Set up a second step">
      <p className="mb-6">
        Staff sign in with two things: their email, and a code from an app on their phone. You set it up once.
      </p>
      <ol className="grid list-decimal gap-2 pl-5">
        <li>Open an authenticator app on your phone. Most password managers have one too.</li>
        <li>Scan this picture with it, or type the key.</li>
        <li>Type the six digits that the app shows.</li>
      </ol>
      <svg
        role="img"
        aria-label="QR code with your key"
        viewBox={`0 0 ${picture.size} ${picture.size}`}
        className="my-6 size-52 rounded-control bg-white"
      >
        <path d={picture.path} fill="#000" />
      </svg>
      <p className="mb-6">
        Key: <code className="font-bold break-all select-all">{secret}</code>
      </p>
      <Form method="post" action={href('/staff/sign-in/set-up')} noValidate className="grid gap-4">
        <SignInField
          form={actionData?.form}
          name="code"
          label="Six-digit code from your app"
          inputMode="numeric"
          autoComplete="one-time-code"
          className={codeLook}
        />
        <SignInButton>Sign in</SignInButton>
      </Form>
    </SignInPage>
  );
}
