/** Field types for the schemas of forms, and the first fault of each field. */
import { z } from 'zod';
import { emailAddressOf, isLocalPartForeign, longestEmailAddress } from '#app/lib/email-address.ts';
import { formatCount } from '#app/lib/money.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

// Control characters have no place in what people write; PostgreSQL refuses NUL, and a terminal would obey the rest.
const controls = /[^\P{Cc}\t\n]/gu;
const otherThanReturns = /[^\P{Cc}\t\n\r]/gu;
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

const within = (max: number) =>
  z.string().refine((text) => lengthOf(text) <= max, {
    error: ({ input }) => {
      const length = lengthOf(String(input));
      return `This is ${formatCount(length)} characters long; the limit is ${formatCount(max)}. Shorten it by ${formatCount(length - max)}.`;
    },
  });

/** One line of at most `max` code points that must not be empty; `what` ends the sentence "Enter …". */
export const requiredLine = (what: string, max: number) => oneLine.pipe(within(max).min(1, `Enter ${what}.`));
export const optionalLine = (max: number) => z.string().default('').pipe(oneLine).pipe(within(max));
export const requiredText = (what: string) => lines.pipe(within(5000).min(1, `Enter ${what}.`));
export const optionalTextWithin = (max: number) => z.string().default('').pipe(lines).pipe(within(max));
export const optionalText = optionalTextWithin(5000);

/** An email address as mail is sent to it (`emailAddressOf`), or empty; `fault` is said of a text that is neither. */
const emailAddress = (fault: string) =>
  z
    .string()
    .transform((text) => emailAddressOf(text) ?? text)
    // Afterwards: a fault found here leaves the form's rules about several fields to be checked as well.
    .pipe(
      z.string().refine((text) => text === '' || emailAddressOf(text) === text, {
        error: ({ input }) => (isLocalPartForeign(String(input)) ? foreignLocalPart : fault),
      }),
    );
const foreignLocalPart =
  'We cannot send email to an address with letters such as ö or é before the @. Enter another address.';

/** An email address that must not be empty; `what` ends the sentence "Enter …". */
export const requiredEmail = (what: string, fault: string) =>
  requiredLine(what, longestEmailAddress).pipe(emailAddress(fault));
export const optionalEmail = (fault: string) => optionalLine(longestEmailAddress).pipe(emailAddress(fault));
export const emailField = requiredEmail(
  'your email address',
  'Enter an email address such as name@example.com, so that we can answer.',
);

/** The first `max` code points of a text: no code point is cut in two, because no database takes half of one. */
export function firstCharacters(text: string, max: number): string {
  // Twice as many UTF-16 units always hold at least as many code points.
  return [...text.slice(0, 2 * max)].slice(0, max).join('');
}

/**
 * The fields of a form, in valid Unicode and without control characters other than tabs and line breaks, which can
 * neither be stored nor shown. Files stay as they are.
 */
export function cleanForm(form: FormData): FormData {
  const clean = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') clean.append(cleanText(name), cleanText(value));
    else clean.append(cleanText(name), value);
  }
  return clean;
}

const cleanText = (text: string) => text.toWellFormed().replace(otherThanReturns, '');

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
