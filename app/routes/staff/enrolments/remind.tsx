import { data, href } from 'react-router';
import { previewReminder } from '#app/features/enrolments/payment-reminders.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/remind';
import { enrolmentLabels } from './enrolment-labels.ts';
import { notReminded, takeReminder } from './owed-acts.server.ts';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const found = await unlessDatabaseAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    if (!whole) return null;
    const id = whole.enrolment.id;
    return { whole, mail: await academy.db.transaction().execute((trx) => previewReminder(trx, actor, id, moment)) };
  });
  if (!found) throw data(`No enrolment has the reference ${reference}.`, { status: 404 });
  const { whole, mail } = found;
  return {
    reference,
    mail: mail.ok ? { ...mail, to: showControlCharacters(mail.to), text: mail.text } : null,
    why: mail.ok ? '' : notReminded[mail.reason],
    form: blankStaffForm(whole.history.seen),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), reference, actor };
  const result = await takeReminder(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Send a reminder');

export default function Remind({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, mail, why } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const head = {
    from: { to: href('/staff/enrolments/:reference', { reference }), text: reference },
    title: 'Send a reminder',
  };
  if (!mail) {
    return (
      <>
        <DialogHead {...head} />
        <Words>{why}</Words>
      </>
    );
  }
  return (
    <Dialog
      {...head}
      explains="This is the email that goes out. The program’s own reminders come three days before the due day, and three and ten days after it, but none once the course has begun."
      act="remind"
      form={form}
      labels={enrolmentLabels}
      needs="enrolments:change"
      className="grid max-w-2xl gap-4"
      submit="Send it now"
    >
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="text-mute">To</dt>
        <dd className="wrap-anywhere">{mail.to}</dd>
        <dt className="text-mute">Subject</dt>
        <dd>{mail.subject}</dd>
      </dl>
      <div className="rounded-control border border-line bg-card p-4 wrap-anywhere whitespace-pre-wrap">
        {mail.text}
      </div>
    </Dialog>
  );
}
