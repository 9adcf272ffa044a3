import { z } from 'zod';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { emailField, firstFaults, requiredLine } from '#app/http/form-texts.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

const schema = z.object({
  name: requiredLine('your name', 160),
  email: emailField,
  seats: z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, 'Enter how many seats, as a whole number from 1.')
    .transform(Number)
    .refine((seats) => seats >= 1, 'Enter how many seats, as a whole number from 1.')
    .refine(
      (seats) => seats <= mostSeats.person,
      `For more than ${mostSeats.person} people, write to us on the contact page, and we’ll find a date for your group.`,
    ),
});

export const waitingFields = Object.keys(schema.shape);
export type WaitingForm = z.output<typeof schema>;

/** Checks the form of a waiting list. A field that was not sent at all is one left empty. */
export function parseWaiting(values: FormValues): { ok: true; data: WaitingForm } | { ok: false; errors: FieldErrors } {
  const empty = Object.fromEntries(waitingFields.map((field) => [field, '']));
  const result = schema.safeParse({ ...empty, ...values });
  return result.success ? { ok: true, data: result.data } : { ok: false, errors: firstFaults(result.error) };
}
