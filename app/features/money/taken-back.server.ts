import { changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { recordRefund } from './payments.server.ts';

/** An outgoing line of a bank statement that names an enrolment; staff say what it was. */
export type OutgoingLine = {
  id: number;
  day: Day;
  /** Above zero. */
  amountCents: Cents;
  words: string;
  /** Null when its references contradict each other, or its enrolment is erased. */
  reference: string | null;
  /** The day of a recorded refund of this amount for the enrolment; most likely this line is that refund. */
  refundedOn: Day | null;
};

/** Lines that wait for staff, the latest first. */
export async function outgoingLines(db: Db, most: number): Promise<OutgoingLine[]> {
  const rows = await linesWithRefund(db)
    .leftJoin('enrolments', 'enrolments.id', 'line.enrolment_id')
    .select(['line.id', 'day', 'line.amount_cents', 'line.words', 'reference'])
    .where('line.state', '=', 'open')
    .orderBy('line.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id, day, amount_cents, words, reference, refunded }) => ({
    id,
    day,
    amountCents: -amount_cents,
    words: words ?? '',
    reference,
    refundedOn: refunded,
  }));
}

/** Lines with `refunded`, the day of the latest recorded refund of their amount for their enrolment. */
const linesWithRefund = (db: Db) =>
  db.selectFrom('bank_lines as line').select(({ selectFrom, neg }) =>
    selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'payment_id')
      .whereRef('payments.enrolment_id', '=', 'line.enrolment_id')
      .where('refunds.state', '=', 'sent')
      .whereRef('refunds.amount_cents', '=', neg('line.amount_cents'))
      .select(({ fn }) => fn.max('refunds.sent_on').as('day'))
      .as('refunded'),
  );

/** The source of a refund begins so when the bank took the payment back: nobody at the academy sent it. */
export const takenBackPrefix = 'bank-line:';

type By = { actor: Actor; at: Date };

/** Sets a line aside: its refund is recorded already, or it does not concern enrolments. False when it is settled. */
export async function dismissLine(trx: Trx, { lineId, ...by }: By & { lineId: number }): Promise<boolean> {
  requirePermission(by.actor, 'money:record');
  const line = await setLineState(trx, lineId, 'dismissed');
  if (line) await audit(trx, by, lineId, { action: 'dismiss-line', state: 'dismissed' });
  return line !== undefined;
}

export type TakenBack =
  | { ok: true; references: string[] }
  | { ok: false; reason: 'settled' }
  | { ok: false; reason: 'no-enrolment' }
  /** No bank payment for the enrolment has enough left. */
  | { ok: false; reason: 'no-payment'; amountCents: Cents }
  /** A refund of this amount was recorded that the person who presses had not seen: most likely it is this line. */
  | { ok: false; reason: 'refunded'; on: Day };

/**
 * Records that the bank took a payment back, as a refund: the buyer owes the amount again (P39). It takes the payment
 * for the enrolment that has exactly this amount left, or else the latest that has more. If the bank took all of a
 * divided payment, all its parts are refunded. `refundSeen` is the `refundedOn` of the line that the person had before
 * their eyes.
 */
export async function recordTakenBack(
  trx: Trx,
  { lineId, refundSeen, ...by }: By & { lineId: number; refundSeen: Day | null },
): Promise<TakenBack> {
  requirePermission(by.actor, 'money:record');
  const line = await setLineState(trx, lineId, 'taken-back');
  if (!line) return { ok: false, reason: 'settled' };
  if (line.enrolment_id === null) return { ok: false, reason: 'no-enrolment' };
  const amountCents = -line.amount_cents;
  const shares = sharesOf(await readArrivals(trx, line.enrolment_id), line.enrolment_id, amountCents);
  if (!shares) return { ok: false, reason: 'no-payment', amountCents };
  // Everything that changes several enrolments locks them in this order.
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('id', 'in', [0, ...shares.flatMap(({ enrolmentId }) => enrolmentId ?? [])])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const { refunded } = await linesWithRefund(trx).where('line.id', '=', lineId).executeTakeFirstOrThrow();
  if (refunded !== null && refunded !== refundSeen) return { ok: false, reason: 'refunded', on: refunded };
  const references: string[] = [];
  for (const { id, reference, cents } of shares) {
    const recorded = await recordRefund(trx, {
      ...by,
      paymentId: id,
      amountCents: cents,
      sentOn: line.day,
      reason: 'The bank took the payment back',
      idempotencyKey: `${takenBackPrefix}${lineId}:${id}`,
    });
    if (!recorded.ok) return { ok: false, reason: 'no-payment', amountCents };
    if (reference) references.push(reference);
  }
  const details = { amount: formatExact(amountCents) };
  await audit(trx, by, lineId, { action: 'payment-taken-back', state: 'taken-back', details });
  return { ok: true, references };
}

