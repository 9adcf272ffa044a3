import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { SendButton } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';

type Props = { form: FormState; scheduled: boolean };

/** A note for the history, and when we publish the text on our own. */
export function Publishing({ form, scheduled }: Props) {
  return (
    <>
      <div>
        <label htmlFor="note" className="mb-1 block font-semibold">
          What you changed <span className="text-sm font-normal text-mute">(optional), for the history</span>
        </label>
        <input
          id="note"
          name="note"
          maxLength={500}
          defaultValue={form.values.note ?? ''}
          className={`${field} w-full`}
        />
      </div>
      <div>
        <SendButton name="act" value="save">
          Save draft
        </SendButton>
      </div>
      <Section title="Schedule" beside="We publish it at this time if the check finds no fault.">
        <div className="flex flex-wrap items-end gap-3 pt-2">
          <div>
            <label htmlFor="day" className="mb-1 block font-semibold">
              Day
            </label>
            <input
              id="day"
              type="date"
              name="day"
              defaultValue={form.values.day ?? ''}
              aria-invalid={form.errors.day ? true : undefined}
              aria-describedby={form.errors.day ? 'day-fault' : undefined}
              className={field}
            />
          </div>
          <div>
            <label htmlFor="time" className="mb-1 block font-semibold">
              Time in Brisbane
            </label>
            <input id="time" type="time" name="time" defaultValue={form.values.time ?? '09:00'} className={field} />
          </div>
          <SendButton name="act" value="schedule">
            {scheduled ? 'Change' : 'Schedule'}
          </SendButton>
          {scheduled && (
            <SendButton name="act" value="call-off">
              Take it off the schedule
            </SendButton>
          )}
        </div>
        {form.errors.day && (
          <p id="day-fault" className="mt-1 text-sm font-semibold text-fault">
            {form.errors.day}
          </p>
        )}
      </Section>
    </>
  );
}
