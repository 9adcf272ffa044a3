import { Form, useNavigation } from 'react-router';
import { readMoneyRecords } from '#app/features/enrolments/money/money-records.server.ts';
import { buyerValues, correctAsAsked } from '#app/features/enrolments/own-pages/people-acts.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/details';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

export function loader({ context, params: { token } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, circumstances) => {
    const { documents } = await readMoneyRecords(trx, enrolment);
    return {
      values: buyerValues(enrolment),
      email: enrolment.email,
      phone: circumstances.academy.phone,
      invoiced: documents.length > 0,
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, correctAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Correct your details', 'Correct who enrolled and who pays.', noPage);

const formId = 'details-form';
const labels = {
  buyerName: 'Your name',
  phone: 'Phone',
  payer: 'Who pays',
  organisation: 'Organisation',
  abn: 'ABN',
  purchaseOrder: 'Purchase order',
  accountsEmail: 'Accounts payable',
  address: 'Postal address',
};

export default function Details({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData && !actionData) return <Away />;
  const form = actionData?.form ?? { ...noFault, values: loaderData?.values ?? {} };
  return (
    <ActPage
      title="Correct your details"
      lead={
        loaderData && !loaderData.invoiced
          ? 'They will stand on the tax invoice.'
          : 'An adjustment note takes the tax invoice back, and a new one with the same amount takes its place. What is owed stays the same.'
      }
      token={token}
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form id={formId} method="post" noValidate className="group/step grid gap-5">
        <TextField form={form} name="buyerName" label={labels.buyerName} autoComplete="name" required />
        <TextField form={form} name="phone" label={labels.phone} type="tel" autoComplete="tel" />
        <fieldset id="payer" tabIndex={-1} className="min-w-0">
          <legend className="mb-2 font-bold">Who pays</legend>
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
                  defaultChecked={form.values.payer === value}
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
          hint="It stands on the invoice."
          autoComplete="street-address"
        />
        {loaderData && (
          <p className="text-mute">
            Your e-mail address, {loaderData.email}, was confirmed by a code and is not changed here. To change it,
            telephone {loaderData.phone}.
          </p>
        )}
        <Confirm label="Correct my details" busy={busy} token={token} />
      </Form>
    </ActPage>
  );
}
