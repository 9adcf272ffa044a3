import { z } from 'zod';
import type { AttendeeWish, Buyer, Payer } from '#app/features/enrolments/order.ts';
import * as shared from '#app/features/enrolments/schema.ts';
import { emailField, firstFaults, requiredLine } from '#app/http/form-texts.ts';
import { optionalPhone } from '#app/http/phone-field.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

type Read<T> = { ok: true; data: T } | { ok: false; errors: FieldErrors };

const attendeeSchema = z.object(shared.attendeeFields).refine(shared.hasGuardian, {
  path: ['guardianName'],
  message: 'Enter the name of a parent or guardian.',
  when: shared.always,
});

const attendeeFields = Object.keys(attendeeSchema.shape) as (keyof typeof attendeeSchema.shape)[];

/** The name of an attendee's field in the form; the first attendee is 1. */
const attendeeField = (field: (typeof attendeeFields)[number], number: number) => `${field}-${number}`;

/** The fields of the form for so many attendees. `self` says that the first is the buyer. */
export function attendeesFields(count: number): string[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return ['self', ...numbers.flatMap((number) => attendeeFields.map((field) => attendeeField(field, number)))];
}

/** Whether the buyer said that they attend themselves. */
export const attendsSelf = (values: FormValues) => values.self === 'on';

/**
 * Reads who attends. A name that is missing follows later (P28). Where the first attendee is the buyer, their name and
 * address are those of the payer's step, and are null here.
 */
export function readAttendees(values: FormValues, count: number): Read<AttendeeWish[]> {
  const errors: FieldErrors = {};
  const data: AttendeeWish[] = [];
  for (let number = 1; number <= count; number++) {
    const isSelf = number === 1 && attendsSelf(values);
    const typed = Object.fromEntries(
      attendeeFields.map((field) => [field, values[attendeeField(field, number)] ?? '']),
    );
    const parsed = attendeeSchema.safeParse(isSelf ? { ...typed, name: '', email: '', under18: '' } : typed);
    if (!parsed.success) {
      for (const [field, message] of Object.entries(firstFaults(parsed.error))) errors[`${field}-${number}`] = message;
      continue;
    }
    const { guardianName, guardianEmail, ...person } = parsed.data;
    const guardian = person.under18 && guardianName !== null ? { name: guardianName, email: guardianEmail } : null;
    data.push({ ...person, guardian });
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, data };
}

const payerSchema = z
  .object({
    buyerName: requiredLine('your name', shared.longestName),
    email: emailField,
    phone: optionalPhone,
    payer: z.enum(['person', 'organisation'], 'Choose who pays.'),
    ...shared.payerFields,
  })
  .refine(({ payer, organisation }) => payer !== 'organisation' || organisation !== null, {
    path: ['organisation'],
    message: 'Enter the organisation that pays, as it should appear on the tax invoice.',
    when: shared.always,
  })
  .refine(({ payer, abn }) => payer !== 'organisation' || shared.isAbnOrNull(abn), {
    path: ['abn'],
    message: 'This is not a valid ABN. Check its eleven digits, or leave it empty.',
    when: shared.always,
  });

export const payerFields = Object.keys(payerSchema.shape);

/** In the order in which the page asks for them: the list of faults follows it. */
const asked = ['payer', 'buyerName', 'email', 'organisation', 'abn', 'purchaseOrder', 'accountsEmail', 'phone'];
const inOrder = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    [...asked, ...Object.keys(errors)].flatMap((field) => (errors[field] ? [[field, errors[field]]] : [])),
  );

/** Reads who buys and who pays (P30). What is only for organisations is left out when a person pays. */
export function readPayer(values: FormValues): Read<{ buyer: Buyer; payer: Payer }> {
  const empty = Object.fromEntries(payerFields.map((field) => [field, '']));
  const parsed = payerSchema.safeParse({ ...empty, ...values });
  if (!parsed.success) return { ok: false, errors: inOrder(firstFaults(parsed.error)) };
  const { buyerName, email, phone, address, organisation, abn, purchaseOrder, accountsEmail } = parsed.data;
  const payer: Payer =
    parsed.data.payer === 'person' || organisation === null
      ? { kind: 'person', address }
      : { kind: 'organisation', organisation, abn, address, purchaseOrder, accountsEmail };
  return { ok: true, data: { buyer: { name: buyerName, email, phone: phone || null }, payer } };
}
