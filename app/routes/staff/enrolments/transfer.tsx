import { data, href } from 'react-router';
import { freeSeats } from '#app/features/course-dates/rules.ts';
import { openCourseDatesOf } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { lastFirstDay } from '#app/features/enrolments/enrolment.ts';
import { openChoice } from '#app/features/enrolments/may-change.ts';
import { capOfMove } from '#app/features/enrolments/purchases.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Dialog, DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Words } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/transfer';
import { enrolmentLabels } from './enrolment-labels.ts';
import { takeTransfer } from './place-acts.server.ts';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference, placeId } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const found = await unlessDatabaseAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    const place = whole && shownEnrolment(whole).places.find(({ id, active }) => active && String(id) === placeId);
    if (!whole || !place || !(place.dated || place.undated)) return null;
    const courseDates = await openCourseDatesOf(academy.db, actor, place.courseId, moment.today);
    const asWritten = whole.enrolment.places.find(({ id }) => id === place.id);
    const caused = asWritten !== undefined && openChoice(asWritten, moment.today) !== null;
    const cap = asWritten?.way === 'date' ? capOfMove(asWritten, place.chargedCents, moment.now).cents : 0;
    const waiting = whole.enrolment.places.filter(
      ({ way, state, courseId }) => way === 'next-date' && state === 'active' && courseId === place.courseId,
    );
    // A move ends within twelve months. A first date may be any, and takes seats that others wait for (P38).
    const last = lastFirstDay(moment.today);
    const others = courseDates
      .filter(({ onlyFor }) => onlyFor === null || onlyFor.id === whole.enrolment.organisationId)
      .filter(({ slug, startDate }) => slug !== place.courseDate && (place.undated || startDate <= last))
      .map((one) => ({ ...one, isFull: one.left + (place.undated ? one.reserved : 0) < 1 }));
    return { whole, place, caused, cap, waiting, courseDates: others };
  });
  if (!found) throw data('This place is cancelled, over, or guided, so it has no date to move from.', { status: 404 });
  const { whole, place, caused, cap, waiting, courseDates } = found;
  return {
    reference,
    place,
    // Of a move that we caused nobody has to be asked who wants it.
    asks: place.dated && !caused,
    back: formatExact(cap),
    waiting: waiting.length,
    invoiced: formatExact(waiting.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    courseDates,
    form: blankStaffForm(whole.history.seen),
  };
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
  const { reference, place, courseDates, asks } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const head = {
    from: { to: href('/staff/enrolments/:reference', { reference }), text: reference },
    title: place.dated ? 'Move a place to another date' : 'Give it a date',
    line: `${place.who}, ${place.course}, now ${place.when}`,
  };
  if (courseDates.length === 0) {
    return (
      <>
        <DialogHead {...head} />
        <Words>This course has no other date open for enrolment. Add one under Course dates first.</Words>
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
      carries={asks ? {} : { because: 'us' }}
    >
      <p>{place.dated ? moving : dating(loaderData)} We email the buyer and the attendee.</p>
      {asks && (
        <Radios
          form={form}
          name="because"
          of={[
            [
              'asked',
              `The buyer asked for it. It uses their free move, and later it gives back at most what it gives back today, ${loaderData.back}.`,
            ],
            ['us', 'We caused it. The buyer keeps their free move, and a later refund is not limited.'],
          ]}
        />
      )}
      {loaderData.waiting > 1 && !place.dated && (
        <Radios
          form={form}
          name="which"
          of={[
            [
              'all',
              loaderData.waiting === 2
                ? 'Both places that wait for this course, in one invoice'
                : `All ${loaderData.waiting} places that wait for this course, in one invoice`,
            ],
            ['one', `Only ${place.who}. The others wait on, in their turn.`],
          ]}
          first="all"
        />
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">{enrolmentLabels.courseDate}</legend>
        {courseDates.map(({ id, days, where, left, reserved, isFull, onlyFor }) => (
          <Choice
            key={id}
            type="radio"
            name="courseDate"
            value={id}
            disabled={isFull}
            defaultChecked={form.values.courseDate === String(id)}
            className="rounded-control border border-line bg-card p-3"
          >
            <span className={`tabular ${isFull ? 'text-mute' : ''}`}>
              <Unbroken
                text={`${days}, ${where}, ${freeSeats({ left, reserved })}${onlyFor ? `, only for ${onlyFor.name}` : ''}`}
              />
            </span>
          </Choice>
        ))}
      </fieldset>
    </Dialog>
  );
}

const moving = 'The price and the invoice stay the same.';

const dating = ({ waiting, invoiced }: Route.ComponentProps['loaderData']): string =>
  waiting === 1
    ? `We issue the tax invoice of ${invoiced}.`
    : `We issue the tax invoice: ${invoiced} for ${allOf(waiting)} that wait for this course.`;

type RadiosProps = {
  form: FormState;
  name: 'because' | 'which';
  of: readonly (readonly [value: string, words: string])[];
  first?: string;
};

function Radios({ form, name, of, first }: RadiosProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-bold">{enrolmentLabels[name]}</legend>
      {of.map(([value, words]) => (
        <Choice
          key={value}
          type="radio"
          name={name}
          value={value}
          required
          defaultChecked={(form.values[name] ?? first) === value}
        >
          {words}
        </Choice>
      ))}
      {form.errors[name] && <p className="font-semibold text-fault">{form.errors[name]}</p>}
    </fieldset>
  );
}

const allOf = (places: number) => (places === 2 ? 'both places' : `all ${places} places`);
