import { sql } from 'kysely';
import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntries, writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** The recorder, the time, and the key that keeps a repeat from being recorded twice (P25). */
export type Recording = { actor: Actor; at: Date; idempotencyKey: string };

export type NewPayment = Recording & {
  /** Null: not matched to an enrolment yet. */
  enrolmentId: number | null;
  /** Above zero. */
  amountCents: Cents;
  receivedOn: Day;
  method: 'bank' | 'card' | 'other';
  /** The words of the payer, such as the reference on the transfer. */
  words?: string;
  /**
   * In capitals. A payment in another currency than AUD belongs to no enrolment; `amountCents` are its smallest units.
   */
  currency?: string;
};

/**
 * Records money that came in, whatever is owed: too much, too little, twice or late (P39). The places stay as they are;
 * `paymentsToReview` lists what staff should look at. A repeat with the same key answers with the first.
 */
export async function recordPayment(trx: Trx, payment: NewPayment): Promise<{ paymentId: number; repeat: boolean }> {
  const { enrolmentId, amountCents, receivedOn, method, words, currency, actor, at, idempotencyKey } = payment;
  requirePermission(actor, 'money:record');
  const stored = await trx
    .insertInto('payments')
    .values({
      enrolment_id: enrolmentId,
      amount_cents: amountCents,
      received_on: receivedOn,
      method,
      source: idempotencyKey,
      words: words ?? null,
      currency: currency ?? 'AUD',
      recorded_at: at,
      recorded_by: personIdOf(actor),
    })
    .onConflict((conflict) => conflict.column('source').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) {
    const before = await trx
      .selectFrom('payments')
      .select('id')
      .where('source', '=', idempotencyKey)
      .executeTakeFirstOrThrow();
    return { paymentId: before.id, repeat: true };
  }
  const made = changesBetween({}, { amountCents, receivedOn, method, currency: currency ?? 'AUD', enrolmentId });
  await audit(trx, payment, {
    action: 'record-payment',
    paymentId: stored.id,
    details: { amountCents },
    changes: made,
  });
  return { paymentId: stored.id, repeat: false };
}

/**
 * Records many payments that name no enrolment, such as those of a bank statement; returns their ids in their order.
 */
export async function recordUnmatched(
  trx: Trx,
  payments: readonly Omit<NewPayment, 'enrolmentId'>[],
  { actor, at }: Omit<Recording, 'idempotencyKey'>,
): Promise<number[]> {
  requirePermission(actor, 'money:record');
  if (payments.length === 0) return [];
  const rows = await trx
    .insertInto('payments')
    .values(
      payments.map(({ amountCents, receivedOn, method, words, idempotencyKey }) => ({
        amount_cents: amountCents,
        received_on: receivedOn,
        method,
        source: idempotencyKey,
        words: words ?? null,
        recorded_at: at,
        recorded_by: personIdOf(actor),
      })),
    )
    .returning(['id', 'source', 'amount_cents', 'received_on', 'method', 'currency'])
    .execute();
  const entry = { at, personId: personIdOf(actor), action: 'record-payment' };
  await writeAuditEntries(
    trx,
    rows.map(({ id, amount_cents: amountCents, received_on: receivedOn, method, currency }) => ({
      ...entry,
      subject: `payment:${id}`,
      details: { amountCents },
      changes: changesBetween({}, { amountCents, receivedOn, method, currency }),
    })),
  );
  const ids = new Map(rows.map(({ id, source }) => [source, id]));
  return payments.map(({ idempotencyKey }) => ids.get(idempotencyKey) ?? 0);
}

/**
 * Says which enrolment a payment is for that had none; false when it has one already, or is not in Australian dollars.
 */
export async function assignPayment(
  trx: Trx,
  { paymentId, enrolmentId, ...by }: Omit<Recording, 'idempotencyKey'> & { paymentId: number; enrolmentId: number },
): Promise<boolean> {
  requirePermission(by.actor, 'money:record');
  const { numUpdatedRows } = await trx
    .updateTable('payments')
    .set({ enrolment_id: enrolmentId })
    .where('id', '=', paymentId)
    .where('enrolment_id', 'is', null)
    .where('set_aside_at', 'is', null)
    .where('currency', '=', 'AUD')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const changes = changesBetween({}, { enrolmentId });
  await audit(trx, by, { action: 'assign-payment', paymentId, details: { enrolmentId }, changes });
  return true;
}

