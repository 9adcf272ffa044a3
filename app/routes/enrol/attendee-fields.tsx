import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';

const box = 'mt-1 size-5 shrink-0 accent-action';
/** The form is `group/step`. */
const unlessSelf = 'group-has-[[name=self]:checked]/step:hidden';

/** The fields of every attendee. The first may be the buyer, whose name and address the next step asks for. */
export function AttendeeFields({ form, count }: { form: FormState; count: number }) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return (
    <>
      <label className="flex gap-3">
        <input type="checkbox" name="self" defaultChecked={form.values.self === 'on'} className={box} />
        <span>
          <b>{count === 1 ? 'I attend myself' : 'I am one of them'}</b>
          <span className="block text-mute">Your name and address are asked for once, in the next step.</span>
        </span>
      </label>
      {numbers.map((number) => (
        <fieldset key={number} className="min-w-0 border-t border-line pt-5">
          <legend className={count === 1 ? 'sr-only' : 'float-left mb-3 w-full font-display text-xl font-bold'}>
            {count === 1 ? 'The attendee' : `Attendee ${number}`}
          </legend>
          <div className={`clear-both grid gap-x-6 gap-y-4 sm:grid-cols-2 ${number === 1 ? unlessSelf : ''}`}>
            <TextField
              form={form}
              name={`name-${number}`}
              label="Name"
              hint="As it should appear on the certificate."
              autoComplete="off"
            />
            <TextField
              form={form}
              name={`email-${number}`}
              label="Email"
              hint="For a link of their own with dates and how to join."
              type="email"
              autoComplete="off"
            />
          </div>
          <Needs form={form} number={number} />
        </fieldset>
      ))}
    </>
  );
}

/** What few need, folded away until it is asked for; open where something was typed. */
function Needs({ form, number }: { form: FormState; number: number }) {
  const typed = ['needs', 'under18', 'guardianName', 'guardianEmail'].some(
    (field) => form.values[`${field}-${number}`] || form.errors[`${field}-${number}`],
  );
  return (
    <details open={typed} className="group clear-both mt-2">
      <summary className="inline-flex min-h-11 items-center gap-2 font-semibold">
        Under 18, or something needed to take part
        <Sign name="down" className="size-4.5 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="grid gap-4 pt-1 pb-2">
        <TextField
          form={form}
          name={`needs-${number}`}
          label="What they need to take part"
          hint="Such as step-free access, captions or more time. We use it only for this."
        />
        <div className={`group/minor ${number === 1 ? unlessSelf : ''}`}>
          <label className="flex gap-3">
            <input
              type="checkbox"
              name={`under18-${number}`}
              defaultChecked={form.values[`under18-${number}`] === 'on'}
              className={box}
            />
            <span>Under 18 on the first day</span>
          </label>
          <div className="mt-4 hidden gap-x-6 gap-y-4 group-has-[[name^=under18]:checked]/minor:grid sm:grid-cols-2">
            <TextField
              form={form}
              name={`guardianName-${number}`}
              label="Parent or guardian"
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`guardianEmail-${number}`}
              label="Their email"
              type="email"
              autoComplete="off"
            />
          </div>
        </div>
      </div>
    </details>
  );
}

/** What each field is called in the list of faults. */
export function attendeeLabels(count: number): Record<string, string> {
  const names = {
    name: 'name',
    email: 'email',
    needs: 'needs',
    guardianName: 'parent or guardian',
    guardianEmail: 'email of the parent or guardian',
  };
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => at + 1).flatMap((number) =>
      Object.entries(names).map(([field, label]) => [`${field}-${number}`, `Attendee ${number}, ${label}`]),
    ),
  );
}
