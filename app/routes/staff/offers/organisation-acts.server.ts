import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import {
  endManager,
  giveForBuyer,
  nameManager,
  takeBack,
  writeOrganisation,
} from '#app/features/companies/organisations.server.ts';
import { isAbnOrNull, payerFields } from '#app/features/enrolments/schema.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { emailField, optionalEmail, optionalLine, optionalTextWithin, requiredLine } from '#app/http/form-texts.ts';

const count = (what: string, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, `Enter ${what} as a whole number from 0 to ${most}.`)
    .transform(Number)
    .pipe(z.number().max(most, `Enter ${what} from 0 to ${most}.`));

const orNull = (text: string) => text || null;

/** `council.example, mail.council.example`: each a name with a dot, in lower case. */
const domains = optionalLine(300).transform((text, context) => {
  const names = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '');
  const wrong = names.find((name) => name.length > 100 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name));
  if (wrong !== undefined)
    context.addIssue(`${wrong} is no mail domain. Enter names such as council.example, with commas between.`);
  return names;
});

const organisationForm = z.object({
  ...common,
  legalName: requiredLine('the legal name', 120),
  tradingName: optionalLine(120).transform(orNull),
  abn: payerFields.abn.refine(isAbnOrNull, 'This is not an ABN: its check digits do not match.'),
  mailDomains: domains,
  address: payerFields.address,
  accountsEmail: optionalEmail('Enter an email address such as accounts@example.com, or leave this empty.').transform(
    orNull,
  ),
  termsDays: z.union([
    z.literal('').transform(() => null),
    count('the days', 90).pipe(z.number().min(1, 'Enter 1 day or more, or leave this empty.')),
  ]),
  creditSeats: count('the seats', 500),
  discountPercent: count('the discount', 90),
  needsPurchaseOrder: z
    .string()
    .optional()
    .transform((text) => text === 'on'),
  notes: optionalTextWithin(2000).transform(orNull),
});

type Asked = { form: FormData | null; actor: StaffActor };

/** Makes an organisation, or changes the one with an id (P110). The id is told. */
export async function takeOrganisation(
  academy: Academy,
  { form, actor, id }: Asked & { id?: number },
): Promise<StaffFormResult & { id?: number }> {
  let written = id;
  const result = await takeStaffAct(academy, {
    form,
    schema: organisationForm,
    subject: id === undefined ? `making:${actor.person.id}` : `organisation:${id}`,
    actor,
    compares: id !== undefined,
    async act(trx, values, { now }): Promise<ActDone | Refused> {
      const made = await writeOrganisation(trx, values, { actor, at: now, ...(id !== undefined && { id }) });
      if (!made.ok)
        return {
          ok: false,
          reason: 'refused',
          errors: { abn: `${made.name} has this ABN already: it is the same organisation.` },
        };
      written = made.id;
      const action = id === undefined ? 'make-organisation' : 'change-organisation';
      await writeAuditEntry(trx, { at: now, personId: actor.person.id, action, subject: `organisation:${made.id}` });
      return { ok: true, did: null };
    },
  });
  return written === undefined ? result : { ...result, id: written };
}

const managerForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('add-manager'), email: emailField }),
  z.object({
    ...common,
    act: z.literal('end-manager'),
    manager: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
]);

const givingForm = z.object({
  ...common,
  act: z.enum(['give', 'take-back']),
  reference: requiredLine('the enrolment, such as BB-7KQ2MX', 20).transform((text) => text.toUpperCase()),
});

/** Gives an enrolment to an organisation, or takes it back (P118). The history of the enrolment says so too. */
export function takeGiving(academy: Academy, { form, actor, id }: Asked & { id: number }): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: givingForm,
    subject: `organisation:${id}`,
    actor,
    compares: false,
    async act(trx, { act, reference }, { now: at }): Promise<ActDone | Refused> {
      const giving = { organisationId: id, reference, actor, at };
      const given = act === 'give' ? await giveForBuyer(trx, giving) : null;
      if (given?.ok === false) {
        const fault =
          given.reason === 'unknown'
            ? 'There is no such enrolment. Check the reference.'
            : `It belongs to ${given.name}. Take it back there first.`;
        return { ok: false, reason: 'refused', errors: { reference: fault } };
      }
      if (act === 'take-back') await takeBack(trx, giving);
      const action = act === 'give' ? 'give-enrolment' : 'take-back-enrolment';
      await writeAuditEntry(trx, { at, personId: actor.person.id, action, subject: `enrolment:${reference}` });
      return { ok: true, did: { action, details: { enrolment: reference } } };
    },
  });
}

/** Names or ends a manager of an organisation (P110). */
export function takeManagerAct(
  academy: Academy,
  { form, actor, id }: Asked & { id: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: managerForm,
    subject: `organisation:${id}`,
    actor,
    async act(trx, values, { now: at }): Promise<ActDone | Refused> {
      if (values.act === 'end-manager') {
        await endManager(trx, { organisationId: id, managerId: values.manager, actor, at });
        return { ok: true, did: { action: 'end-manager' } };
      }
      const named = await nameManager(trx, { organisationId: id, email: values.email, actor, at });
      if (named.ok) return { ok: true, did: { action: 'add-manager' } };
      const fault = 'Nobody has proved this address yet. They do so by logging in, or by the code of a quote.';
      return { ok: false, reason: 'refused', errors: { email: fault } };
    },
  });
}