/** Locks the line and settles it; undefined when that was done before. */
function setLineState(trx: Trx, lineId: number, state: 'taken-back' | 'dismissed') {
  return trx
    .updateTable('bank_lines')
    .set({ state })
    .where('id', '=', lineId)
    .where('state', '=', 'open')
    .returning(['enrolment_id', 'amount_cents', 'day'])
    .executeTakeFirst();
}

type Part = { id: number; arrival: number; enrolmentId: number | null; reference: string | null; leftCents: Cents };

/** All parts of the bank payments that have a part for the enrolment, in the order of the locks. */
async function readArrivals(trx: Trx, enrolmentId: number): Promise<Part[]> {
  const rows = await trx
    .selectFrom('payments')
    .leftJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['payments.id', 'part_of', 'enrolment_id', 'amount_cents', 'reference'])
    .select(({ selectFrom }) =>
      selectFrom('refunds')
        .whereRef('payment_id', '=', 'payments.id')
        .where('refunds.state', '=', 'sent')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('refunds.amount_cents'), lit(0)).as('cents'))
        .as('sent'),
    )
    .where('method', '=', 'bank')
    .where((eb) =>
      eb(
        eb.fn.coalesce('payments.part_of', 'payments.id'),
        'in',
        eb
          .selectFrom('payments as own')
          .where('own.enrolment_id', '=', enrolmentId)
          .select((own) => own.fn.coalesce('own.part_of', 'own.id').as('id')),
      ),
    )
    .orderBy('payments.id')
    .execute();
  return rows.map(({ id, part_of, enrolment_id, amount_cents, reference, sent }) => ({
    id,
    arrival: part_of ?? id,
    enrolmentId: enrolment_id,
    reference,
    leftCents: amount_cents - Number(sent ?? 0),
  }));
}

function sharesOf(parts: readonly Part[], enrolmentId: number, amountCents: Cents) {
  const sum = (some: readonly Part[]) => some.reduce((cents, { leftCents }) => cents + leftCents, 0);
  const own = (some: readonly Part[]) => some.filter((part) => part.enrolmentId === enrolmentId);
  const latestFirst = [...Map.groupBy(parts, ({ arrival }) => arrival)].toSorted(([a], [b]) => b - a);
  const arrivals = latestFirst.map(([, its]) => its);
  const exact = arrivals.map(own).find((its) => sum(its) === amountCents);
  const whole = arrivals.find((its) => sum(its) === amountCents);
  const from = exact ?? whole ?? arrivals.map(own).find((its) => sum(its) >= amountCents);
  if (!from) return null;
  let left = amountCents;
  return from.flatMap(({ leftCents, ...part }) => {
    const cents = Math.min(left, leftCents);
    left -= cents;
    return cents > 0 ? [{ ...part, cents }] : [];
  });
}

type Settled = { action: string; state: 'taken-back' | 'dismissed'; details?: Record<string, string> };

function audit(trx: Trx, { actor, at }: By, lineId: number, { state, ...entry }: Settled) {
  const changes = changesBetween({ state: 'open' }, { state });
  return writeAuditEntry(trx, { at, personId: personIdOf(actor), subject: `bank-line:${lineId}`, ...entry, changes });
}
