import { z } from 'zod';
import type { Day } from '../../lib/dates.ts';
import { bookingTimes, interests } from './options.ts';

export const enquiryKinds = ['contact', 'booking', 'tour', 'chat', 'enrolment'] as const;
export type EnquiryKind = (typeof enquiryKinds)[number];

/** What a person typed, by field, given back with every refusal so that nothing is lost (P23). */
export type FormValues = Record<string, string>;
export type FieldErrors = Record<string, string>;

// Control characters have no place in what people write; PostgreSQL refuses NUL, and a terminal would obey the rest.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const lines = z.string().transform((text) => text.replaceAll('\r\n', '\n').replace(controls, '').trim());
const oneLine = lines.transform((text) => text.replace(/\s+/g, ' '));

const within = (max: number) => z.string().max(max, `Keep this under ${max} characters.`);
const required = (what: string, max: number) => oneLine.pipe(within(max).min(1, `Enter ${what}.`));
const optional = (max: number) => z.string().default('').pipe(oneLine).pipe(within(max));
const requiredText = (what: string) => lines.pipe(within(5000).min(1, `Enter ${what}.`));
const optionalText = z.string().default('').pipe(lines).pipe(within(5000));

const person = {
  firstName: required('your first name', 80),
  lastName: required('your last name', 80),
  email: required('your e-mail address', 200).pipe(
    z.email('Enter an e-mail address such as name@example.com, so that we can answer.'),
  ),
  phone: optional(40).refine(
    (text) => text === '' || /^[+()\d\s-]{6,}$/.test(text),
    'Enter a telephone number in digits, or leave this empty.',
  ),
  consent: z.literal('on').optional(),
};

const contactSchema = z.object({
  ...person,
  interest: z.enum(interests.map(({ value }) => value)).catch(''),
  message: requiredText('your message'),
});

const chatSchema = z.object({ ...person, message: requiredText('your question') });

const bookingSchema = (today: Day) =>
  z
    .object({
      ...person,
      day: z.iso.date('Choose a day.').refine((day) => day > today, 'Choose a day after today.'),
      time: z.string().min(1, 'Choose a time.'),
      message: optionalText,
    })
    .refine(({ day, time }) => bookingTimes(day).includes(time), {
      path: ['time'],
      message: 'Choose a time inside business hours of that day: Mon-Fri 9:00 AM-6:00 PM, Sat 10:00 AM-4:00 PM.',
    });

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

type Parsed = { [field: string]: unknown } & z.output<typeof chatSchema>;
export type ParseResult = { ok: true; data: Parsed } | { ok: false; errors: FieldErrors };

/** Checks a form of its kind. `errors` holds one sentence a field, the first fault of each. */
export function parseEnquiry(
  kind: EnquiryKind,
  values: FormValues,
  context: { today: Day; isOffered: (item: string) => boolean },
): ParseResult {
  const schemas = {
    contact: contactSchema,
    chat: chatSchema,
    booking: bookingSchema(context.today),
    tour: bookingSchema(context.today),
    enrolment: enrolmentSchema(context.isOffered),
  };
  // A field that was not sent at all is one left empty.
  const missing = { firstName: '', lastName: '', email: '', message: '' };
  const result = (schemas[kind] as z.ZodType<Parsed>).safeParse({ ...missing, ...values });
  if (result.success) return { ok: true, data: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
  return { ok: false, errors };
}
