import { agreeOnInstalments, endAgreement } from '#app/features/enrolments/agree-instalments.server.ts';
import { giveDiscount, type NotGiven } from '#app/features/enrolments/give-discount.server.ts';
import {
  type Asked,
  type Done,
  done,
  meanwhile,
  refused,
  withEnrolment,
} from '#app/features/enrolments/lock-enrolment.server.ts';
import { remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { NotAgreed } from '#app/features/money/instalment-rules.ts';
import { instalmentChanges } from '#app/features/money/instalments.server.ts';
import { type Refused, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { discountForm, instalmentsForm, remindForm } from './enrolment-forms.ts';

/** Gives a discount on one place or shared among all, with the refund of the overpaid amount (P83). */
export function takeDiscount(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: discountForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment, { key }) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const { places } = await readEnrolment(trx, enrolmentId);
        const all = places.flatMap(({ id, state }) => (state === 'cancelled' ? [] : [id]));
        const result = await giveDiscount(
          trx,
          {
            enrolmentId,
            placeIds: values.place === null ? all : [values.place],
            cents: values.discount,
            reason: values.discountWhy,
            refundOf: values.refundOf,
            actor,
            idempotencyKey: `desk:${key}`,
          },
          moment,
        );
        if (!result.ok) return notGiven(result);
        const refund: Record<string, string> =
          result.refundCents > 0 ? { refund: formatExact(result.refundCents) } : {};
        const details = { amount: formatExact(values.discount), note: result.notes.join(', '), ...refund };
        return done('discount', details, result.changes);
      });
    },
  });
}

function notGiven(result: NotGiven): Refused {
  switch (result.reason) {
    case 'meanwhile':
      return refused(meanwhile);
    case 'no-place':
      return refused('Nothing is charged for this place, or it has no invoice yet.');
    case 'more-than-charged':
      return {
        ok: false,
        reason: 'refused',
        errors: { discount: `Only ${formatExact(result.chargedCents)} is charged for it.` },
      };
    case 'refund-needed': {
      const back = formatExact(result.refundCents);
      const text =
        result.leftCents === null
          ? `${back} of this was paid already and goes back to the buyer. Choose the payment that you send it back to.`
          : `${back} of this was paid already. Only ${formatExact(result.leftCents)} of this payment is left. Choose another, or give a smaller discount.`;
      return { ok: false, reason: 'refused', errors: { refundOf: text } };
    }
  }
}

/** Agrees on instalments for an open invoice, or ends an agreement (P83). */
export function takeInstalments(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: instalmentsForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, { act, invoice: invoiceId, instalments }, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const asked = { enrolmentId, invoiceId, actor };
        if (act === 'end') {
          const ended = await endAgreement(trx, asked, moment);
          if (ended.ok) return done('end-instalments', { invoice: ended.number }, instalmentChanges(ended.before, []));
          return refused(ended.reason === 'meanwhile' ? meanwhile : 'No instalments are agreed for this invoice.');
        }
        const result = await agreeOnInstalments(trx, { ...asked, instalments }, moment);
        if (!result.ok) return notAgreed(result);
        const changes = instalmentChanges(result.before, instalments);
        return done('agree-instalments', { invoice: result.number, instalments: instalments.length }, changes);
      });
    },
  });
}

function notAgreed(result: NotAgreed | { ok: false; reason: 'meanwhile' | 'not-open' }): Refused {
  const errorAt = (field: string, text: string): Refused => ({
    ok: false,
    reason: 'refused',
    errors: { [field]: text },
  });
  switch (result.reason) {
    case 'meanwhile':
      return refused(meanwhile);
    case 'not-open':
      return refused('This invoice is paid, or nothing of it can be agreed on now.');
    case 'none':
      return errorAt('day-1', 'Enter at least one day and its amount.');
    case 'past':
      return errorAt('day-1', 'The first day is over.');
    case 'order':
      return errorAt('day-1', 'Each day comes after the one before.');
    case 'too-late':
      return errorAt('day-1', 'The last day is more than a year away.');
    case 'sum':
      return errorAt(
        'amount-1',
        `The amounts add up to ${formatExact(result.sumCents)}. ${formatExact(result.openCents)} is owed.`,
      );
  }
}

/** Why a reminder does not go out by hand. */
export const notReminded = {
  'nothing-due': 'Nothing is due on this enrolment, so no reminder is needed.',
  'on-its-way': 'The buyer completed a payment by card, and Stripe has not told us yet that the money arrived.',
  'sent-today': 'We sent a reminder today. You can send the next one tomorrow.',
};

/** Sends a reminder of what is due, by hand; once a day (P39). */
export function takeReminder(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: remindForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, _, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const reminded = await remindNow(trx, { enrolmentId, actor }, moment);
        return reminded.ok ? done('remind') : refused(notReminded[reminded.reason]);
      });
    },
  });
}
