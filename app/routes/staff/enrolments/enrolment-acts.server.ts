import { changesBetween } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import { lockEnrolment, markChanged } from '#app/features/enrolments/lock-enrolment.server.ts';
import { queueNotes } from '#app/features/enrolments/money-mails.server.ts';
import { remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { chargedFor, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { demand } from '#app/features/people/actor.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { type StaffFormResult, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { enrolmentForm } from './enrolment-forms.ts';
import { sendLinks } from './send-links.server.ts';
import { type Asked, type Done, done, meanwhile, refused, withEnrolment } from './with-enrolment.server.ts';

const notReminded = {
  'nothing-due': 'Nothing is due on this enrolment, so no reminder is needed.',
  'sent-today': 'We sent a reminder today. You can send the next one tomorrow.',
};
/** Takes the small forms of an enrolment's page: payments, refunds, a lower price, fresh links. */
export function takeEnrolmentAct(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: enrolmentForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      const { now } = moment;
      const by = { actor, at: now, idempotencyKey: `desk:${values[tokenField]}` };
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        switch (values.act) {
          case 'payment': {
            if (values.day > moment.today) {
              return { ok: false, reason: 'refused', errors: { day: 'This day is in the future.' } };
            }
            const { amount: amountCents, day: receivedOn, method, words } = values;
            await recordPayment(trx, { ...by, enrolmentId, amountCents, receivedOn, method, words });
            return done('record-payment', { amount: formatMoney(amountCents) });
          }
          case 'refund': {
            if (!(await isPaymentOf(trx, values.payment, enrolmentId)))
              return refused('This payment no longer exists.');
            const refund = { ...by, paymentId: values.payment, amountCents: values.refunded, reason: values.why };
            const result = await recordRefund(trx, refund);
            if (!result.ok) {
              const message = `Only ${formatMoney(result.leftCents)} of this payment is left.`;
              return { ok: false, reason: 'refused', errors: { refunded: message } };
            }
            return done('record-refund', { amount: formatMoney(values.refunded) });
          }
          case 'refund-failed': {
            const failed = await failRefund(trx, { ...by, refundId: values.refund });
            return failed ? done('refund-failed') : refused('This refund is already marked as failed.');
          }
          case 'credit':
            demand(actor, 'money:refund');
            return credit(trx, enrolmentId, values, moment);
          case 'remind': {
            const reminded = await remindNow(trx, { enrolmentId, actor }, moment);
            return reminded.ok ? done('remind') : refused(notReminded[reminded.reason]);
          }
          case 'links':
            demand(actor, 'enrolments:change');
            return done('send-links', { mails: await sendLinks(trx, enrolmentId, moment) });
        }
      });
    },
  });
}

/** Lowers the price of a place without cancelling it, by an adjustment note (P40). */
async function credit(
  trx: Trx,
  enrolmentId: number,
  { place, credit: cents, creditWhy: reason }: { place: number; credit: number; creditWhy: string },
  moment: Moment,
): Promise<Done> {
  const { today, now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return refused(meanwhile);
  if (!locked.enrolment.places.some(({ id }) => id === place)) return refused('This place no longer exists.');
  const charged = (await chargedFor(trx, enrolmentId))(place);
  if (cents > charged) {
    return {
      ok: false,
      reason: 'refused',
      errors: { credit: `Only ${formatMoney(charged)} is charged for this place.` },
    };
  }
  const credits = [{ placeId: place, cents }];
  const notes = await issueAdjustmentNotes(trx, { enrolmentId, credits, reason, today, at: now });
  const enrolment = await markChanged(trx, enrolmentId, now);
  await queueNotes(trx, enrolment, { notes, buyerHasThem: false }, moment);
  const note = notes.map(({ facts }) => facts.number).join(', ');
  const field = `chargedCents of place ${place}`;
  const changes = changesBetween({ [field]: charged }, { [field]: charged - cents });
  return done('credit', { amount: formatMoney(cents), note }, changes);
}

async function isPaymentOf(trx: Trx, paymentId: number, enrolmentId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirst();
  return row !== undefined;
}
