import { data, Form, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { Choice, ChoiceCard } from '#app/ui/staff/choices.tsx';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/cancel';
import { enrolmentLabels } from './enrolment-labels.ts';
import { readCancelling, readEnrolmentForStaff } from './enrolment-page.server.ts';
import { takeCancellation } from './place-acts.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const wished = url.searchParams.getAll('place').map(Number);
  const moment = momentOf(academy);
  const whole = await orAway(() => readEnrolmentForStaff(academy.db, actor, reference, moment));
  const brings = await orAway(() => readCancelling(academy.db, actor, { reference, placeIds: wished }, moment));
  if (!whole || !brings)
    throw data(`No enrolment has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const { buyer, title, places } = shownEnrolment(whole);
  // Staff may refund completed places, with a reason (P40).
  const open = places.filter(({ cancelled }) => !cancelled);
  return {
    reference,
    buyer,
    title,
    open,
    // The refund of all chosen places together may be less than the sum of each alone.
    chosen: open.flatMap((place) => {
      if (!wished.includes(place.id)) return [];
      const credit = brings.credits.find(({ placeId }) => placeId === place.id);
      return [{ ...place, backCents: credit?.cents ?? 0 }];
    }),
    raises: brings.raises,
    backCents: brings.backCents,
    form: blankStaffForm(whole.history.seen),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const form = await readForm(request);
  const result = await takeCancellation(context.get(academyContext), { form, reference, actor });
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Cancel places');

/** Three steps: choosing places, reading the effects, cancelling. */
export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const { open, chosen } = loaderData;
  if (chosen.length > 0) return <Confirm {...loaderData} form={actionData?.form ?? loaderData.form} />;
  return (
    <>
      <DialogHead {...headOf(loaderData)} />
      {open.length === 0 ? <Words>Every place of this enrolment is cancelled.</Words> : <Places {...loaderData} />}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

const headOf = ({ reference, buyer, title }: Data) => ({
  from: { to: href('/staff/enrolments/:reference', { reference }), text: reference },
  title: 'Cancel places',
  line: `${buyer}, ${title}`,
});

function Places({ reference, open }: Data) {
  return (
    <Form action={href('/staff/enrolments/:reference/cancel', { reference })} className="grid max-w-3xl gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">Which places?</legend>
        {open.map(({ id, who, course, when, backCents }) => (
          <ChoiceCard key={id} type="checkbox" name="place" value={id}>
            <span className="min-w-0">
              <b>{who}</b>, {course}
              <span className="tabular block text-sm text-mute">
                <Unbroken text={when} />. Under the terms the buyer gets {formatExact(backCents)} back, or owes that
                much less.
              </span>
            </span>
          </ChoiceCard>
        ))}
      </fieldset>
      <div>
        <button type="submit" className={button.primary}>
          See the refund
        </button>
      </div>
    </Form>
  );
}

function Confirm({ form, ...shown }: Data) {
  const { chosen, raises, backCents: back } = shown;
  const over = chosen.some(({ active }) => !active);
  const full = over || form.values.how === 'full';
  return (
    <Dialog
      {...headOf({ ...shown, form })}
      explains="A cancelled place does not come back, and the emails go out at once. To give it back, add the person again: you can choose the price of the contract."
      act="cancel"
      form={form}
      labels={enrolmentLabels}
      needs="enrolments:change"
      className="grid max-w-3xl gap-4"
      carries={{ places: chosen.map(({ id }) => id).join(','), shown: back }}
      look="danger"
      submit={`Cancel ${chosen.length === 1 ? 'the place' : `${chosen.length} places`}`}
    >
      <ul className="grid list-disc gap-1 pl-5">
        {chosen.map(({ id, who, course, when, backCents, amount }) => (
          <li key={id}>
            <b>{who}</b>, {course}, <Unbroken text={when} />: {formatExact(backCents)} of {amount} is taken off under
            the terms.
          </li>
        ))}
        {raises.map(({ placeId, label, now, more, invoiced }) => (
          <li key={`raise-${placeId}`}>
            {label} then costs {now}, {more} more, because the combo’s discount no longer applies to it
            {invoiced ? '. A tax invoice is issued for it.' : '. It is invoiced when it has a date.'}
          </li>
        ))}
        <li>Their seats become free at once. We email the buyer, and every attendee with their own address.</li>
        <li>
          The amount first reduces what is owed. The rest is listed as a refund to send. We send no money automatically.
        </li>
      </ul>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">How much to take off?</legend>
        {!over && (
          <Choice type="radio" name="how" value="ladder" defaultChecked={!full}>
            {back < 0 ? `None, ${formatExact(-back)} more is to pay` : formatExact(back)}, as the terms say
          </Choice>
        )}
        <Choice type="radio" name="how" value="full" defaultChecked={full}>
          Everything charged for them, with a reason; courses they keep stay at the combo’s price
        </Choice>
      </fieldset>
      <TextField
        form={form}
        name="reason"
        label={enrolmentLabels.reason}
        hint="Needed when everything is given back."
      />
    </Dialog>
  );
}
