import { data, href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/buyer';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { shownFields, wasField } from './merge-fields.ts';
import { PayerFields } from './payer-fields.tsx';
import { shownOfBuyer, takeBuyer } from './people-acts.server.ts';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const whole = await unlessDatabaseAway(() => readEnrolmentForStaff(academy.db, actor, reference, momentOf(academy)));
  if (!whole) throw data(`No enrolment has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const shown = shownOfBuyer(whole.enrolment);
  return { reference, form: blankStaffForm(whole.history.seen, { ...shown, [wasField]: shownFields(shown) }) };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const form = await readForm(request);
  const result = await takeBuyer(context.get(academyContext), { form, reference, actor });
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Correct the buyer');

export default function Buyer({ loaderData, actionData }: Route.ComponentProps) {
  const { reference } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <Dialog
      from={{ to: href('/staff/enrolments/:reference', { reference }), text: reference }}
      title="Correct the buyer"
      explains="If a tax invoice shows what you change, we issue an adjustment note for it and a new invoice. The amount owed stays the same. If the email address changes, the buyer’s links stop working and we send a new one. Saving also confirms the address for copies of invoices."
      act="buyer"
      form={form}
      labels={labels}
      carries={{ [wasField]: form.values[wasField] ?? '', asTyped: form.values.asTyped ?? '' }}
      needs="enrolments:change"
      className="grid max-w-3xl gap-4"
      submit="Correct it"
    >
      <PayerFields form={form} />
    </Dialog>
  );
}
