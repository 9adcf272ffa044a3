import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { addressHash } from './address-hash.server.ts';

/** How long an address that was sent an acknowledgement is kept, as a keyed hash; /privacy says the same. */
export const betweenMs = 60 * 60 * 1000;

/** The key under which the acknowledgements of an address are counted. */
export function acknowledgementKey(db: Db, address: string): Promise<string> {
  return addressHash(db, mailboxOf(address));
}

/**
 * Whether an address that somebody typed may be sent an acknowledgement now: once an hour, whatever forms and
 * processes are used (P24). True claims the hour in the caller's transaction, which must then queue the mail.
 */
export async function claimAcknowledgement(trx: Db, address: string, now: Date): Promise<boolean> {
  const recipient = await acknowledgementKey(trx, address);
  const claimed = await trx
    .insertInto('mail_acknowledgements')
    .values({ recipient, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('recipient')
        .doUpdateSet({ last_at: now })
        .where((row) =>
          row.or([
            row('mail_acknowledgements.last_at', '<=', new Date(now.getTime() - betweenMs)),
            // No address is given so much: the clock of this computer was wrong before.
            row('mail_acknowledgements.last_at', '>', new Date(now.getTime() + betweenMs)),
          ]),
        ),
    )
    .returning('recipient')
    .executeTakeFirst();
  return claimed !== undefined;
}

/**
 * Takes the next hour in which an address may be sent an acknowledgement, for mail that must arrive even if it is late.
 * Returns how many seconds to wait before sending it: 0 when nothing was sent within the hour, 3600 at most. The clock of
 * an address never stands more than an hour ahead, so a later time comes from a wrong clock, and is set back.
 */
export async function reserveAcknowledgement(trx: Db, address: string, now: Date): Promise<number> {
  const recipient = await acknowledgementKey(trx, address);
  const furthest = new Date(now.getTime() + betweenMs);
  const { last_at } = await trx
    .insertInto('mail_acknowledgements')
    .values({ recipient, last_at: now })
    .onConflict((conflict) =>
      conflict.column('recipient').doUpdateSet({
        last_at: sql<Date>`least(${furthest}, greatest(excluded.last_at, mail_acknowledgements.last_at + interval '1 hour'))`,
      }),
    )
    .returning('last_at')
    .executeTakeFirstOrThrow();
  return Math.ceil((last_at.getTime() - now.getTime()) / 1000);
}

/** When the hour of an address that was refused one is over; an hour from `now`, when nothing is known. */
export async function nextAcknowledgement(trx: Db, address: string, now: Date): Promise<Date> {
  const row = await trx
    .selectFrom('mail_acknowledgements')
    .select('last_at')
    .where('recipient', '=', await acknowledgementKey(trx, address))
    .executeTakeFirst();
  return new Date((row?.last_at ?? now).getTime() + betweenMs);
}

/** Forgets the addresses whose hour is over. Returns how many. */
export async function forgetAcknowledgements(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_acknowledgements')
    .where('last_at', '<=', new Date(now.getTime() - betweenMs))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
