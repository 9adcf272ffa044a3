import { data, Form, href, useNavigation } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { ActFields, ActOrLeave, Back } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { enrolmentLabels as labels } from '#app/routes/staff/labels.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/buyer';
import { takeBuyer } from './enrolment-acts.server.ts';
import { readEnrolmentForStaff } from './enrolment-page.server.ts';
import { PayerFields } from './payer-fields.tsx';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const whole = await orAway(() => readEnrolmentForStaff(academy.db, actor, reference, momentOf(academy)));
  if (!whole) throw data(`No enrolment has the reference ${reference}. It may have been erased.`, { status: 404 });
  const fresh = blankStaffForm(whole.history.seen);
  const { buyerName, email, phone, organisation, abn, address, purchaseOrder, accountsEmail } = whole.enrolment;
  const typed = { buyerName, email, phone, organisation, abn, address, purchaseOrder, accountsEmail };
  const values = Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, value ?? '']));
  return { reference, form: { ...fresh, values: { ...values, ...fresh.values } } };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const form = await readForm(request);
  const result = await takeBuyer(context.get(academyContext), { form, reference, actor });
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => staffMeta('Correct the buyer');

export default function Buyer({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const { reference } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const back = href('/staff/enrolments/:reference', { reference });
  return (
    <>
      <Back to={back}>{reference}</Back>
      <h1 className="text-2xl">Correct the buyer</h1>
      <p className="mt-1 mb-6 max-w-prose text-mute">
        Where a tax invoice names what changes, an adjustment note takes it back and a new invoice takes its place; what
        is owed stays the same. With another e-mail address the buyer’s links end, and a fresh one goes there. Saving
        also confirms the address for copies of invoices.
      </p>
      <ErrorSummary form={form} labels={labels} formId="buyer-form" />
      <Form id="buyer-form" method="post" noValidate className="grid max-w-3xl gap-4">
        <ActFields form={form} act="buyer" />
        <PayerFields form={form} />
        <ActOrLeave back={back} sending={sending}>
          Correct it
        </ActOrLeave>
      </Form>
    </>
  );
}
