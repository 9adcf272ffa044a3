import { Form, useNavigation } from 'react-router';
import { readMoneyRecords } from '#app/features/enrolments/account.server.ts';
import { PayerFields, payerLabels } from '#app/features/enrolments/enrolling/payer-fields.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/details';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { buyerValues, correctDetailsForBuyer } from './people-acts.server.ts';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

export function loader({ context, params: { token } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const { documents } = await readMoneyRecords(trx, enrolment, moment.now);
    return {
      values: buyerValues(enrolment),
      email: enrolment.email,
      phone: moment.academy.phone,
      invoiced: documents.length > 0,
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, correctDetailsForBuyer);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Correct your details', 'Correct who enrolled and who pays.', noPage);

const formId = 'details-form';

export default function Details({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData && !actionData) return <Away />;
  const form = actionData?.form ?? { ...noFault, values: loaderData?.values ?? {} };
  return (
    <ActPage
      title="Correct your details"
      lead={
        loaderData && !loaderData.invoiced
          ? 'They will appear on the tax invoice.'
          : 'If you change what the tax invoice shows, we cancel it with an adjustment note and send a new one for the same amount. What you owe stays the same.'
      }
      token={token}
    >
      <ErrorSummary form={form} labels={payerLabels} formId={formId} />
      <Form id={formId} method="post" noValidate className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PayerFields form={form} addressHint="It appears on the invoice." />
        {loaderData && (
          <p className="text-mute">
            Your email address, {loaderData.email}, was confirmed with a code. To change it, call {loaderData.phone}.
          </p>
        )}
        <Confirm label="Correct my details" busy={busy} />
      </Form>
    </ActPage>
  );
}
