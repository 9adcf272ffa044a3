import { z } from 'zod';
import { didYouMean } from '#app/features/enrolments/enrolling/did-you-mean.ts';
import {
  always,
  attendeeFields,
  hasGuardian,
  hasOrganisation,
  isAbnOrNull,
  longestName,
  payerFields,
} from '#app/features/enrolments/schema.ts';
import { mostInstalments } from '#app/features/money/instalment-rules.ts';
import { common, type Refused } from '#app/features/people/staff-act.server.ts';
import { optionalLine, requiredEmail, requiredLine } from '#app/http/form-texts.ts';
import { typedPhone } from '#app/http/phone-field.server.ts';
import { centsTyped } from '#app/lib/exact-money.ts';
import { dayField } from '#app/routes/staff/course-dates/course-date-forms.ts';

/** An amount in dollars, in cents above zero. */
export const amountField = z
  .string()
  .transform(centsTyped)
  .pipe(z.number('Enter an amount in dollars such as 2,299.00.').min(1, 'Enter an amount above zero.'));

const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const email = requiredEmail('an email address', 'Enter an email address such as name@example.com.');
const reason = requiredLine('the reason', 300);

const cents = z
  .string()
  .regex(/^\d{0,9}$/)
  .transform(Number);
const guardianFault = {
  path: ['guardianName'],
  error: 'Enter the guardian. Someone under 18 needs one.',
  when: always,
};

/** The small forms of an enrolment's own page. */
export const enrolmentForm = z.discriminatedUnion('act', [
  z.object({
    ...common,
    act: z.literal('payment'),
    amount: amountField,
    day: dayField('the day it came in'),
    method: z.enum(['bank', 'card', 'other']),
    words: optionalLine(200),
  }),
  z.object({
    ...common,
    act: z.literal('refund'),
    payment: id,
    refunded: amountField,
    sentOn: dayField('the day it was sent'),
    why: reason,
  }),
  z.object({ ...common, act: z.literal('refund-failed'), refund: id }),
  z.object({ ...common, act: z.literal('send-invoice'), invoice: id }),
  z.object({ ...common, act: z.literal('links') }),
  z.object({ ...common, act: z.literal('take-back'), mail: z.uuid() }),
]);

/** A discount on one place or on all, and the payment that goes back as far as it was paid already. */
export const discountForm = z.object({
  ...common,
  place: z.union([z.literal('all').transform(() => null), id]),
  discount: amountField,
  discountWhy: reason,
  refundOf: z.union([z.literal('').transform(() => null), id]),
});

/** Rows of days and amounts; rows without both are left out. `end` ends an agreement. */
export const instalmentsForm = z
  .looseObject({ ...common, invoice: id, act: z.enum(['agree', 'end']) })
  .transform((values, refusal) => {
    const instalments = Array.from({ length: mostInstalments }, (_, at) => at + 1).flatMap((row) => {
      const [day, amount] = [textOf(values, `day-${row}`), textOf(values, `amount-${row}`)];
      if (values.act === 'end' || (day === '' && amount === '')) return [];
      const dueOn = dayField('the day').safeParse(day);
      const cents = amountField.safeParse(amount);
      for (const [field, part] of [
        ['day', dueOn],
        ['amount', cents],
      ] as const) {
        for (const { message } of part.error?.issues ?? []) {
          refusal.addIssue({ code: 'custom', path: [`${field}-${row}`], message });
        }
      }
      return dueOn.success && cents.success ? [{ dueOn: dueOn.data, cents: cents.data }] : [];
    });
    return { ...values, instalments };
  });

const textOf = (values: Record<string, unknown>, name: string) => String(values[name] ?? '').trim();

export const remindForm = z.object({ ...common });

/** Somebody who joins: at which price, and who; the name can come later. The fields of the courses are read apart. */
export const addForm = z
  .looseObject({
    ...common,
    ...attendeeFields,
    price: z.enum(['today', 'contract'], 'Choose the price.'),
    shownToday: cents,
    shownContract: cents,
  })
  .refine(hasGuardian, guardianFault);

/** The form of cancelling: the places, the refund that the page showed, and whether staff refund everything. */
export const cancelForm = z
  .object({
    ...common,
    places: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15})*$/)
      .transform((text) => text.split(',').map(Number)),
    shown: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
    how: z.enum(['terms', 'full']),
    reason: optionalLine(300),
  })
  .refine(({ how, reason: why }) => how === 'terms' || why !== '', { path: ['reason'], error: 'Enter the reason.' });

export const transferForm = z.object({
  ...common,
  courseDate: z
    .string('Choose a date.')
    .regex(/^\d{1,15}$/, 'Choose a date.')
    .transform(Number),
  because: z.enum(['asked', 'us'], 'Choose whether the buyer asked for it.'),
  /** Of several places that wait for a date. */
  which: z.enum(['all', 'one']).default('all'),
});

