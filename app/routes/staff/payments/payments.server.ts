import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { matchWords } from '#app/features/money/accounts.server.ts';
import { assignPayment } from '#app/features/money/payments.server.ts';
import { dismissLine, recordTakenBack } from '#app/features/money/taken-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { optionalLine, requiredLine, textsOf } from '#app/http/form-texts.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';

type Asked = { form: FormData | null; actor: StaffActor };

const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const assignForm = z.object({
  ...common,
  payment: id,
  to: requiredLine('the reference of the enrolment or the number of the invoice', 40),
});

/** The sentence when the words name no enrolment, or several. */
export const noSuchEnrolment =
  'No enrolment has this reference or invoice number. Enter one such as BB-7KQ2MX or INV-00042.';

/** Says which enrolment a payment is for. */
export function takeAssignment(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  const payment = textsOf(form).payment ?? '';
  return takeStaffAct(academy, {
    form,
    schema: assignForm,
    subject: `payment:${payment}`,
    actor,
    async act(trx, { payment: paymentId, to }, { now }): Promise<ActDone | Refused> {
      const [match] = await matchWords(trx, [to]);
      if (match?.kind !== 'one') return { ok: false, reason: 'refused', errors: { to: noSuchEnrolment } };
      const { id: enrolmentId, reference } = match.enrolment;
      const assigned = await assignPayment(trx, { paymentId, enrolmentId, actor, at: now });
      if (!assigned) return refused('This payment already has an enrolment.');
      await writeAuditEntry(trx, {
        at: now,
        personId: actor.person.id,
        action: 'assign-payment',
        subject: `enrolment:${reference}`,
        details: { payment: paymentId },
      });
      return { ok: true, did: null };
    },
  });
}

const lineForm = z.object({
  ...common,
  line: id,
  as: z.enum(['taken-back', 'dismissed']),
  /** The day of the refund that the page showed beside the line; '' without one. */
  refunded: optionalLine(10),
});

/** Records that the bank took a payment back, or sets the line aside. */
export function takeOutgoingLine(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: lineForm,
    subject: `bank-line:${textsOf(form).line ?? ''}`,
    actor,
    async act(trx, { line: lineId, as, refunded }, { now }): Promise<ActDone | Refused> {
      const by = { actor, at: now, lineId };
      if (as === 'dismissed') {
        return (await dismissLine(trx, by))
          ? { ok: true, did: null }
          : refused('Someone has already dealt with this line.');
      }
      const result = await recordTakenBack(trx, { ...by, refundSeen: refunded || null });
      if (!result.ok) return refused(notTakenBack(result));
      for (const reference of result.references) {
        const subject = `enrolment:${reference}`;
        await writeAuditEntry(trx, { at: now, personId: actor.person.id, action: 'payment-taken-back', subject });
      }
      return { ok: true, did: null };
    },
  });
}

function notTakenBack(result: Extract<Awaited<ReturnType<typeof recordTakenBack>>, { ok: false }>): string {
  if (result.reason === 'settled') return 'Someone has already dealt with this line.';
  if (result.reason === 'no-enrolment')
    return 'The references of this line contradict each other. Record the refund at the enrolment.';
  if (result.reason === 'refunded')
    return `A refund of this amount is now recorded for ${formatDay(result.on)}. If this line is that refund, set it aside. If the bank took the payment back as well, press again.`;
  return `No bank payment of this enrolment has ${formatExact(result.amountCents)} left. Record the refund at the enrolment.`;
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
