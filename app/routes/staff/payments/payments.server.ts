import { z } from 'zod';
import { lastEntry } from '#app/audit/history.server.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { matchWords } from '#app/features/money/accounts.server.ts';
import { skippedNumbers } from '#app/features/money/document-numbers.server.ts';
import { assignPayment } from '#app/features/money/payments.server.ts';
import { type OddPayment, paymentsToReview } from '#app/features/money/payments-to-review.server.ts';
import { unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { dismissLine, outgoingLines, recordTakenBack } from '#app/features/money/taken-back.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
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

/** How far back odd payments are listed; payments without an enrolment are listed whenever they came. */
const reviewedMs = 90 * 24 * 60 * 60 * 1000;
/** Rows of each list on one page. */
const most = 50;

/** Which payments to look at are shown, and the pages of the two lists: each continues after the id of a payment or of an enrolment. */
export type MoneyPages = { part: 'to-do' | 'others' | 'aside'; before: number | null; refundsAfter: number | null };

/** The lists of the page about money: payments to look at, outgoing money, and refunds to send with their payees. */
export async function readMoney(db: Db, actor: StaffActor, at: Date, { part, before, refundsAfter }: MoneyPages) {
  requirePermission(actor, 'money:read');
  const since = new Date(at.getTime() - reviewedMs);
  return {
    seen: await lastEntry(db),
    odd: await withNames(db, await paymentsToReview(db, { part, since, before, most })),
    outgoing: await outgoingLines(db, most),
    skipped: await skippedNumbers(db),
    ...(await readRefunds(db, refundsAfter ?? 0)),
  };
}

/** The payments to look at, in pieces, for a file. */
export async function* everyOddPayment(
  db: Db,
  actor: StaffActor,
  at: Date,
): AsyncGenerator<OddPayment[], void, undefined> {
  requirePermission(actor, 'money:read');
  const since = new Date(at.getTime() - reviewedMs);
  let before: number | null = null;
  do {
    const { payments, next } = await paymentsToReview(db, { part: 'all', since, before, most: 1000 });
    yield payments;
    before = next;
  } while (before !== null);
}

/** Adds to payments without an enrolment the enrolments that their words name, and suggestions. */
async function withNames(db: Db, { payments, next }: Awaited<ReturnType<typeof paymentsToReview>>) {
  const words = payments.map((payment) => (payment.enrolmentId === null ? (payment.words ?? '') : ''));
  const matches = await matchWords(db, words);
  const ids = payments.flatMap(({ id, enrolmentId }) => (enrolmentId === null ? [id] : []));
  const unmatched = new Map((await unmatchedPayments(db, { ids })).payments.map((one) => [one.id, one.suggestions]));
  return {
    next,
    payments: payments.map((payment, at) => ({
      ...payment,
      named: matches[at] ?? null,
      suggestions: unmatched.get(payment.id) ?? [],
    })),
  };
}

async function readRefunds(db: Db, after: number) {
  const found = await db
    .selectFrom('enrolment_list')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['enrolments.id', 'reference', 'buyer_name', 'organisation', 'balance_cents'])
    .where('balance_cents', '<', 0)
    .where('enrolment_id', '>', after)
    .orderBy('enrolment_id')
    .limit(most + 1)
    .execute();
  const rows = found.slice(0, most);
  const payments = await db
    .selectFrom('payments')
    .select(['payments.id', 'enrolment_id', 'method', 'amount_cents', 'received_on', 'words'])
    .select((eb) => [
      eb
        .selectFrom('refunds')
        .whereRef('payment_id', '=', 'payments.id')
        .where('refunds.state', '=', 'sent')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('refunds.amount_cents'), eb.lit(0)).as('cents'))
        .as('refunded'),
      eb
        .exists(
          eb
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('payment_id', '=', 'payments.id')
            .where('refunds.state', '=', 'failed'),
        )
        .as('failed'),
    ])
    .where('enrolment_id', 'in', [0, ...rows.map(({ id }) => id)])
    .orderBy('payments.id')
    .execute();
  const refunds = rows.map(({ id, ...row }) => {
    const its = payments.filter(({ enrolment_id }) => enrolment_id === id);
    const left = its.map((payment) => ({
      ...payment,
      leftCents: payment.amount_cents - Number(payment.refunded ?? 0),
    }));
    return {
      ...row,
      payments: left.filter(({ leftCents }) => leftCents > 0),
      failed: its.some(({ failed }) => failed),
    };
  });
  return { refunds, next: found.length > most ? (rows.at(-1)?.id ?? null) : null };
}

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
