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
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/attendee';
import { takeAttendee } from './enrolment-acts.server.ts';
import { readEnrolmentForStaff } from './enrolment-page.server.ts';

export async function loader({ context, params: { reference, attendeeId } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const whole = await orAway(() => readEnrolmentForStaff(academy.db, actor, reference, momentOf(academy)));
  const attendee = whole?.enrolment.places.find((place) => String(place.attendee.id) === attendeeId)?.attendee;
  if (!whole || !attendee) throw data('Nobody of this enrolment is at this address.', { status: 404 });
  const fresh = blankStaffForm(whole.history.seen);
  const { name, email, needs, under18, guardianName, guardianEmail } = attendee;
  const typed = { name, email, needs, guardianName, guardianEmail, under18: under18 ? 'on' : '' };
  const values = Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, value ?? '']));
  return { reference, form: { ...fresh, values: { ...values, ...fresh.values } } };
}

export async function action({ context, request, params: { reference, attendeeId } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), reference, actor, attendeeId: Number(attendeeId) };
  const result = await takeAttendee(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => staffMeta('Change an attendee');

export default function Attendee({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const { reference } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const back = href('/staff/enrolments/:reference', { reference });
  return (
    <>
      <Back to={back}>{reference}</Back>
      <h1 className="text-2xl">Change an attendee</h1>
      <p className="mt-1 mb-6 max-w-prose text-mute">
        Naming somebody or letting another person attend is free and no move. With another e-mail address the links sent
        to the old one end, and both are told.
      </p>
      <ErrorSummary form={form} labels={labels} formId="attendee-form" />
      <Form id="attendee-form" method="post" noValidate className="grid max-w-2xl gap-4">
        <ActFields form={form} act="attendee" />
        <TextField form={form} name="name" label={labels.name} hint="Empty: named later." />
        <TextField form={form} name="email" label={labels.email} type="email" />
        <TextArea form={form} name="needs" label={labels.needs} />
        <label className="flex min-h-11 items-center gap-3 font-bold">
          <input
            type="checkbox"
            name="under18"
            defaultChecked={form.values.under18 === 'on'}
            className="size-5 accent-action"
          />
          {labels.under18}
        </label>
        <TextField form={form} name="guardianName" label={labels.guardianName} />
        <TextField form={form} name="guardianEmail" label={labels.guardianEmail} type="email" />
        <ActOrLeave back={back} sending={sending}>
          Keep it
        </ActOrLeave>
      </Form>
    </>
  );
}
