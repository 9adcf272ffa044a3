import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { recordRefund } from '#app/features/money/payments.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';
import { withdrawPaymentReminders } from './cancel-places.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { queueNotes } from './money-mails.server.ts';

export type Discount = {
  enrolmentId: number;
  /** The places of the discount, which is shared among them in proportion to their charges. */
  placeIds: readonly number[];
  /** Above zero, GST included. */
  cents: Cents;
  /** As the adjustment note gives it. */
  reason: string;
  /** The payment that goes back as far as more is paid than is owed then; null when there is nothing to send back. */
  refundOf: number | null;
  actor: Actor;
  /** The key under which the refund is recorded once (P25). */
  idempotencyKey: string;
};

export type DiscountGiven = {
  ok: true;
  /** Numbers of the adjustment notes. */
  notes: string[];
  refundCents: Cents;
  changes: AuditChange[];
};

export type NotGiven =
  | Meanwhile
  /** Not a place of this enrolment, or one without an invoice yet. */
  | { ok: false; reason: 'no-place' }
  | { ok: false; reason: 'more-than-charged'; chargedCents: Cents }
  /** The buyer would have paid this much too much, and staff named no payment, or one with less left. */
  | { ok: false; reason: 'refund-needed'; refundCents: Cents; leftCents: Cents | null };

/**
 * Gives a discount on invoiced places with a reason (P83): an adjustment note lowers the invoice and its GST, and the
 * buyer gets it. It lowers what is owed first. What was paid beyond that is refunded in the same act, so that no
 * discount leaves money here that nobody sends back.
 */
export async function giveDiscount(
  trx: Trx,
  { enrolmentId, placeIds, cents, reason, refundOf, actor, idempotencyKey }: Discount,
  moment: Moment,
): Promise<DiscountGiven | NotGiven> {
  requirePermission(actor, 'money:refund');
  const { today, now } = moment;
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const known = placeIds.every((id) => locked.enrolment.places.some((place) => place.id === id));
  const charged = await chargedFor(trx, enrolmentId);
  const chargedOf = new Map([...new Set(placeIds)].map((id) => [id, charged(id)]));
  const chargedCents = sumOf([...chargedOf.values()]);
  if (!known || chargedCents === 0) return { ok: false, reason: 'no-place' };
  if (cents > chargedCents) return { ok: false, reason: 'more-than-charged', chargedCents };
  const { refundCents } = splitCredit(balanceOf(await accountOf(trx, enrolmentId)), cents);
  if (refundCents > 0 && refundOf === null) return { ok: false, reason: 'refund-needed', refundCents, leftCents: null };
  const shares = shareOut(cents, [...chargedOf.values()]);
  const credits = [...chargedOf.keys()].map((placeId, at) => ({ placeId, cents: shares[at] ?? 0 }));
  if (refundCents > 0 && refundOf !== null) {
    const by = { actor, at: now, idempotencyKey };
    const refund = (await isPaymentOf(trx, refundOf, enrolmentId))
      ? await recordRefund(trx, { ...by, paymentId: refundOf, amountCents: refundCents, reason })
      : { ok: false as const, leftCents: 0 };
    if (!refund.ok) return { ok: false, reason: 'refund-needed', refundCents, leftCents: refund.leftCents };
  }
  const notes = await issueAdjustmentNotes(trx, { enrolmentId, credits, reason, today, at: now });
  const enrolment = await markChanged(trx, enrolmentId, now);
  await withdrawPaymentReminders(trx, { enrolmentId, at: now, reason: 'The charge has changed' });
  await queueNotes(trx, enrolment, { notes, buyerHasThem: false }, moment);
  const changes = credits.flatMap((credit) => {
    const before = chargedOf.get(credit.placeId) ?? 0;
    const field = `chargedCents of place ${credit.placeId}`;
    return changesBetween({ [field]: before }, { [field]: before - credit.cents });
  });
  return { ok: true, notes: notes.map(({ facts }) => facts.number), refundCents, changes };
}

/** Whether a payment is of an enrolment. */
async function isPaymentOf(trx: Trx, paymentId: number, enrolmentId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirst();
  return row !== undefined;
}

const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
