import { sendInvoiceAgain } from '#app/features/enrolments/accounts-address.server.ts';
import { type Asked, type Done, done, refused, withEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import { forgetReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import {
  failRefund,
  findRefundedPayment,
  type RefundedPayment,
  recordPayment,
  recordRefund,
} from '#app/features/money/payments.server.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { type StaffFormResult, takeStaffAct, tooLateToTakeBack } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { takeBackMail } from '#app/outbox/take-back.server.ts';
import { enrolmentForm } from './enrolment-forms.ts';
import { sendLinks } from './send-links.server.ts';

/** Takes the small forms of an enrolment's page: payments, refunds, the invoice once more, fresh links, mails taken back. */
export function takeEnrolmentAct(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: enrolmentForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment, { key }) {
      const { now } = moment;
      const by = { actor, at: now, idempotencyKey: `desk:${key}` };
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        switch (values.act) {
          case 'payment': {
            if (values.day > moment.today) {
              return { ok: false, reason: 'refused', errors: { day: 'This day is in the future.' } };
            }
            const { amount: amountCents, day: receivedOn, method, words } = values;
            await recordPayment(trx, { ...by, enrolmentId, amountCents, receivedOn, method, words });
            return done('record-payment', { amount: formatExact(amountCents) });
          }
          case 'refund': {
            const { payment: paymentId, refunded: amountCents, sentOn, why: reason } = values;
            const payment = await findRefundedPayment(trx, paymentId, enrolmentId);
            if (!payment) return refused('This payment no longer exists.');
            const early = dayFault(payment, sentOn, moment.today);
            if (early) return { ok: false, reason: 'refused', errors: { sentOn: early } };
            const refund = { ...by, paymentId, amountCents, sentOn, reason };
            const result = await recordRefund(trx, refund);
            if (!result.ok) {
              const message = `Only ${formatExact(result.leftCents)} of this payment is left.`;
              return { ok: false, reason: 'refused', errors: { refunded: message } };
            }
            return done('record-refund', { amount: formatExact(values.refunded) });
          }
          case 'refund-failed': {
            const failed = await failRefund(trx, { ...by, refundId: values.refund });
            return failed ? done('refund-failed') : refused('This refund is already marked as failed.');
          }
          case 'send-invoice': {
            const number = await sendInvoiceAgain(trx, { enrolmentId, invoiceId: values.invoice, actor }, moment);
            return number ? done('send-invoice', { invoice: number }) : refused('This invoice cannot be sent.');
          }
          case 'links':
            requirePermission(actor, 'enrolments:change');
            return done('send-links', { mails: await sendLinks(trx, enrolmentId, moment) });
          case 'take-back': {
            requirePermission(actor, 'enrolments:change');
            const about = { kind: 'enrolment', id: enrolmentId } as const;
            const taken = await takeBackMail(trx, { mailId: values.mail, about, by: actor.person.name, at: now });
            if (!taken) return tooLateToTakeBack;
            await forgetReminders(
              trx,
              taken.map(({ id }) => id),
            );
            return done('take-back', { email: taken[0]?.subject ?? '' });
          }
        }
      });
    },
  });
}

/** What is wrong with the day on which a refund was sent. */
function dayFault({ received_on, byStripe }: RefundedPayment, sentOn: Day, today: Day): string | null {
  if (sentOn > today) return 'This day is in the future.';
  if (sentOn < received_on) return `The payment came in on ${formatDay(received_on)}, so it was refunded later.`;
  return byStripe && sentOn < today ? 'Stripe sends this refund when you record it, so enter today.' : null;
}
