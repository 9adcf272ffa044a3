import { Form, href, Link, useNavigation } from 'react-router';
import { ActFields } from '#app/routes/staff/frame/parts.tsx';
import { sessionLabels } from '#app/routes/staff/labels.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import type { Route } from './+types/session';
import { WayInFields } from './way-in-fields.tsx';

type Data = Route.ComponentProps['loaderData'];

/** Changes how many seats there are. */
export function Resize({ session, form }: { session: Data['session']; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const values = { capacity: String(session.capacity), ...form.values };
  const { waiting } = session;
  const hint =
    waiting > 0
      ? `${waiting} ${waiting === 1 ? 'seat is' : 'seats are'} wished for on the waiting list: further seats go there first.`
      : 'Nobody waits. Further seats are open to the public at once.';
  return (
    <Form id="resize-form" method="post" noValidate preventScrollReset className="grid gap-3">
      <ActFields form={form} act="resize" />
      <TextField
        form={{ ...form, values }}
        name="capacity"
        label={sessionLabels.capacity}
        hint={hint}
        inputMode="numeric"
        required
      />
      <div>
        <button type="submit" disabled={sending} className={button.quiet}>
          Change the seats
        </button>
      </div>
    </Form>
  );
}

/** Holds seats for a quote. */
export function Quote({ form }: { form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id="hold-quote-form" method="post" noValidate preventScrollReset className="grid gap-3">
      <h2 className="text-lg">Hold seats for a quote</h2>
      <ActFields form={form} act="hold-quote" />
      <TextField form={form} name="seats" label={sessionLabels.seats} inputMode="numeric" required />
      <TextField form={form} name="until" label={sessionLabels.until} type="date" required />
      <TextField
        form={form}
        name="label"
        label={sessionLabels.label}
        hint="Its number or the organisation. No names of people: it stays in the record of seats."
        required
      />
      <div>
        <button type="submit" disabled={sending} className={button.quiet}>
          Hold them
        </button>
      </div>
    </Form>
  );
}

/** Sets the room and the link; everybody in the session is told at once. */
export function WayInForm({ session, form }: { session: Data['session']; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const { room, street, joiningLink, delivery, wayInMissing } = session;
  const values = { room: room ?? '', street: street ?? '', joiningLink: joiningLink ?? '', ...form.values };
  return (
    <Form id="way-in-form" method="post" noValidate preventScrollReset className="grid gap-3">
      <h2 className="text-lg">Room and link</h2>
      {wayInMissing !== '' && (
        <p className="text-sm">Not set yet: {wayInMissing}. The reminders of its places wait until it is set.</p>
      )}
      <ActFields form={form} act="way-in" />
      <WayInFields form={{ ...form, values }} delivery={delivery} />
      <p className="text-sm text-mute">
        {session.sold === 0
          ? 'Nobody is in it yet, so nobody is told.'
          : 'Everybody in it is told by e-mail, with a new calendar entry.'}
      </p>
      <div>
        <button type="submit" disabled={sending} className={button.quiet}>
          Set them
        </button>
      </div>
    </Form>
  );
}

/** A confirmed session of which too few are left: what holds, and what staff can do (P39). */
export function BelowMinimum({ session, form }: { session: Data['session']; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const { slug, sold, minimum, belowMinimum } = session;
  if (!belowMinimum) return null;
  return (
    <Form
      id="hold-anyway-form"
      method="post"
      preventScrollReset
      className="mb-8 grid max-w-prose gap-3 rounded-control border-2 border-straw p-4"
    >
      <ActFields form={form} act="hold-anyway" />
      <p className="font-bold">
        It is below its minimum: {sold} of at least {minimum} {sold === 1 ? 'is' : 'are'} left in it.
      </p>
      <p>
        Enough had enrolled, so it was confirmed, and then people cancelled. It stays confirmed unless you cancel it:
        then each buyer chooses another date or a full refund.
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="submit" disabled={sending} className={button.primary}>
          Hold it anyway
        </button>
        <Link to={href('/staff/sessions/:slug/:change', { slug, change: 'cancel' })} className={button.quiet}>
          Cancel it
        </Link>
      </div>
    </Form>
  );
}
