import { data, Form, href, useNavigation } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { ActFields, ActOrLeave, Back, Words } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { enrolmentLabels } from '#app/routes/staff/labels.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/cancel';
import { takeCancellation } from './enrolment-acts.server.ts';
import { readCancelling, readEnrolmentForStaff } from './enrolment-page.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const wished = url.searchParams.getAll('place').map(Number);
  const moment = momentOf(academy);
  const whole = await orAway(() => readEnrolmentForStaff(academy.db, actor, reference, moment));
  const brings = await orAway(() => readCancelling(academy.db, actor, { reference, placeIds: wished }, moment));
  if (!whole || !brings)
    throw data(`No enrolment has the reference ${reference}. It may have been erased.`, { status: 404 });
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

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => staffMeta('Cancel places');

/** First which places, then what that brings, and then it is done. */
export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, buyer, title, open, chosen } = loaderData;
  return (
    <>
      <Back to={href('/staff/enrolments/:reference', { reference })}>{reference}</Back>
      <h1 className="text-2xl">Cancel places</h1>
      <p className="mt-1 mb-6 text-mute">
        {buyer}, {title}
      </p>
      {open.length === 0 && <Words>Every place of this enrolment is cancelled.</Words>}
      {open.length > 0 && chosen.length === 0 && <Choice {...loaderData} />}
      {chosen.length > 0 && <Confirm {...loaderData} form={actionData?.form ?? loaderData.form} />}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Choice({ reference, open }: Data) {
  return (
    <Form action={href('/staff/enrolments/:reference/cancel', { reference })} className="grid max-w-3xl gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">Which places?</legend>
        {open.map(({ id, who, course, when, backCents }) => (
          <label key={id} className="flex min-h-11 items-start gap-3 rounded-control border border-line bg-card p-3">
            <input type="checkbox" name="place" value={id} className="mt-1 size-5 accent-action" />
            <span className="min-w-0">
              <b>{who}</b>, {course}
              <span className="tabular block text-sm text-mute">
                {when}. By the terms {formatMoney(backCents)} comes off.
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit" className={button.primary}>
          See what it brings
        </button>
      </div>
    </Form>
  );
}

function Confirm({ reference, chosen, raises, backCents: shown, form }: Data) {
  const sending = useNavigation().state === 'submitting';
  const over = chosen.some(({ active }) => !active);
  const full = over || form.values.how === 'full';
  return (
    <>
      <ErrorSummary form={form} labels={enrolmentLabels} formId="cancel-form" />
      <ul className="mb-4 grid max-w-3xl list-disc gap-1 pl-5">
        {chosen.map(({ id, who, course, when, backCents, amount }) => (
          <li key={id}>
            <b>{who}</b>, {course}, <span className="tabular">{when}</span>: {formatMoney(backCents)} of {amount} comes
            off by the terms.
          </li>
        ))}
        {raises.map(({ placeId, label, now, more, invoiced }) => (
          <li key={`raise-${placeId}`}>
            {label} then costs {now}, {more} more, because the combo’s discount no longer applies to it
            {invoiced ? '. A tax invoice is issued for it.' : '. It is invoiced when it has a date.'}
          </li>
        ))}
        <li>Their seats are free at once. The buyer, and everybody with an address of their own, is told by e-mail.</li>
        <li>
          What comes off lowers what is owed first; the rest is listed as a refund to be sent. No money moves by itself.
        </li>
      </ul>
      <Form id="cancel-form" method="post" noValidate className="grid max-w-3xl gap-4">
        <ActFields form={form} act="cancel" />
        <input type="hidden" name="places" value={chosen.map(({ id }) => id).join(',')} />
        <input type="hidden" name="shown" value={shown} />
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-bold">How much comes off?</legend>
          {!over && (
            <label className="flex min-h-11 items-center gap-3">
              <input type="radio" name="how" value="ladder" defaultChecked={!full} className="size-5 accent-action" />
              <span>
                {shown < 0 ? `None, ${formatMoney(-shown)} more is to pay` : formatMoney(shown)}, as the terms say
              </span>
            </label>
          )}
          <label className="flex min-h-11 items-center gap-3">
            <input type="radio" name="how" value="full" defaultChecked={full} className="size-5 accent-action" />
            <span>All that is charged for them, with a reason; kept courses keep the combo’s price</span>
          </label>
        </fieldset>
        <TextField form={form} name="reason" label={enrolmentLabels.reason} hint="Needed when all of it comes off." />
        <ActOrLeave back={href('/staff/enrolments/:reference', { reference })} sending={sending}>
          Cancel {chosen.length === 1 ? 'the place' : `${chosen.length} places`}
        </ActOrLeave>
      </Form>
    </>
  );
}
