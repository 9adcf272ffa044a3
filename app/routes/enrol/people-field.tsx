import { morePeople, mostAttendees, peopleOf } from '#app/features/enrolling/choice.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';

const numbers = Array.from({ length: mostAttendees }, (_, at) => String(at + 1));

/** For how many people: one press up to six; more are typed, and go to staff as a request (P28). */
export function PeopleField({ form, agreementFirst }: { form: FormState; agreementFirst: boolean }) {
  const error = form.errors.attendees;
  const people = peopleOf(form.values);
  const chosen = numbers.includes(String(people)) ? String(people) : morePeople;
  return (
    <fieldset
      id="attendees"
      tabIndex={-1}
      aria-describedby={error ? 'attendees-error' : 'attendees-hint'}
      className="group/people min-w-0"
    >
      <legend className="mb-3 font-display text-xl font-bold">How many people?</legend>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="flex w-full overflow-hidden rounded-control border border-edge bg-card sm:w-auto">
          {[...numbers, morePeople].map((value) => (
            <label
              key={value}
              className="relative flex min-h-12 grow cursor-pointer items-center justify-center border-edge px-1 font-bold not-first:border-l has-checked:bg-action has-checked:text-white has-focus-visible:outline-3 has-focus-visible:-outline-offset-4 has-focus-visible:outline-straw sm:w-12"
            >
              <input
                type="radio"
                name="attendees"
                value={value}
                defaultChecked={chosen === value}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {value === morePeople ? (
                <>
                  <span aria-hidden="true">7+</span>
                  <span className="sr-only">7 or more</span>
                </>
              ) : (
                value
              )}
            </label>
          ))}
        </div>
        <p id="attendees-hint" className="text-sm text-mute">
          {agreementFirst ? 'Each person gets an agreement.' : 'You can give names later.'}
        </p>
      </div>
      <div className="mt-4 hidden max-w-40 group-has-[[value=more]:checked]/people:block">
        <label htmlFor="people" className="mb-1.5 block font-bold">
          7 or more: how many?
        </label>
        <input
          id="people"
          name="people"
          type="number"
          inputMode="numeric"
          min={mostAttendees + 1}
          max={50}
          defaultValue={form.values.people ?? (chosen === morePeople && people > 0 ? String(people) : '')}
          aria-invalid={error ? true : undefined}
          className={field}
        />
      </div>
      {error && (
        <p id="attendees-error" className="mt-1.5 font-semibold text-fault">
          {error}
        </p>
      )}
    </fieldset>
  );
}
