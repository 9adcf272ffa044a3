import type { Db } from '#app/db/client.server.ts';
import { addressHash } from './address-hash.server.ts';

const betweenMs = 60 * 60 * 1000;

/**
 * Whether an address that somebody typed may be sent an acknowledgement now: once an hour, whatever forms and
 * processes are used (P24). True claims the hour in the caller's transaction, which must then queue the mail. What is
 * behind a plus sign does not make another recipient. `now` is the true time.
 */
export async function claimAcknowledgement(trx: Db, address: string, now: Date): Promise<boolean> {
  const recipient = await addressHash(trx, address.replace(/\+[^@]*@/, '@'));
  const claimed = await trx
    .insertInto('mail_acknowledgements')
    .values({ recipient, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('recipient')
        .doUpdateSet({ last_at: now })
        .where('mail_acknowledgements.last_at', '<=', new Date(now.getTime() - betweenMs)),
    )
    .returning('recipient')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Forgets the addresses whose hour is over. Returns how many. */
export async function forgetAcknowledgements(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_acknowledgements')
    .where('last_at', '<=', new Date(now.getTime() - betweenMs))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
