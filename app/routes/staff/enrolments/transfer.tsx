import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { openSessionsOf } from '#app/routes/staff/sessions/sessions.server.ts';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/transfer';
import { enrolmentLabels } from './enrolment-labels.ts';
import { readEnrolmentForStaff } from './enrolment-page.server.ts';
import { takeTransfer } from './place-acts.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference, placeId } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const found = await orAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    const place = whole && shownEnrolment(whole).places.find(({ id, active }) => active && String(id) === placeId);
    if (!whole || !place || !(place.dated || place.undated)) return null;
    const sessions = await openSessionsOf(academy.db, actor, place.courseId, moment.today);
    return { whole, place, sessions: sessions.filter(({ slug }) => slug !== place.session) };
  });
  if (!found) throw data('This place is cancelled, over, or guided, so it has no date to move from.', { status: 404 });
  const { whole, place, sessions } = found;
  return { reference, place, sessions, form: blankStaffForm(whole.history.seen) };
}

export async function action({ context, request, params: { reference, placeId } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), reference, actor, placeId: Number(placeId) };
  const result = await takeTransfer(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Move a place');

export default function Transfer({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, place, sessions } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const head = {
    from: { to: href('/staff/enrolments/:reference', { reference }), text: reference },
    title: place.dated ? 'Move a place to another date' : 'Give it a date',
    line: (
      <span className="tabular">
        {place.who}, {place.course}, now {place.when}
      </span>
    ),
  };
  if (sessions.length === 0) {
    return (
      <>
        <DialogHead {...head} />
        <Words>This course has no other date open for enrolment. Add one under Sessions first.</Words>
      </>
    );
  }
  return (
    <Dialog
      {...head}
      act="transfer"
      form={form}
      labels={enrolmentLabels}
      needs="enrolments:change"
      className="grid max-w-3xl gap-4"
      submit={place.dated ? 'Move the place' : 'Give it this date'}
    >
      <p>
        The price and the invoice stay the same, and the buyer keeps their free move. We email the buyer and the
        attendee.
      </p>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">{enrolmentLabels.session}</legend>
        {sessions.map(({ id, days, where, left }) => (
          <Choice
            key={id}
            type="radio"
            name="session"
            value={id}
            disabled={left < 1}
            defaultChecked={form.values.session === String(id)}
            className="rounded-control border border-line bg-card p-3"
          >
            <span className={`tabular ${left < 1 ? 'text-mute' : ''}`}>
              {days}, {where}, {left < 1 ? 'full' : `${left} left`}
            </span>
          </Choice>
        ))}
      </fieldset>
    </Dialog>
  );
}
