import { Form, href, Link, useNavigation } from 'react-router';
import { PayerFields, payerLabels } from '#app/features/enrolments/enrolling/payer-fields.tsx';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/payer';
import { AddressRemark } from './address-remark.tsx';
import { AttendeeFields, attendeeLabels } from './attendee-fields.tsx';
import { NoDraft } from './no-draft.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export function loader(args: Route.LoaderArgs) {
  return loadStep(args, 'payer', ({ draft, choice }) => ({ values: draft.payer, count: choice?.attendees ?? 1 }));
}

export const action = (args: Route.ActionArgs) => actStep(args, 'payer');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: who pays', 'Who enrols, to whom the tax invoice goes, and who attends.', noPage);

const formId = 'step-form';

export default function PayerStep({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, count } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const labels = { ...payerLabels, email: 'Your email', ...attendeeLabels(count) };
  return (
    <StepFrame
      summary={summary}
      step="payer"
      title="Who pays"
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
      note="For the last step we email a code to the address you give. You don’t buy anything before that step."
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form
        id={formId}
        method="post"
        action={stepPath(summary.token, 'payer')}
        noValidate
        className="group/step grid gap-5"
      >
        <PayerFields
          form={form}
          addressHint="It appears on the invoice. From AU$1,000 an invoice must say who buys: your name, or the organisation’s, is enough."
        >
          <div>
            <TextField
              form={form}
              name="email"
              label={labels.email}
              hint="For the code, the invoice and the link to your enrolment."
              type="email"
              autoComplete="email"
              required
            />
            <AddressRemark email={form.values.email ?? ''} formId={formId} />
          </div>
        </PayerFields>
        <AttendeeFields form={form} count={count} />
        <p className="text-sm text-mute">
          We use this only to enrol you.{' '}
          <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
            How we treat your data
          </Link>
        </p>
      </Form>
    </StepFrame>
  );
}
