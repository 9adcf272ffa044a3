import { Form, href, Link, useNavigation } from 'react-router';
import { codeMinutes } from '#app/features/enrolling/email-codes.server.ts';
import { stepPath } from '#app/features/enrolling/steps.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { localMailContext } from '#app/outbox/local-mail.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/code';
import { AddressRemark } from './address-remark.tsx';
import { NoDraft } from './no-draft.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export function loader(args: Route.LoaderArgs) {
  const local = args.context.get(localMailContext) !== null;
  return loadStep(args, 'code', async ({ payer, confirmed }) => ({
    values: {},
    email: payer?.buyer.email ?? '',
    confirmed,
    minutes: codeMinutes,
    // Without a mail server this computer shows the mail that was written (P28).
    local,
    mailAway: await mailAwaySince(args.context),
    phone: args.context.get(academyContext).academy().phone,
    sending: args.url.searchParams.get('code'),
  }));
}

export const action = (args: Route.ActionArgs) => actStep(args, 'code');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: confirm your address', 'Enter the code that we sent to your email address.', noPage);

const formId = 'step-form';

const sendings: Record<string, string> = {
  again: 'Another code is on its way. The earlier code also works until its 15 minutes are over.',
  waiting:
    'We could not send your code yet, so you don’t need a second one. We keep trying. The 15 minutes start when we send it.',
  limit:
    'We sent no further code: one address gets at most three in ten minutes and ten in a day. Use a code you have, or wait ten minutes and ask again. If that does not help, use another address, call us, or come back tomorrow.',
  network:
    'We sent no further code: people on your network asked for many in a short time. On a mobile network or in an office, you share it with other people. We kept what you filled in. Please wait ten minutes and ask again, or call us.',
};

export default function Code({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, email, minutes, local, confirmed, mailAway, phone } = loaderData;
  const { hold } = summary;
  const refused = loaderData.sending === 'limit' || loaderData.sending === 'network';
  const form = actionData?.form ?? loaderData.form;
  const change = (
    <Link to={stepPath(summary.token, 'payer')} className="font-bold text-link underline underline-offset-4">
      Change the address
    </Link>
  );
  return (
    <StepFrame
      summary={summary}
      step="code"
      title="Confirm your address"
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
      button={confirmed ? undefined : { label: 'Confirm', busy: 'Sending', intent: 'next' }}
    >
      <ErrorSummary form={form} labels={{ code: 'Code' }} formId={formId} />
      <Form id={formId} method="post" action={stepPath(summary.token, 'code')} noValidate className="grid gap-6">
        {confirmed ? (
          <p>
            <b className="wrap-anywhere">{email}</b> is confirmed. {change}
          </p>
        ) : (
          <>
            <p className="max-w-prose">
              {refused || mailAway !== null ? (
                <>
                  Your address: <b className="wrap-anywhere">{email}</b>.{' '}
                </>
              ) : (
                <>
                  We send a code of six digits to <b className="wrap-anywhere">{email}</b>. It works for {minutes}{' '}
                  minutes.{' '}
                </>
              )}
              Wrong address? {change}.
            </p>
            <AddressRemark email={email} formId={formId} />
            <MailAway since={refused ? null : mailAway} what={`The code for ${email}`}>
              It then works for {minutes} minutes.{' '}
              {hold.state === 'held' && `We hold your seats until ${hold.untilText}. `}
              {hold.state === 'held' &&
                hold.extensionsLeft > 0 &&
                'To hold them for longer, use “Hold them longer” above. '}
              What you typed is kept. Reload this page in a few minutes, or call {phone}.
            </MailAway>
            {(refused || mailAway === null) && loaderData.sending !== null && sendings[loaderData.sending] && (
              <p role="status" className="max-w-prose font-semibold">
                {sendings[loaderData.sending]}
              </p>
            )}
            <div className="max-w-xs">
              <TextField
                form={form}
                name="code"
                label="Code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={20}
                required
              />
            </div>
            {local && (
              <p className="max-w-prose rounded-card border border-dashed border-edge p-4">
                No mail server is set up, so the email is kept here:{' '}
                <Link to={href('/mail')} target="_blank" className="font-bold text-link underline underline-offset-4">
                  read it at /mail
                </Link>{' '}
                (opens in a new window).
              </p>
            )}
          </>
        )}
        {!confirmed && (
          <div className="grid justify-items-start gap-3">
            {mailAway === null && !refused && (
              <p>Nothing there after a minute? Check your spam folder, or ask for another code.</p>
            )}
            <button type="submit" name="intent" value="again" formNoValidate className={button.quiet}>
              Send another code
            </button>
          </div>
        )}
      </Form>
    </StepFrame>
  );
}
