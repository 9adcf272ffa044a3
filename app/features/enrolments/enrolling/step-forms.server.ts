import type { AttendeeWish, Buyer, Payer } from '#app/features/enrolments/order.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { namedAtOnce } from './choice.ts';
import { takeMeant, withMeantAddress } from './did-you-mean.ts';
import { saveEnrolmentDraft } from './drafts.server.ts';
import { reviewStep } from './review-step.server.ts';
import { attendeesFields, payerFields, readAttendees, readPayer } from './schema.ts';
import type { ReviewedRow, StepForm } from './step-form.ts';
import type { StepName } from './steps.ts';
import { stepPath } from './steps.ts';

/** The buyer, the payer (P30) and the attendees; their names can follow later (P28). */
const payerStep: StepForm = {
  // Names that the page does not ask for now stay stored, should the number change again.
  fields: ({ choice }) => [...payerFields, ...attendeesFields(namedAtOnce(choice?.attendees ?? 1))],
  isComplete: ({ payer, attendees }) => payer !== null && attendees !== null,
  async take(trx, academy, { values, kept, refuse, opened, token }) {
    const { draft, choice } = opened;
    if (values.intent === takeMeant) {
      await saveEnrolmentDraft(trx, draft.id, { payer: withMeantAddress(kept) }, academy.clock.now());
      return { ok: true, to: stepPath(token, 'payer') };
    }
    const payer = readPayer(values);
    const attendees = readAttendees(values, choice?.attendees ?? 1);
    if (!payer.ok || !attendees.ok) {
      return refuse(400, {
        errors: { ...(payer.ok ? {} : payer.errors), ...(attendees.ok ? {} : attendees.errors) },
      });
    }
    return null;
  },
  reviewed: ({ attendees, payer }) => [
    { title: 'People', rows: attendees ? peopleRows(attendees) : [] },
    { title: 'Invoice to', rows: payer ? payerRows(payer) : [] },
  ],
};

function peopleRows(attendees: readonly AttendeeWish[]): ReviewedRow[] {
  const known = attendees.flatMap((attendee, at): ReviewedRow[] => {
    const text = attendeeText(attendee);
    return text === '' ? [] : [{ name: `Person ${at + 1}`, value: text, plain: true }];
  });
  const open = attendees.length - known.length;
  const later = open > 0 ? [{ name: 'Names', value: `${open} to be named later`, plain: true as const }] : [];
  return [...known, ...later, ...sameAddressRows(attendees)];
}

/** A remark when several people have one address: their courses count for one account (P50). It stops nobody. */
function sameAddressRows(attendees: readonly AttendeeWish[]): ReviewedRow[] {
  const people = attendees.flatMap(({ name, email }, at) =>
    email === null ? [] : [{ box: mailboxOf(email), who: name ?? `person ${at + 1}` }],
  );
  const shared = [...Map.groupBy(people, ({ box }) => box).values()].filter((some) => some.length > 1);
  return shared.map((some) => {
    const names = some.map(({ who }) => who);
    const value = `${names.slice(0, -1).join(', ')} and ${names.at(-1)} have the same email address. Their links, progress and certificates all go to it. If they have addresses of their own, please enter those.`;
    return { name: 'Please check', value: `${value.charAt(0).toUpperCase()}${value.slice(1)}`, plain: true };
  });
}

/** '' for somebody of whom nothing is known yet. */
function attendeeText({ name, email, needs, guardian }: AttendeeWish): string {
  const lines = [
    name,
    email,
    needs && `Needs: ${needs}`,
    guardian && `Under 18, guardian: ${[guardian.name, guardian.email].filter(Boolean).join(', ')}`,
  ].filter(Boolean);
  return lines.length > 0 && name === null ? ['Named later', ...lines].join('\n') : lines.join('\n');
}

function payerRows({ buyer, payer }: { buyer: Buyer; payer: Payer }): ReviewedRow[] {
  const organisation = payer.kind === 'organisation' ? payer : null;
  const rows: [name: string, value: string | null | undefined, plain?: true][] = [
    ['Organisation', organisation?.organisation, true],
    ['ABN', organisation?.abn && formatAbn(organisation.abn)],
    ['Purchase order', organisation?.purchaseOrder],
    ['Name', buyer.name, true],
    ['Email', buyer.email, true],
    ['Phone', shownPhone(buyer.phone), true],
    ['Invoice copy to', organisation?.accountsEmail],
    ['Postal address', payer.address, true],
  ];
  return rows.flatMap(([name, value, plain = false]): ReviewedRow[] => (value ? [{ name, value, plain }] : []));
}

/** The steps whose forms `takeStep` takes; choosing and the button that places have commands of their own. */
export type FormStep = Exclude<StepName, 'choice'>;

/** The form of each step by its name in `steps`. */
export const stepForms: Readonly<Record<FormStep, StepForm>> = { payer: payerStep, review: reviewStep };
