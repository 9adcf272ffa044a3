import type { ReactNode } from 'react';
import type { Delivery } from '#app/lib/delivery.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { courseDateLabels } from './course-date-labels.ts';
import { JoiningDetailsFields } from './joining-details-fields.tsx';
import { TimesFields } from './times-fields.tsx';

/** The first fields of the forms for one new course date and for a series. */
export const usualDate = {
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: '60',
  delivery: 'online',
  minimum: '1',
};

type Props = {
  form: FormState;
  courses: readonly { slug: string; title: string }[];
  instructors: Parameters<typeof TimesFields>[0]['instructors'];
  /** Null asks for a room as well as for a link. */
  joiningDetailsOf: Delivery | null;
  /** Further fields, after the number of seats. */
  children?: ReactNode;
};

/** The fields of a course date that does not exist yet. */
export function NewDateFields({ form, courses, instructors, joiningDetailsOf, children }: Props) {
  return (
    <>
      <SelectField form={form} name="course" label={courseDateLabels.course} required>
        <Options none="Choose" of={courses.map(({ slug, title }) => [slug, title])} />
      </SelectField>
      <TimesFields form={form} instructors={instructors} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <JoiningDetailsFields form={form} delivery={joiningDetailsOf} />
        <TextField form={form} name="capacity" label={courseDateLabels.capacity} inputMode="numeric" required />
        <TextField
          form={form}
          name="minimum"
          label={courseDateLabels.minimum}
          hint="The least number of people for it to run. Without a day of decision, buyers read “Confirmed”, and with fewer people you are asked about it two weeks before."
          inputMode="numeric"
          required
        />
        {children}
      </div>
    </>
  );
}
