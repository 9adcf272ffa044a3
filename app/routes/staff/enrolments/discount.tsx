import { data, href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/discount';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { takeDiscount } from './owed-acts.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:refund');
  const academy = context.get(academyContext);
  const whole = await unlessDatabaseAway(() => readEnrolmentForStaff(academy.db, actor, reference, momentOf(academy)));
  if (!whole) throw data(`No enrolment has the reference ${reference}.`, { status: 404 });
  const { places, payments } = shownEnrolment(whole);
  const charged = places.flatMap(({ id, who, course, cancelled, chargedCents: cents }) =>
    cents > 0 ? [{ id, cents, cancelled, text: `${who}, ${course}, ${formatExact(cents)} charged` }] : [],
  );
  const standing = charged.filter(({ cancelled }) => !cancelled);
  return {
    reference,
    charged: charged.map(({ id, text }) => [id, text] as const),
    all: standing.length > 1 ? formatExact(standing.reduce((sum, { cents }) => sum + cents, 0)) : null,
    owed:
      whole.balanceCents > 0
        ? `${formatExact(whole.balanceCents)} is owed now. A discount of more than that is refunded as far as it was paid.`
        : 'Nothing is owed now, so all of the discount is refunded.',
    payments: payments
      .filter(({ leftCents }) => leftCents > 0)
      .map(({ id, what, leftCents }) => [id, `${what}, ${formatExact(leftCents)} left`] as const),
    form: blankStaffForm(whole.history.seen, { place: standing.length > 1 ? 'all' : String(standing[0]?.id ?? '') }),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:refund');
  const asked = { form: await readForm(request), reference, actor };
  const result = await takeDiscount(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Give a discount');

export default function Discount({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, charged, all, owed, payments } = loaderData;
  return (
    <Dialog
      from={{ to: href('/staff/enrolments/:reference', { reference }), text: reference }}
      title="Give a discount"
      line={owed}
      explains="We issue an adjustment note that lowers the invoice and its GST, and email it to the buyer with your reason."
      act="discount"
      form={actionData?.form ?? loaderData.form}
      labels={labels}
      needs="money:refund"
      className="grid max-w-2xl gap-4"
      carries={payments.length === 0 ? { refundOf: '' } : {}}
      submit="Give the discount"
    >
      <SelectField form={actionData?.form ?? loaderData.form} name="place" label={labels.place} required>
        <Options of={[...(all ? [['all', `All of them, ${all} charged`] as const] : []), ...charged]} />
      </SelectField>
      <TextField
        form={actionData?.form ?? loaderData.form}
        name="discount"
        label={labels.discount}
        inputMode="decimal"
        required
      />
      <TextField form={actionData?.form ?? loaderData.form} name="discountWhy" label={labels.discountWhy} required />
      {payments.length > 0 && (
        <SelectField
          form={actionData?.form ?? loaderData.form}
          name="refundOf"
          label={labels.refundOf}
          hint="Only for what was paid already. The refund is recorded with the discount: send it today to where the money came from. Stripe sends a card payment back."
        >
          <Options none="Nothing is refunded" of={payments} />
        </SelectField>
      )}
    </Dialog>
  );
}
