import { Form, href, useNavigation } from 'react-router';
import { submitLinks } from '#app/features/enrolments/links.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/links';

/** Asking for one's private links again (P32). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const sent = url.searchParams.has('sent');
  return {
    form: freshForm(context.get(academyContext).forms),
    sent,
    mailAway: sent ? await mailAwaySince(context) : null,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const address = context.get(clientAddressContext);
  const result = await submitLinks(context.get(academyContext), { form: await readForm(request), address });
  return answerForm(result, `${href('/enrolments')}?sent`);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Find your enrolments', 'We send you the private links of your enrolments and places again.', noPage);

const formId = 'links-form';

export default function Links({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  const form = actionData?.form ?? loaderData.form;
  const away = loaderData.mailAway !== null;
  return (
    <>
      <PageHead
        title={!loaderData.sent ? 'Find your enrolments' : away ? 'We send your links later' : 'Check your email'}
        lead={
          loaderData.sent
            ? away
              ? 'If that address has enrolments or places, we send their links.'
              : 'If that address has enrolments or places, we email their links there. Nothing there? Check your spam folder, and try the other addresses you use.'
            : 'Each enrolment has a private link. We send you yours again.'
        }
      />
      <div className="page py-10 lg:py-14">
        <div className="max-w-2xl">
          <MailAway since={loaderData.mailAway} />
          <ErrorSummary form={form} labels={{ email: 'Email' }} formId={formId} />
          <Form id={formId} method="post" noValidate className="grid gap-6">
            <FormGuards form={form} />
            <TextField
              form={form}
              name="email"
              label="Email"
              hint="The address you enrolled with, or were enrolled with."
              type="email"
              autoComplete="email"
              required
            />
            <div>
              <button type="submit" disabled={busy} className={button.primary}>
                {busy ? 'Sending' : 'Send me my links'}
              </button>
            </div>
          </Form>
          <p className="mt-8">
            You can also{' '}
            <a href={href('/login')} className="font-bold text-link underline underline-offset-4">
              log in
            </a>{' '}
            with the same address. Everything you bought or attend is in your account.
          </p>
        </div>
      </div>
    </>
  );
}