export type NewRefund = Recording & {
  paymentId: number;
  amountCents: Cents;
  reason: string;
  /** The day on which the money left; of its recording when left out. */
  sentOn?: Day;
  /** The bank has done it already, so it is recorded even if it is more than was left. */
  happened?: boolean;
};

/**
 * Records a refund of a payment (P39): it goes to where the money came from. Refused when it is more than what is left
 * of the payment after its refunds that did not fail.
 */
export async function recordRefund(
  trx: Trx,
  refund: NewRefund,
): Promise<
  { ok: true; refundId: number; repeat: boolean } | { ok: false; reason: 'more-than-paid'; leftCents: Cents }
> {
  const { paymentId, amountCents, reason, happened, actor, at, idempotencyKey } = refund;
  const sentOn = refund.sentOn ?? academyDay(at);
  requirePermission(actor, 'money:refund');
  // Locked, so that two refunds at once never return more than was paid.
  const payment = await trx
    .selectFrom('payments')
    .select(['amount_cents', 'enrolment_id'])
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const before = await trx.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).execute();
  const same = before.find(({ source }) => source === idempotencyKey);
  if (same) return { ok: true, refundId: same.id, repeat: true };
  const sent = before.filter(({ state }) => state === 'sent').reduce((sum, row) => sum + row.amount_cents, 0);
  const leftCents = payment.amount_cents - sent;
  if (amountCents > leftCents && !happened) return { ok: false, reason: 'more-than-paid', leftCents };
  const { id } = await trx
    .insertInto('refunds')
    .values({
      payment_id: paymentId,
      enrolment_id: payment.enrolment_id,
      amount_cents: amountCents,
      state: 'sent',
      reason,
      source: idempotencyKey,
      sent_on: sentOn,
      recorded_at: at,
      recorded_by: personIdOf(actor),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const changes = changesBetween({ refundedCents: sent }, { refundedCents: sent + amountCents, sentOn });
  await audit(trx, refund, { action: 'record-refund', paymentId, details: { amountCents }, changes });
  return { ok: true, refundId: id, repeat: false };
}

/** Records that a refund came back: its amount is owed to the buyer again. False when that was known. */
export async function failRefund(
  trx: Trx,
  { refundId, ...by }: Omit<Recording, 'idempotencyKey'> & { refundId: number },
): Promise<boolean> {
  requirePermission(by.actor, 'money:refund');
  const failed = await trx
    .updateTable('refunds')
    .set({ state: 'failed' })
    .where('id', '=', refundId)
    .where('state', '=', 'sent')
    .returning('payment_id')
    .executeTakeFirst();
  if (!failed) return false;
  const changes = changesBetween({ refund: 'sent' }, { refund: 'failed' });
  await audit(trx, by, { action: 'fail-refund', paymentId: failed.payment_id, details: { refundId }, changes });
  return true;
}

type Audited = { action: string; paymentId: number; details: Record<string, number>; changes: readonly AuditChange[] };

function audit(
  trx: Trx,
  { actor, at }: Omit<Recording, 'idempotencyKey'>,
  { paymentId, ...entry }: Audited,
): Promise<void> {
  return writeAuditEntry(trx, { at, personId: personIdOf(actor), subject: `payment:${paymentId}`, ...entry });
}

export type RefundedPayment = { received_on: Day; byStripe: unknown };

/** The payment of an enrolment that is to be refunded: the day it came in, and whether Stripe took it. */
export function findRefundedPayment(trx: Trx, id: number, enrolmentId: number): Promise<RefundedPayment | undefined> {
  return trx
    .selectFrom('payments')
    .select(['received_on', sql`source like 'pi\\_%'`.as('byStripe')])
    .where('id', '=', id)
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirst();
}

/** The refunds of payments, in the order in which they were recorded. */
export function readRefunds(db: Db, paymentIds: readonly number[]) {
  return db
    .selectFrom('refunds')
    .select(['id', 'payment_id', 'amount_cents', 'state', 'reason', 'sent_on'])
    .where('payment_id', 'in', [0, ...paymentIds])
    .orderBy('id')
    .execute();
}

/** Those of the sources, such as `pi_3abc`, of which a payment is recorded. */
export async function readKnownSources(db: Db, sources: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('source')
    .where('source', 'in', ['', ...sources])
    .execute();
  return rows.flatMap(({ source }) => source ?? []);
}
