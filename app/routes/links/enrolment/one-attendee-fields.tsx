import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';

export const oneAttendeeLabels = {
  'name-1': 'Name',
  'email-1': 'Email',
  'needs-1': 'What they need',
  'guardianName-1': 'Parent or guardian',
  'guardianEmail-1': 'Email of the parent or guardian',
};

/** The fields of one attendee, when one is named, renamed or added afterwards. */
export function OneAttendeeFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        form={form}
        name="name-1"
        label={oneAttendeeLabels['name-1']}
        hint="As it should appear on the certificate. You can give it later."
        autoComplete="off"
      />
      <TextField
        form={form}
        name="email-1"
        label={oneAttendeeLabels['email-1']}
        hint="They get a link of their own with dates and how to join, without prices. Without it, we send everything to you."
        type="email"
        autoComplete="off"
      />
      <TextField
        form={form}
        name="needs-1"
        label="What they need to take part"
        hint="Such as step-free access, captions or more time. We use it only for this."
      />
      <div className="group/minor">
        <label className="flex gap-3">
          <input
            type="checkbox"
            name="under18-1"
            defaultChecked={form.values['under18-1'] === 'on'}
            className="mt-1 size-5 shrink-0 accent-action"
          />
          <span>Under 18 on the first day</span>
        </label>
        <div className="mt-4 hidden gap-5 group-has-[[name^=under18]:checked]/minor:grid sm:grid-cols-2">
          <TextField form={form} name="guardianName-1" label="Parent or guardian" autoComplete="off" required />
          <TextField form={form} name="guardianEmail-1" label="Their email" type="email" autoComplete="off" />
        </div>
      </div>
    </>
  );
}
