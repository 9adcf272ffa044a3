import { lastEntry } from '#app/audit/history.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { dayMs } from '#app/lib/durations.ts';
import { matchWords } from './accounts.server.ts';
import { skippedNumbers } from './document-numbers.server.ts';
import { type OddPayment, paymentsToReview } from './payments-to-review.server.ts';
import { unmatchedPayments } from './suggestions.server.ts';
import { outgoingLines } from './taken-back.server.ts';

/** How far back odd payments are listed; payments without an enrolment are listed whenever they came. */
const reviewedMs = 90 * dayMs;
/** Rows of each list on one page. */
const most = 50;

const reviews = { match: 'to-do', late: 'others', aside: 'aside' } as const;

/** The part of the page, and where its list continues: behind the id of a payment, or of an enrolment. */
export type MoneyPages = { part: keyof typeof reviews | 'refunds'; before: number | null; refundsAfter: number | null };

/** A part of the page about payments: payments to look at, with money that went out, or refunds to send with their payees. */
export async function readMoney(db: Db, actor: StaffActor, at: Date, { part, before, refundsAfter }: MoneyPages) {
  requirePermission(actor, 'money:read');
  const since = new Date(at.getTime() - reviewedMs);
  return {
    seen: await lastEntry(db),
    odd:
      part === 'refunds'
        ? { payments: [], next: null }
        : await withNames(db, await paymentsToReview(db, { part: reviews[part], since, before, most })),
    outgoing: part === 'match' ? await outgoingLines(db, most) : [],
    skipped: part === 'match' ? await skippedNumbers(db) : [],
    ...(part === 'refunds' ? await readRefunds(db, refundsAfter ?? 0) : { refunds: [], next: null }),
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
