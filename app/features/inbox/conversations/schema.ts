import { z } from 'zod';
import { firstFaults, optionalEmail, optionalLine, requiredText } from '#app/http/form-texts.ts';
import { type FieldErrors, type FormValues, tokenField } from '#app/ui/form-state.ts';

const startSchema = z.object({
  name: optionalLine(80),
  email: optionalEmail('Enter an email address such as name@example.com, or leave this empty.'),
  message: requiredText('your question'),
});

export const startFields = Object.keys(startSchema.shape);
export type StartForm = z.output<typeof startSchema>;

/** Checks the form that opens a conversation. A field that was not sent at all is one left empty. */
export function parseStartForm(values: FormValues): { ok: true; data: StartForm } | { ok: false; errors: FieldErrors } {
  const result = startSchema.safeParse({ name: '', email: '', message: '', ...values });
  return result.success ? { ok: true, data: result.data } : { ok: false, errors: firstFaults(result.error) };
}

/** The visitor's form in a conversation. */
export const messageForm = z.object({ [tokenField]: z.uuid(), message: requiredText('your message') });

const common = { [tokenField]: z.uuid(), seen: z.string() };

/** The forms of a conversation's page for staff. */
export const actForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('answer'), answer: requiredText('your answer') }),
  z.object({ ...common, act: z.literal('closed') }),
  z.object({ ...common, act: z.literal('opened') }),
]);
export type ActValues = z.output<typeof actForm>;
