import { z } from 'zod';
import { emailField, firstFaults, optionalText, requiredLine } from '#app/http/form-texts.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

/**
 * An instant as the pages write it, such as `2025-09-08T23:00:00.000Z`, of this century: years of five digits are no
 * days.
 */
export const startField = z.iso
  .datetime({ precision: 3, error: 'Choose a time.' })
  .refine((text) => text.startsWith('20'), 'Choose a time.')
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()), 'Choose a time.');

export const bookingFormFields = {
  start: startField,
  name: requiredLine('the name', 160),
  email: emailField,
  note: optionalText,
};
const schema = z.object({ ...bookingFormFields, name: requiredLine('your name', 160) });

export const bookingFields = Object.keys(schema.shape);

/** A wish for a time, as its form holds it. */
export type BookingForm = z.output<typeof schema>;

/** Checks the form of a booking. A field that was not sent at all is one left empty. */
export function parseBooking(values: FormValues): { ok: true; data: BookingForm } | { ok: false; errors: FieldErrors } {
  const empty = Object.fromEntries(bookingFields.map((field) => [field, '']));
  const result = schema.safeParse({ ...empty, ...values });
  return result.success ? { ok: true, data: result.data } : { ok: false, errors: firstFaults(result.error) };
}

/** The instant of a text; null for any other text. */
export function parseStart(text: string): Date | null {
  const result = startField.safeParse(text);
  return result.success ? result.data : null;
}
