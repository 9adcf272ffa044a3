import { Form, href, Link, useNavigation } from 'react-router';
import { NoDraft } from '#app/features/enrolments/steps/no-draft.tsx';
import { StepButtons, StepFrame } from '#app/features/enrolments/steps/step-frame.tsx';
import { stepPath } from '#app/features/enrolments/steps/steps.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/payer';
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
const labels = {
  buyerName: 'Your name',
  email: 'Email',
  phone: 'Phone',
  payer: 'Who pays',
  address: 'Postal address',
  organisation: 'Organisation',
  abn: 'ABN',
  purchaseOrder: 'Purchase order',
  accountsEmail: 'Accounts payable',
};

export default function PayerStep({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { frame, linkState } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const payer = form.values.payer ?? '';
  const error = form.errors.payer;
  return (
    <StepFrame
      frame={frame}
      step="payer"
      title="Who pays"
      lead="You pay by bank transfer on a tax invoice; nothing is charged here."
      formId={formId}
      linkState={linkState}
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form
        id={formId}
        method="post"
        action={stepPath(frame.token, 'payer')}
        noValidate
        className="group/step grid gap-5"
      >
        <TextField form={form} name="buyerName" label={labels.buyerName} autoComplete="name" required />
        <TextField
          form={form}
          name="email"
          label={labels.email}
          hint="The invoice and the link to your enrolment go there. You confirm it by a code."
          type="email"
          autoComplete="email"
          required
        />
        <TextField form={form} name="phone" label={labels.phone} type="tel" autoComplete="tel" />
        <fieldset id="payer" tabIndex={-1} aria-describedby={error ? 'payer-error' : undefined} className="min-w-0">
          <legend className="mb-2 font-bold">Who pays</legend>
          {error && (
            <p id="payer-error" className="mb-2 font-semibold text-fault">
              {error}
            </p>
          )}
          <div className="grid gap-3 sm:grid-cols-2">
            {[
              ['person', 'I pay myself'],
              ['organisation', 'An organisation pays'],
            ].map(([value, label]) => (
              <label
                key={value}
                className="flex min-h-12 items-center gap-3 rounded-control border border-edge bg-card px-4 py-2 has-checked:border-action has-checked:ring-2 has-checked:ring-action hover:border-ink"
              >
                <input
                  type="radio"
                  name="payer"
                  value={value}
                  defaultChecked={payer === value}
                  className="size-5 shrink-0 accent-action"
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="hidden gap-5 group-has-[[value=organisation]:checked]/step:grid">
          <TextField
            form={form}
            name="organisation"
            label={labels.organisation}
            hint="As it should stand on the tax invoice."
            autoComplete="organization"
            required
          />
          <TextField form={form} name="abn" label={labels.abn} hint="Eleven digits." inputMode="numeric" />
          <TextField form={form} name="purchaseOrder" label={labels.purchaseOrder} />
          <TextField
            form={form}
            name="accountsEmail"
            label={labels.accountsEmail}
            hint="A copy of every invoice goes to this e-mail address."
            type="email"
            autoComplete="off"
          />
        </div>
        <TextField
          form={form}
          name="address"
          label={labels.address}
          hint="It stands on the invoice. From AU$1,000 an invoice must say who buys: your name, or the organisation’s, is enough."
          autoComplete="street-address"
        />
        <p className="text-sm text-mute">
          We keep this to enrol you and use it for nothing else.{' '}
          <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
            How we treat your data
          </Link>
        </p>
        <StepButtons sending={sending} />
      </Form>
    </StepFrame>
  );
}