/** `was`: what the form showed when it was opened. */
export const attendeeForm = z
  .object({ ...common, was: z.string().default(''), ...attendeeFields })
  .refine(hasGuardian, guardianFault);

const payer = {
  buyerName: requiredLine('the buyer’s name', longestName),
  phone: typedPhone.transform((text) => text || null),
  ...payerFields,
  abn: payerFields.abn.refine(isAbnOrNull, 'This is not an ABN: its check digits do not match.'),
};
/** What only an organisation has counts when it pays: these fields are hidden while a person does. */
const withPayer = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((typed) => {
    const values = z.record(z.string(), z.unknown()).parse(typed);
    return values.payer === 'person'
      ? { ...values, organisation: '', abn: '', purchaseOrder: '', accountsEmail: '' }
      : values;
  }, schema);
const organisationFault = {
  path: ['organisation'],
  error: 'ABN, purchase order and copies of invoices belong to an organisation. Enter its name, or empty them.',
  when: always,
};
/** The address that was shown with a remark and is meant as typed. */
const asTyped = z.string().default('');
export const buyerForm = withPayer(
  z
    .object({ ...common, was: z.string().default(''), asTyped, ...payer, email })
    .refine(hasOrganisation, organisationFault),
);

/** The remark on an address that looks like a mistake; sent again, the form counts. */
export function addressRemark({ email, asTyped }: { email: string; asTyped: string }): Refused | null {
  const meant = email === asTyped ? null : didYouMean(email);
  if (meant === null) return null;
  const error = `Did you mean ${meant}? Send the form again to keep the address as you typed it.`;
  return { ok: false, reason: 'refused', errors: { email: error }, values: { asTyped: email } };
}

/** Who contacted whom before staff enrol somebody: agreements nobody asked for have rules of their own (ACL s 69). */
const contacts = ['they-contacted-us', 'they-asked-for-a-call', 'we-contacted-them'] as const;

/** Enrolling somebody by hand; attendees one a line, `name, email`. */
export const placeForm = withPayer(
  z
    .object({
      ...common,
      ...payer,
      email,
      asTyped,
      attendees: requiredLineList(),
      contact: z
        .enum(contacts, 'Choose who contacted whom.')
        .refine(
          (contact) => contact !== 'we-contacted-them',
          'Do not enrol them. An agreement made when we called without being asked needs a written copy and ten business days to end it. Email them the link to the course page instead.',
        ),
      accepted: z.enum(['spoken', 'in-writing'], 'Choose how they accepted the terms.'),
      /** Off the whole invoice; zero without one. */
      discountCents: z.string().transform((text, context) => {
        if (text.trim() === '') return 0;
        const amount = amountField.safeParse(text);
        for (const { message } of amount.error?.issues ?? []) context.addIssue(message);
        return amount.data ?? Number.NaN;
      }),
      discountWhy: optionalLine(300),
      shown: z
        .string()
        .regex(/^\d{0,9}$/)
        .transform(Number),
      hold: z
        .string()
        .regex(/^\d{0,15}$/)
        .transform(Number),
    })
    .refine(({ discountCents, discountWhy }) => discountCents === 0 || discountWhy !== '', {
      path: ['discountWhy'],
      error: 'Enter the reason of the discount.',
      when: always,
    })
    .refine(hasOrganisation, organisationFault),
);

function requiredLineList() {
  return z
    .string()
    .transform((text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    .pipe(z.array(z.string().max(400)).min(1, 'Enter one line for each person who attends.').max(100))
    .transform((lines, { addIssue }) =>
      lines.flatMap((line) => {
        const attendee = attendeeOfLine(line);
        if (!attendee) addIssue(`Write “${line}” as a name, then a comma and an email address, or as the name alone.`);
        return attendee ?? [];
      }),
    );
}

/**
 * One line for a person: a name, an email address behind a comma or in angle brackets as mail programs copy it, or `?`
 * for somebody to be named. Null for a line that is none of these.
 */
export function attendeeOfLine(line: string): { name: string | null; email: string | null } | null {
  const [, before = '', behind = ''] = /^([^<>]*)<([^<>]*)>$/.exec(line) ?? /^([^,]*),?(.*)$/.exec(line) ?? [];
  const [name, email] = [before.trim().replace(/^"(.*)"$/, '$1'), behind.trim().replace(/^mailto:/i, '')];
  if (/[<>@]/.test(name) || (email !== '' && !/^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(email))) return null;
  return { name: name === '' || name === '?' ? null : name, email: email || null };
}

/** The details of who pays, as the commands take them. */
export function payerOf(values: Pick<z.output<typeof buyerForm>, keyof typeof payer>) {
  const { organisation, abn, address, purchaseOrder, accountsEmail } = values;
  if (organisation === null) return { kind: 'person', address } as const;
  return { kind: 'organisation', organisation, abn, address, purchaseOrder, accountsEmail } as const;
}
