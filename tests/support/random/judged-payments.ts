import { expect } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { paymentsToReview } from '#app/features/money/payments-to-review.server.ts';

/**
 * The latest payment of an enrolment is too small when it left an invoice or an instalment open in part, which is told
 * here by what is open now; a payment is too large only where a refund is owed (P39).
 */
export async function paymentsJudgedRight(db: Db): Promise<void> {
  const { payments } = await paymentsToReview(db, { part: 'to-do', since: new Date(0), most: 100_000 });
  const latest = await db
    .selectFrom('payments')
    .select(({ fn }) => ['enrolment_id as enrolmentId', fn.max('id').as('id')])
    .where('enrolment_id', 'is not', null)
    .groupBy('enrolment_id')
    .execute();
  const faults: object[] = [];
  for (const { enrolmentId, id } of latest) {
    const enrolment = enrolmentId ?? 0;
    const owed = balanceOf(await accountOf(db, enrolment));
    const its = payments.filter((one) => one.enrolmentId === enrolmentId);
    const large = its.some(({ why }) => why.includes('too-large'));
    const small = its.filter(({ why }) => why.includes('too-small')).map((one) => one.id);
    const inPart = owed > 0 && (await paidInPart(db, enrolment));
    if (large && owed >= 0) faults.push({ enrolment, owed, large });
    if (small.length > 0 && (small[0] !== id || inPart === false)) faults.push({ enrolment, owed, id, small, inPart });
    if (small.length === 0 && inPart && (await tookOnlyThis(db, enrolment)))
      faults.push({ enrolment, owed, id, inPart });
  }
  expect(faults).toEqual([]);
}

/** Whether nothing came after the only payment, which paid no invoice whole: what is open in part, it left so. */
async function tookOnlyThis(db: Db, enrolmentId: number): Promise<boolean> {
  const payments = await db.selectFrom('payments').selectAll().where('enrolment_id', '=', enrolmentId).execute();
  const invoices = await db.selectFrom('tax_invoices').selectAll().where('enrolment_id', '=', enrolmentId).execute();
  const [only] = payments;
  if (!only || payments.length > 1) return false;
  const refunds = await db.selectFrom('refunds').selectAll().where('payment_id', '=', only.id).execute();
  return (
    refunds.length === 0 &&
    invoices.every(({ created_at, total_cents }) => created_at <= only.recorded_at && total_cents !== only.amount_cents)
  );
}

/** Whether some invoice, or instalment, is open and not whole; null where an agreement was cut by a credit. */
async function paidInPart(db: Db, enrolmentId: number): Promise<boolean | null> {
  for (const invoice of await openInvoices(db, enrolmentId)) {
    const row = await db
      .selectFrom('tax_invoices')
      .leftJoin('adjustment_notes', 'tax_invoice_id', 'tax_invoices.id')
      .select(({ fn }) => ['tax_invoices.total_cents as total', fn.sum('adjustment_notes.total_cents').as('notes')])
      .where('tax_invoices.id', '=', invoice.id)
      .groupBy('tax_invoices.total_cents')
      .executeTakeFirstOrThrow();
    const net = row.total - Number(row.notes ?? 0);
    const agreed = await db
      .selectFrom('instalments')
      .select(['id', 'amount_cents'])
      .where('enrolment_id', '=', enrolmentId)
      .where('debt', '=', invoice.debt)
      .where('ended_at', 'is', null)
      .execute();
    const whole = new Map(agreed.map((one) => [one.id, one.amount_cents]));
    const sum = agreed.reduce((total, one) => total + one.amount_cents, 0);
    if (sum > net) return null;
    const openOfThem = invoice.instalments.reduce((total, one) => total + one.openCents, 0);
    const before = invoice.openCents - openOfThem;
    if (before > 0 && before < net - sum) return true;
    if (invoice.instalments.some(({ id, openCents }) => openCents < (whole.get(id) ?? 0))) return true;
  }
  return false;
}
