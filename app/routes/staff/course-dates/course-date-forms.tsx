import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, SendButton } from '#app/ui/staff/act-form.tsx';
import type { Route } from './+types/course-date';
import { courseDateLabels } from './course-date-labels.ts';
import { SureBox } from './in-the-way.tsx';
import { JoiningDetailsFields } from './joining-details-fields.tsx';

type Data = Route.ComponentProps['loaderData'];

const needs = 'course-dates:change';

/** Changes how many seats there are. */
export function Resize({ courseDate, form }: { courseDate: Data['courseDate']; form: FormState }) {
  const values = { capacity: String(courseDate.capacity), ...form.values };
  const { waiting, onlyFor } = courseDate;
  const hint = onlyFor
    ? `Only ${onlyFor.name} gets new seats.`
    : waiting > 0
      ? `${waiting} ${waiting === 1 ? 'seat is' : 'seats are'} wanted on the waiting list. New seats go there first.`
      : 'Nobody is waiting. New seats are open to the public at once.';
  return (
    <ActForm act="resize" form={form} needs={needs} submit="Change the seats">
      <TextField
        form={{ ...form, values }}
        name="capacity"
        label={courseDateLabels.capacity}
        hint={hint}
        inputMode="numeric"
        required
      />
    </ActForm>
  );
}

/** Holds seats for a quote. */
export function Quote({ form }: { form: FormState }) {
  return (
    <ActForm act="hold-quote" form={form} needs={needs} submit="Hold them">
      <h2 className="text-lg">Hold seats for a quote</h2>
      <TextField form={form} name="seats" label={courseDateLabels.seats} inputMode="numeric" required />
      <TextField form={form} name="until" label={courseDateLabels.until} type="date" required />
      <TextField
        form={form}
        name="label"
        label={courseDateLabels.label}
        hint="Its number or the organisation. Do not enter people’s names."
        required
      />
    </ActForm>
  );
}

/** Sets the room and the link; everybody in the course date is told at once. */
export function JoiningDetailsForm({ courseDate, form }: { courseDate: Data['courseDate']; form: FormState }) {
  const { room, street, joiningLink, delivery, joiningDetailsMissing } = courseDate;
  const values = { room: room ?? '', street: street ?? '', joiningLink: joiningLink ?? '', ...form.values };
  return (
    <ActForm act="joining-details" form={form} needs={needs} submit="Set them">
      <h2 className="text-lg">Room and link</h2>
      {joiningDetailsMissing !== '' && (
        <p className="text-sm">Not set yet: {joiningDetailsMissing}. We send no reminders until you set it.</p>
      )}
      <JoiningDetailsFields form={{ ...form, values }} delivery={delivery} />
      <SureBox form={form} />
      <p className="text-sm text-mute">
        {courseDate.sold === 0
          ? 'Nobody has enrolled yet, so we email nobody.'
          : 'We email everyone who attends, with a new calendar entry.'}
      </p>
    </ActForm>
  );
}

/** A notice for a confirmed course date below its minimum: the rule, and the acts for staff (P39). */
export function BelowMinimum({ courseDate, form }: { courseDate: Data['courseDate']; form: FormState }) {
  const { slug, sold, minimum, belowMinimum, confirmedOn } = courseDate;
  if (!belowMinimum) return null;
  return (
    <ActForm
      act="hold-anyway"
      form={form}
      needs={needs}
      className="mb-8 grid max-w-prose gap-3 rounded-control border-2 border-straw p-4"
    >
      <p className="font-bold">
        It is below its minimum: {sold} of at least {minimum} {sold === 1 ? 'is' : 'are'} in it.
      </p>
      <p>
        {confirmedOn
          ? 'Enough people had enrolled, so it was confirmed; then people cancelled.'
          : 'It starts soon, and buyers read that it is confirmed.'}{' '}
        It stays confirmed unless you cancel it. If you cancel it, each buyer chooses another date or a full refund.
      </p>
      <div className="flex flex-wrap gap-3">
        <SendButton look="primary">Run it anyway</SendButton>
        <Link to={href('/staff/course-dates/:slug/:change', { slug, change: 'cancel' })} className={button.quiet}>
          Cancel it
        </Link>
        <Link to={href('/staff/course-dates/:slug/move', { slug })} className={button.quiet}>
          Move it
        </Link>
      </div>
    </ActForm>
  );
}
