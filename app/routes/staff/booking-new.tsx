import { href } from 'react-router';
import { readTimesForStaff } from '#app/features/inbox/bookings/choice.server.ts';
import { bookingKindOf, bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { DayPicker, TimeRadios } from '#app/features/inbox/bookings/time-picker.tsx';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/booking-new';
import { takeNewBooking } from './booking-acts.server.ts';
import { staffMeta } from './frame/staff-meta.ts';

const kindIn = (url: URL) => bookingKindOf(url.searchParams.get('kind') ?? '') ?? 'career-counseling';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bookings:change');
  const { db, clock } = context.get(academyContext);
  const { bookings: settings } = context.get(snapshotContext).current();
  const kind = kindIn(url);
  const choice = await readTimesForStaff(db, actor, kind, {
    settings,
    now: clock.now(),
    date: url.searchParams.get('date'),
  });
  if (!choice) throw readLater('The free times cannot be read right now. Reload the page in a minute.');
  return { kind, choice, form: blankStaffForm(0) };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'bookings:change');
  const { bookings: settings } = context.get(snapshotContext).current();
  const asked = { form: await readForm(request), actor, settings, kind: kindIn(url) };
  const result = await takeNewBooking(context.get(academyContext), asked);
  const { reference } = result;
  return answerForm(result, reference ? href('/staff/bookings/:reference', { reference }) : href('/staff/bookings'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('New booking');

/** Books a time for somebody who calls. */
export default function NewBooking({ loaderData: { kind, choice, form: blank }, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? blank;
  const kinds = Object.entries(bookingKinds).map(([name, { title }]) => ({
    text: title,
    to: `?kind=${name}`,
    current: name === kind,
  }));
  return (
    <>
      <Back to={href('/staff/bookings')}>Bookings</Back>
      <h1 className="mb-4 text-2xl">New booking</h1>
      <Tabs label="What is booked" tabs={kinds} />
      <ErrorSummary
        form={form}
        labels={{ start: 'Time', name: 'Name', email: 'Email', note: 'What they want to talk about' }}
        formId="book-form"
      />
      <DayPicker choice={choice} addressOf={(date) => `?${new URLSearchParams({ kind, date })}`} />
      <ActForm
        act="book"
        form={form}
        needs="bookings:change"
        className="mt-5 grid max-w-2xl gap-5"
        submit="Book it and email them"
        look="primary"
      >
        <TimeRadios choice={choice} form={form} zone={null} />
        <TextField form={form} name="name" label="Name" required />
        <TextField form={form} name="email" label="Email" type="email" required />
        <TextArea form={form} name="note" label="What they want to talk about" hint="And the phone number." />
      </ActForm>
    </>
  );
}
