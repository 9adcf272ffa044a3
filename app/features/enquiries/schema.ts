import { z } from 'zod';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { phoneNumber } from '#app/lib/phone-number.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';
import { bookingDaysAhead, bookingTimes, interests } from './options.ts';

export const enquiryKinds = ['contact', 'booking', 'tour', 'chat', 'enrolment'] as const;
export type EnquiryKind = (typeof enquiryKinds)[number];

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
const required = (what: string, max: number) => oneLine.pipe(within(max).min(1, `Enter ${what}.`));
const optional = (max: number) => z.string().default('').pipe(oneLine).pipe(within(max));
/** Text over several lines that must not be empty, of 5,000 characters at most. `what` completes "Enter ...". */
export const requiredText = (what: string) => lines.pipe(within(5000).min(1, `Enter ${what}.`));
const optionalText = z.string().default('').pipe(lines).pipe(within(5000));

const person = {
  firstName: required('your first name', 80),
  lastName: required('your last name', 80),
  email: required('your e-mail address', 200).pipe(
    z.email('Enter an e-mail address such as name@example.com, so that we can answer.'),
  ),
  phone: optional(40).transform((text, context) => {
    if (text === '') return '';
    const number = phoneNumber(text);
    if (number === null) context.addIssue('Enter a telephone number with its area code, or leave this empty.');
    return number ?? '';
  }),
  consent: z.string().transform((text) => text === 'on'),
};

const contactSchema = z.object({
  ...person,
  interest: z.enum(interests.map(({ value }) => value)).catch(''),
  message: requiredText('your message'),
});

const chatSchema = z.object({ ...person, message: requiredText('your question') });

const bookingSchema = (today: Day) => {
  const last = addDays(today, bookingDaysAhead);
  return z
    .object({
      ...person,
      day: z.iso
        .date('Choose a day.')
        .refine((day) => day > today, 'Choose a day after today.')
        .refine(
          (day) => day <= last,
          `Choose a day up to ${formatDay(last)}: we arrange these ${bookingDaysAhead} days ahead at most.`,
        ),
      time: z.string().min(1, 'Choose a time.'),
      message: optionalText,
    })
    .refine(({ day, time }) => bookingTimes(day).includes(time), {
      path: ['time'],
      message: 'Choose a time inside business hours of that day: Mon-Fri 9:00 AM-6:00 PM, Sat 10:00 AM-4:00 PM.',
    });
};

/** What can be enrolled in: `course:cissp`, `session:cissp-melbourne` or `combo:soc-starter`. */
const enrolmentSchema = (isOffered: (item: string) => boolean) =>
  z
    .object({
      ...person,
      item: z.string().refine(isOffered, 'Choose a course, a training session or a combo.'),
      attendees: z.coerce
        .number('Enter how many people will attend.')
        .int('Enter a whole number.')
        .min(1, 'At least one person attends.')
        .max(50, 'For more than 50 people, ask for a private cohort on the contact page.'),
      payer: z.enum(['myself', 'employer'], 'Say who pays.'),
      company: optional(120),
      message: optionalText,
    })
    .refine(({ payer, company }) => payer === 'myself' || company !== '', {
      path: ['company'],
      message: 'Enter the organisation that pays.',
    });

/** What the forms depend on: the academy's day, and what can be enrolled in. */
export type FormContext = { today: Day; isOffered: (item: string) => boolean };

type Parsed = z.output<typeof chatSchema> & { [field: string]: string | number | boolean };
export type ParseResult = { ok: true; data: Parsed } | { ok: false; errors: FieldErrors };

/**
 * The form of a kind: its fields, and the check of what was typed in them. `errors` holds one sentence a field, the
 * first fault of each. A field that was not sent at all is one left empty.
 */
export function enquiryForm(kind: EnquiryKind, context: FormContext) {
  const schema = {
    contact: contactSchema,
    chat: chatSchema,
    booking: bookingSchema(context.today),
    tour: bookingSchema(context.today),
    enrolment: enrolmentSchema(context.isOffered),
  }[kind];
  const fields = Object.keys(schema.shape);
  return {
    fields,
    parse(values: FormValues): ParseResult {
      const empty = Object.fromEntries(fields.map((field) => [field, '']));
      const result = (schema as z.ZodType<Parsed>).safeParse({ ...empty, ...values });
      if (result.success) return { ok: true, data: result.data };
      const errors: FieldErrors = {};
      for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
      return { ok: false, errors };
    },
  };
}
