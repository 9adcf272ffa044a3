import { Form, useNavigation } from 'react-router';
import { sessionLabels } from '#app/features/enrolments/desk/labels.ts';
import { ActFields } from '#app/routes/staff/frame/parts.tsx';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import type { Route } from './+types/session';

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
