/** What forms accept as text: kinds of field for their schemas, and the first fault of each field. */
import { z } from 'zod';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

// Control characters have no place in what people write; PostgreSQL refuses NUL, and a terminal would obey the rest.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Zero-width characters, fillers and the blank Braille pattern look like nothing, and trim() leaves them.
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Text over several lines: valid Unicode without control characters; empty when nothing in it can be seen. */
const lines = z.string().transform((text) => {
  const clean = text.toWellFormed().replaceAll('\r\n', '\n').replace(controls, '').trim();
  return visible.test(clean) ? clean : '';
});
const oneLine = lines.transform((text) => text.replace(/\s+/g, ' '));

/** Length in Unicode code points: an emoji made of several counts as several. */
const lengthOf = (text: string) => [...text].length;
const count = new Intl.NumberFormat('en-AU');

const within = (max: number) =>
  z.string().refine((text) => lengthOf(text) <= max, {
    error: ({ input }) => {
      const length = lengthOf(String(input));
      return `This is ${count.format(length)} characters long; the limit is ${count.format(max)}. Shorten it by ${count.format(length - max)}.`;
    },
  });

/** One line of at most `max` code points that must not be empty; `what` ends the sentence "Enter …". */
export const requiredLine = (what: string, max: number) => oneLine.pipe(within(max).min(1, `Enter ${what}.`));
export const optionalLine = (max: number) => z.string().default('').pipe(oneLine).pipe(within(max));
export const requiredText = (what: string) => lines.pipe(within(5000).min(1, `Enter ${what}.`));
export const optionalText = z.string().default('').pipe(lines).pipe(within(5000));
export const emailField = requiredLine('your e-mail address', 200).pipe(
  z.email('Enter an e-mail address such as name@example.com, so that we can answer.'),
);

/** One sentence a field, the first fault of each. */
export function firstFaults(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) errors[String(path[0])] ??= message;
  return errors;
}

/** The texts of a form by field; a field that holds a file is empty. */
export function textsOf(form: FormData | null): FormValues {
  const entries = [...(form?.entries() ?? [])];
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}
