import type { Transaction } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { writeEnrolment } from './written-enrolments.ts';

/** An enrolment with one guided place of AU$2,299, invoiced. `payment` is the reference printed on the invoice. */
export async function enrolInvoiced(db: Db, { today, at }: { today: string; at: Date }) {
  const { id, reference, places } = await writeEnrolment(db, [{ monday: '2025-10-13' }]);
  const invoice = await db
    .transaction()
    .execute((trx: Transaction<DB>) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today, at }));
  const { number, payment } = invoice.facts;
  return { id, reference, number, payment: payment.reference };
}

/** What is owed on an enrolment, as computed and as lists have it. */
export async function balancesOf(db: Db, id: number): Promise<{ computed: number; listed: number }> {
  const { balance_cents } = await db
    .selectFrom('enrolment_list')
    .select('balance_cents')
    .where('enrolment_id', '=', id)
    .executeTakeFirstOrThrow();
  return { computed: balanceOf(await accountOf(db, id)), listed: balance_cents };
}

/** Records a bank transfer that came in on the day of a moment, as the program does; amounts in cents. */
export function receive(
  db: Db,
  enrolmentId: number,
  amountCents: number,
  { now, today }: Pick<Moment, 'now' | 'today'>,
) {
  const payment = { enrolmentId, amountCents, receivedOn: today, method: 'bank', actor: theProgram, at: now } as const;
  return db.transaction().execute((trx) => recordPayment(trx, { ...payment, idempotencyKey: crypto.randomUUID() }));
}
