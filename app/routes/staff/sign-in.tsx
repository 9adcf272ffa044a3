import { Form, href, Link, redirect, useNavigation } from 'react-router';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { requestLink, signInContext } from '#app/features/people/sign-in-links.server.ts';
import { staffPath } from '#app/features/people/staff-path.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, takeForm } from '#app/http/take-form.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/sign-in';
import { SignInPage } from './frame/sign-in-page.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import styles from './staff.css?url';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];
export const meta = () => staffMeta('Sign in');

const empty: FormState = { values: {}, errors: {}, fault: null, heading: 'Not sent yet', token: '' };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const to = staffPath(url.searchParams.get('to'));
  const { signIns, clock } = context.get(signInContext);
  const { actor } = await signIns.find(request.headers, clock).catch((error: unknown) => {
    if (isConnectionFailure(error)) return { actor: null };
    throw error;
  });
  if (actor) throw redirect(to);
  const sent = url.searchParams.has('sent');
  return { to, sent, mailAway: sent ? await mailAwaySince(context) : null };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await readForm(request);
  const email = textsOf(form).email ?? '';
  const to = staffPath(url.searchParams.get('to'));
  const from = context.get(clientAddressContext);
  const sent = { form, fresh: empty, words, values: { email } };
  const result = await takeForm<{ ok: true }>(sent, async (_, refuse) => {
    const asked = await requestLink(context.get(signInContext), { email, to, from });
    if (asked.ok) return asked;
    return asked.reason === 'too-many' ? refuse(429, tooMany) : refuse(400, { errors: { email: notAnAddress } });
  });
  return answerForm(result, `${href('/staff/sign-in')}?${new URLSearchParams({ sent: '', to })}`);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

const notAnAddress = 'Enter an email address such as name@example.com.';
const words = {
  unreadable: 'Part of the form was missing. No link was sent. Please ask again.',
  away: 'Our system is not available, so no link was sent. Please ask again in a few minutes.',
  busy: 'Many people are here at the moment, so no link was sent. Please ask again in a few seconds.',
};
const tooMany =
  'We sent many links to people on your network, so we sent no more. A link from the last 15 minutes still works. Please use it, or wait ten minutes and ask again.';

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { to, sent, mailAway } = loaderData;
  const form = actionData?.form ?? empty;
  const sending = useNavigation().state === 'submitting';
  const here = `${href('/staff/sign-in')}?${new URLSearchParams({ to })}`;
  if (sent) {
    return (
      <SignInPage title={mailAway === null ? 'Check your email' : 'Your link will come later'}>
        {mailAway === null ? (
          <p role="status">
            If this is a staff address, we have emailed a sign-in link to it. The link works once, within 15 minutes.
          </p>
        ) : (
          <MailAway since={mailAway} what="If the address you gave is one of staff, a link">
            If that takes longer than 15 minutes, ask again then.
          </MailAway>
        )}
        <p className="mt-4 text-mute">
          {mailAway === null && 'Nothing arrived? Check your spam folder and the spelling of the address. '}
          We send at most three links to one address in ten minutes.
        </p>
        <Link to={here} className={`${button.quiet} mt-6`}>
          Ask again
        </Link>
      </SignInPage>
    );
  }
  return (
    <SignInPage title="Sign in">
      <p className="mb-6 text-mute">For academy staff. We email you a link; there is no password.</p>
      <ErrorSummary form={form} labels={{ email: 'Email' }} formId="sign-in" />
      <Form id="sign-in" method="post" action={here} noValidate className="grid gap-5">
        <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
        <div>
          <button type="submit" disabled={sending} className={button.primary}>
            {sending ? 'Sending' : 'Email me a link'}
          </button>
        </div>
      </Form>
    </SignInPage>
  );
}
