import { data, href } from 'react-router';
import { joinField, shownField } from '#app/features/enrolments/join-field.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { Choice, Options } from '#app/ui/staff/choices.tsx';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Words } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/add';
import { readJoiningForStaff, takeAddition } from './add-act.server.ts';
import { enrolmentLabels } from './enrolment-labels.ts';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const found = await unlessDatabaseAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    if (!whole) return null;
    const { id } = whole.enrolment;
    const joining = await academy.db.transaction().execute((trx) => readJoiningForStaff(trx, actor, id, moment));
    return { whole, joining };
  });
  if (!found) throw data(`No enrolment has the reference ${reference}.`, { status: 404 });
  const { whole, joining } = found;
  const first = joining?.courses.map(({ courseId, ways }) => [
    joinField(courseId),
    ways.find(({ full }) => !full)?.value ?? '',
  ]);
  return { reference, joining, form: blankStaffForm(whole.history.seen, Object.fromEntries(first ?? [])) };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), reference, actor };
  const result = await takeAddition(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Add a person');

export default function Add({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, joining } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const from = { to: href('/staff/enrolments/:reference', { reference }), text: reference };
  if (!joining) {
    return (
      <>
        <DialogHead from={from} title="Add a person" />
        <Words>Nobody can join now: the course has begun, is no longer offered, or needs an agreement first.</Words>
      </>
    );
  }
  const { courses, rule, todayCents, contractCents } = joining;
  const labels = {
    ...enrolmentLabels,
    ...Object.fromEntries(courses.map(({ courseId, title }) => [joinField(courseId), title])),
  };
  const dearer = contractCents !== null && contractCents !== todayCents;
  return (
    <Dialog
      from={from}
      title="Add a person"
      explains="They get a place while seats last, and the buyer gets a separate invoice for it. The terms of this enrolment hold for it as well. Read the buyer the refunds below, at today’s price, before you add somebody."
      act="add"
      form={form}
      labels={labels}
      needs="enrolments:change"
      className="grid max-w-2xl gap-4"
      carries={{
        shownToday: todayCents,
        shownContract: contractCents ?? todayCents,
        ...(!dearer && { price: 'today' }),
      }}
      submit="Add the person"
    >
      {courses.map(({ courseId, title, ways }) => (
        <div key={courseId}>
          <SelectField form={form} name={joinField(courseId)} label={title} required>
            {ways.every(({ full }) => full) && <option value="">Every date is full</option>}
            {ways.map(({ value, label, full }) => (
              <option key={value} value={value} disabled={full}>
                {full ? `${label}, full` : label}
              </option>
            ))}
          </SelectField>
          <ul aria-label="Read to the buyer" className="mt-1.5 text-sm text-mute">
            {ways.map(({ value, label, refund, shown }) => (
              <li key={value}>
                {ways.length > 1 && `${label}. `}
                <Unbroken text={refund} />
                <input type="hidden" name={shownField(value)} value={shown} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {rule && <p className="text-sm text-mute">Read to the buyer: {rule}</p>}
      {dearer ? (
        <SelectField
          form={form}
          name="price"
          label={labels.price}
          hint="The price has changed since they enrolled. Say it to the buyer first."
          required
        >
          <Options
            none="Choose the price"
            of={[
              ['today', `${formatExact(todayCents)}, today’s price`],
              ['contract', `${formatExact(contractCents)}, as the others of this enrolment`],
            ]}
          />
        </SelectField>
      ) : (
        <p>
          <b>{formatExact(todayCents)}</b> incl. GST: today’s price, the same as when they enrolled.
        </p>
      )}
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
