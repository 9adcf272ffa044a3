import { type JoiningDetails, joiningDetailsNeeded } from '#app/features/course-dates/joining-details.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { courseDateLabels } from './course-date-labels.ts';

const hints: Record<keyof JoiningDetails, string> = {
  room: 'Such as Level 4, Room 4.2.',
  street: 'Such as 120 Edward Street.',
  joiningLink: 'Starts with https://. Only people in the class see it.',
};

/** The room and the link of a course date, as far as how it is taught needs them; all while that is open. */
export function JoiningDetailsFields({ form, delivery }: { form: FormState; delivery: Delivery | null }) {
  return joiningDetailsNeeded(delivery ?? 'both').map((part) => (
    <TextField
      key={part}
      form={form}
      name={part}
      label={courseDateLabels[part]}
      hint={hints[part]}
      autoComplete="off"
      {...(part === 'joiningLink' && { inputMode: 'url' as const })}
    />
  ));
}
