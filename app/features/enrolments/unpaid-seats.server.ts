import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { accountsOf } from './money/accounts.server.ts';
import { balanceOf } from './money/balance.ts';

/** Seats of one buyer that may be unpaid; more are a request for staff (P28). */
export const mostUnpaidSeats = 6;

/**
 * How many seats in training sessions a buyer has in enrolments that are not paid in full. Until the transaction ends,
 * others who place for the same mailbox wait here.
 */
export async function unpaidSeatsOf(trx: Db, email: string): Promise<number> {
  const mailbox = mailboxOf(email);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enrolments of ${mailbox}`}, 0))`.execute(trx);
  const taken = await trx
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(({ fn }) => ['enrolment_id', fn.countAll<number>().as('seats')])
    .where('mailbox', '=', mailbox)
    .where('state', '=', 'active')
    .where('way', '=', 'session')
    .groupBy('enrolment_id')
    .execute();
  const accounts = await accountsOf(
    trx,
    taken.map(({ enrolment_id }) => enrolment_id),
  );
  return taken
    .filter(({ enrolment_id }) => balanceOf(accounts.get(enrolment_id) ?? nothing) > 0)
    .reduce((sum, { seats }) => sum + seats, 0);
}

const nothing = { invoicedCents: 0, creditedCents: 0, paidCents: 0, refundedCents: 0 };
