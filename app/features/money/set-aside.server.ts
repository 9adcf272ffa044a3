import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';

type By = { paymentId: number; actor: Actor; at: Date };
/** `not-alone`: a part of it belongs to an enrolment or was refunded, or it came by card. `changed`: it is so already. */
export type SetAside = { ok: true } | { ok: false; reason: 'missing' | 'not-alone' | 'changed' };

/**
 * Sets a bank payment aside that is no payment for the academy, such as a payout of Stripe (P83). No list and no figure
 * has it then; its line of the statement stays known.
 */
export async function setPaymentAside(trx: Trx, { why, ...by }: By & { why: string }): Promise<SetAside> {
  requirePermission(by.actor, 'money:record');
  const payment = await lockPayment(trx, by.paymentId);
  if (!payment) return { ok: false, reason: 'missing' };
  if (payment.set_aside_at) return { ok: false, reason: 'changed' };
  const { enrolment_id, part_of, arrived_cents, method, isRefunded } = payment;
  const isAlone = enrolment_id === null && part_of === null && arrived_cents === null && !isRefunded;
  if (!isAlone || method !== 'bank') return { ok: false, reason: 'not-alone' };
  await trx
    .updateTable('payments')
    .set({ set_aside_at: by.at, set_aside_by: personIdOf(by.actor), set_aside_why: why })
    .where('id', '=', by.paymentId)
    .execute();
  await audit(trx, by, 'set-payment-aside');
  return { ok: true };
}

/** Makes a payment that was set aside one without an enrolment again. */
export async function bringPaymentBack(trx: Trx, by: By): Promise<SetAside> {
  requirePermission(by.actor, 'money:record');
  const payment = await lockPayment(trx, by.paymentId);
  if (!payment) return { ok: false, reason: 'missing' };
  if (!payment.set_aside_at) return { ok: false, reason: 'changed' };
  await trx
    .updateTable('payments')
    .set({ set_aside_at: null, set_aside_by: null, set_aside_why: null })
    .where('id', '=', by.paymentId)
    .execute();
  await audit(trx, by, 'bring-payment-back');
  return { ok: true };
}

async function lockPayment(trx: Trx, id: number) {
  const payment = await trx
    .selectFrom('payments')
    .select(['enrolment_id', 'part_of', 'arrived_cents', 'method', 'set_aside_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const refund = trx.selectFrom('refunds').select('id').where('payment_id', '=', id);
  return payment && { ...payment, isRefunded: (await refund.executeTakeFirst()) !== undefined };
}

const audit = (trx: Trx, { paymentId, actor, at }: By, action: string) =>
  writeAuditEntry(trx, { at, personId: personIdOf(actor), action, subject: `payment:${paymentId}` });
