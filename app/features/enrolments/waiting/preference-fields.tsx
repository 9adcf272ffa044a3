import type { Day } from '#app/lib/dates.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { venues, venueText, weekField, weekText } from './rules.ts';

/** Which weeks and which place would suit (P98); both can be left open. */
export function PreferenceFields({ form, weeks }: { form: FormState; weeks: readonly Day[] }) {
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 font-bold">
          Weeks that suit you<span className="font-normal text-mute"> (optional)</span>
        </legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-x-6">
          {weeks.map((week) => (
            <label key={week} className="tabular flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name={weekField(week)}
                value="on"
                defaultChecked={Boolean(form.values[weekField(week)])}
                className="size-5 shrink-0 accent-action"
              />
              {weekText(week)}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="sm:max-w-xs">
        <SelectField form={form} name="venue" label="Place that suits you">
          <option value="">Any place</option>
          {venues.map((venue) => (
            <option key={venue} value={venue}>
              {venueText(venue)}
            </option>
          ))}
        </SelectField>
      </div>
    </>
  );
}
