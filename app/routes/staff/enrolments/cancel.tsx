import { data, Form, href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { readCancelling, readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { Choice, ChoiceCard } from '#app/ui/staff/choices.tsx';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/cancel';
import { enrolmentLabels } from './enrolment-labels.ts';
import { takeCancellation } from './place-acts.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const wished = url.searchParams.getAll('place').map(Number);
  const moment = momentOf(academy);
  const whole = await unlessDatabaseAway(() => readEnrolmentForStaff(academy.db, actor, reference, moment));
  const brings = await unlessDatabaseAway(() =>
    readCancelling(academy.db, actor, { reference, placeIds: wished }, moment),
  );
  if (!whole || !brings)
    throw data(`No enrolment has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const { buyer, title, places } = shownEnrolment(whole);
  const ahead = whole.enrolment.places.filter(({ id, courseDate }) => wished.includes(id) && courseDate !== null);
  // Staff may refund completed places, with a reason (P100).
  const open = places.filter(({ cancelled }) => !cancelled);
  return {
    reference,
    buyer,
    title,
    open: open.map((place) => {
      const alone = brings.wholes.find(({ combo, placeIds }) => !combo && placeIds.includes(place.id));
      return { ...place, backCents: alone?.cents ?? null };
    }),
    combos: brings.wholes.filter(({ combo, placeIds }) => combo && placeIds.length > 0),
    certified: brings.certified.map(({ number, placeId }) => ({
      number,
      who: places.find(({ id }) => id === placeId)?.who ?? '',
    })),
    freesSeats: ahead.some(({ courseDate }) => courseDate !== null && courseDate.endsOn >= moment.today),
    chosen: open.filter(({ id }) => wished.includes(id)),
    terms: brings.chosen,
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

function Places({ reference, open, combos }: Data) {
  return (
    <Form action={href('/staff/enrolments/:reference/cancel', { reference })} className="grid max-w-3xl gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">Which places?</legend>
        {combos.length > 0 && (
          <p className="mb-2">
            Under the terms a combo is cancelled as a whole: tick every course of a person that has not begun. The
            refund is then {combos.map(({ cents }) => formatExact(cents)).join(', ')}. With a reason you can refund
            single courses.
          </p>
        )}
        {open.map(({ id, who, course, when, amount, backCents }) => (
          <ChoiceCard key={id} type="checkbox" name="place" value={id}>
            <span className="min-w-0">
              <b>{who}</b>, {course}
              <span className="tabular block text-sm text-mute">
                <Unbroken text={when} />.{' '}
                {backCents === null
                  ? `Its share of the price is ${amount}.`
                  : `Under the terms its refund is ${formatExact(backCents)}.`}
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
  const { chosen, terms, certified, freesSeats } = shown;
  const onlyInFull = terms === null || chosen.some(({ active }) => !active);
  const full = onlyInFull || form.values.how === 'full';
  return (
    <Dialog
      {...headOf({ ...shown, form })}
      explains="A cancelled place does not come back, and the emails go out at once. To give it back, add the person again: you can choose the price of the contract."
      act="cancel"
      form={form}
      labels={enrolmentLabels}
      needs="enrolments:change"
      className="grid max-w-3xl gap-4"
      carries={{ places: chosen.map(({ id }) => id).join(','), shown: terms?.cents ?? 0 }}
      look="danger"
      submit={`Cancel ${chosen.length === 1 ? 'the place' : `${chosen.length} places`}`}
    >
      <ul className="grid list-disc gap-1 pl-5">
        {chosen.map(({ id, who, course, when, price }) => (
          <li key={id}>
            <b>{who}</b>, {course}, <Unbroken text={when} />: {price}
          </li>
        ))}
        {terms?.lines.map(({ who, label, cents, reason }) => (
          <li key={`${who} ${label}`}>
            Under the terms: {who}, {label}, {cents < 0 ? `−${formatExact(-cents)}` : formatExact(cents)}. {reason}
          </li>
        ))}
        {terms === null && (
          <li>Under the terms a combo is cancelled as a whole. To refund only these courses, give a reason.</li>
        )}
        {certified.map(({ number, who }) => (
          <li key={number} className="font-semibold">
            {who} keeps the certificate{' '}
            <TextLink to={href('/staff/certificates/:number', { number })}>{inFours(number)}</TextLink>, unless you
            revoke it there.
          </li>
        ))}
        <li>
          {freesSeats && 'Their seats become free at once. '}We email the buyer, and every attendee with their own
          address.
        </li>
        <li>
          The amount first reduces what is owed. The rest is listed as a refund to send. We send no money automatically.
        </li>
      </ul>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">How much to take off?</legend>
        {!onlyInFull && (
          <Choice type="radio" name="how" value="terms" defaultChecked={!full}>
            {formatExact(terms.cents)}, as the terms say
          </Choice>
        )}
        <Choice type="radio" name="how" value="full" defaultChecked={full}>
          Everything charged for them, with a reason
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
