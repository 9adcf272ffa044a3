import { z } from 'zod';
import {
  emailField,
  firstFaults,
  optionalLine,
  optionalText,
  requiredLine,
  requiredText,
} from '#app/http/form-texts.ts';
import { optionalPhone } from '#app/http/phone-field.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';
import { interests } from './options.ts';

export const formKinds = ['contact', 'enrolment'] as const;
/** Booking, tour and chat are from before times could be booked and conversations held (P20). */
export const enquiryKinds = [...formKinds, 'email', 'booking', 'tour', 'chat'] as const;
export type FormKind = (typeof formKinds)[number];
export type EnquiryKind = (typeof enquiryKinds)[number];

const person = {
  firstName: requiredLine('your first name', 80),
  lastName: requiredLine('your last name', 80),
  email: emailField,
  phone: optionalPhone,
  consent: z.string().transform((text) => text === 'on'),
};

const contactSchema = z.object({
  ...person,
  interest: z.enum(interests.map(({ value }) => value)).catch(''),
  message: requiredText('your message'),
});

/** A product: `course:cissp`, `course-date:cissp-melbourne` or `combo:soc-starter`. */
const enrolmentSchema = (isOffered: (item: string) => boolean) =>
  z
    .object({
      ...person,
      item: z.string().refine(isOffered, 'Choose a course, a course date or a combo.'),
      attendees: z.coerce
        .number('Enter how many people will attend.')
        .int('Enter a whole number.')
        .min(1, 'Enter at least one person.')
        .max(50, 'For more than 50 people, ask for a private cohort on the contact page.'),
      payer: z.enum(['myself', 'employer'], 'Choose who pays.'),
      company: optionalLine(120),
      message: optionalText,
    })
    .refine(({ payer, company }) => payer === 'myself' || company !== '', {
      path: ['company'],
      message: 'Enter the organisation that pays.',
    });

/** The products on offer, which the forms depend on. */
export type FormContext = { isOffered: (item: string) => boolean };

type Parsed = Omit<z.output<typeof contactSchema>, 'interest'> & { [field: string]: string | number | boolean };
export type ParseResult = { ok: true; data: Parsed } | { ok: false; errors: FieldErrors };

/**
 * The form of a kind: its fields, and the check of what was typed in them. `errors` holds one sentence a field, the
 * first fault of each. A field that was not sent at all is one left empty.
 */
export function enquiryForm(kind: FormKind, context: FormContext) {
  const schema = {
    contact: contactSchema,
    enrolment: enrolmentSchema(context.isOffered),
  }[kind];
  const fields = Object.keys(schema.shape);
  return {
    fields,
    parse(values: FormValues): ParseResult {
      const empty = Object.fromEntries(fields.map((field) => [field, '']));
      const result = (schema as z.ZodType<Parsed>).safeParse({ ...empty, ...values });
      if (result.success) return { ok: true, data: result.data };
      return { ok: false, errors: firstFaults(result.error) };
    },
  };
}
