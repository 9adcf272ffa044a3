import { data, href } from 'react-router';
import { staysInWords } from '#app/features/enrolments/words.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/attendee';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { shownFields, wasField } from './merge-fields.ts';
import { shownOfAttendee, takeAttendee } from './people-acts.server.ts';

export async function loader({ context, params: { reference, attendeeId } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const whole = await unlessDatabaseAway(() => readEnrolmentForStaff(academy.db, actor, reference, moment));
  const places = whole?.enrolment.places.filter((place) => String(place.attendee.id) === attendeeId) ?? [];
  const attendee = places[0]?.attendee;
  if (!whole || !attendee) throw data('Nobody in this enrolment has this address.', { status: 404 });
  const shown = shownOfAttendee(attendee);
  const filled = { ...shown, under18: shown.under18 ? 'on' : '', [wasField]: shownFields(shown) };
  const stays = staysInWords(places, moment.today);
  return { reference, stays, form: blankStaffForm(whole.history.seen, filled) };
}

export async function action({ context, request, params: { reference, attendeeId } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), reference, actor, attendeeId: Number(attendeeId) };
  const result = await takeAttendee(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Change an attendee');

export default function Attendee({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, stays } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <Dialog
      from={{ to: href('/staff/enrolments/:reference', { reference }), text: reference }}
      title="Change an attendee"
      explains="Naming someone, or changing who attends, is free and doesn’t use the free move. If the email address changes, links sent to the old address stop working, and we email both addresses. A certificate with the old name is issued again with the new one, and its holder gets an email."
      act="attendee"
      form={form}
      labels={labels}
      carries={{ [wasField]: form.values[wasField] ?? '' }}
      needs="enrolments:change"
      className="grid max-w-2xl gap-4"
      submit="Save"
    >
      {stays && <p className="font-bold">{stays}</p>}
      <TextField form={form} name="name" label={labels.name} hint="Leave it empty to name them later." />
      <TextField form={form} name="email" label={labels.email} type="email" />
      <TextArea form={form} name="needs" label={labels.needs} />
      <Choice type="checkbox" name="under18" defaultChecked={form.values.under18 === 'on'} className="font-bold">
        {labels.under18}
      </Choice>
      <TextField form={form} name="guardianName" label={labels.guardianName} />
      <TextField form={form} name="guardianEmail" label={labels.guardianEmail} type="email" />
    </Dialog>
  );
}
