import type { Db } from '#app/db/client.server.ts';
import { hourMs } from '#app/lib/durations.ts';
import { countMail, countWithin, hasRoom, mailboxKey } from './mail-counts.server.ts';

const onceAnHour = [{ most: 1, hours: 1 }];
const keyOf = (db: Db, address: string) => mailboxKey(db, 'acknowledgement', address);

/**
 * Whether an address that somebody typed may be sent an acknowledgement now: once an hour, whatever forms and
 * processes are used (P24). True claims the hour in the caller's transaction, which must then queue the mail.
 */
export async function claimAcknowledgement(trx: Db, address: string, now: Date): Promise<boolean> {
  return countWithin(trx, await keyOf(trx, address), onceAnHour, now);
}

/**
 * Takes the next hour in which an address may be sent an acknowledgement, for mail that must arrive even if it is late.
 * Returns how many seconds to wait before sending it: 0 when nothing was sent within the hour, 3600 at most.
 */
export async function reserveAcknowledgement(trx: Db, address: string, now: Date): Promise<number> {
  const key = await keyOf(trx, address);
  const isFree = await hasRoom(trx, new Map([[key, { limits: onceAnHour }]]), now);
  const next = isFree ? now.getTime() : (await nextAcknowledgement(trx, address, now)).getTime();
  const at = new Date(Math.min(next, now.getTime() + hourMs));
  await countMail(trx, key, at);
  return Math.ceil((at.getTime() - now.getTime()) / 1000);
}

/** The end of the hour of an address that was refused an email; an hour from `now`, when nothing is known. */
export async function nextAcknowledgement(trx: Db, address: string, now: Date): Promise<Date> {
  const last = await trx
    .selectFrom('mail_counts')
    .select('at')
    .where('key', '=', await keyOf(trx, address))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return new Date((last?.at ?? now).getTime() + hourMs);
}
