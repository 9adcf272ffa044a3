import { Form, href, Link, useNavigation } from 'react-router';
import { PayerFields, payerLabels } from '#app/features/enrolling/payer-fields.tsx';
import { stepPath } from '#app/features/enrolling/steps.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/payer';
import { AddressRemark } from './address-remark.tsx';
import { NoDraft } from './no-draft.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export function loader(args: Route.LoaderArgs) {
  return loadStep(args, 'payer', ({ draft }) => ({ values: draft.payer }));
}

export const action = (args: Route.ActionArgs) => actStep(args, 'payer');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: who pays', 'Who enrols, and to whom the tax invoice goes.', noPage);

const formId = 'step-form';
const labels = { ...payerLabels, email: 'Email' };

export default function PayerStep({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <StepFrame
      summary={summary}
      step="payer"
      title="Who pays"
      lead="You pay by bank transfer on a tax invoice; nothing is charged here."
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form id={formId} method="post" action={stepPath(summary.token, 'payer')} noValidate className="grid gap-5">
        <PayerFields
          form={form}
          addressHint="It appears on the invoice. From AU$1,000 an invoice must say who buys: your name, or the organisation’s, is enough."
        >
          <div>
            <TextField
              form={form}
              name="email"
              label={labels.email}
              hint="We send the invoice and the link to your enrolment there. You confirm it with a code."
              type="email"
              autoComplete="email"
              required
            />
            <AddressRemark email={form.values.email ?? ''} formId={formId} />
          </div>
        </PayerFields>
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
