import type { Db } from '#app/db/client.server.ts';
import { secretErased } from './secret-mail.server.ts';

/**
 * Takes back, in the caller's transaction, the mail queued under a dedupe key, if it was not delivered: what it says is
 * no longer true. An attempt that is under way may still deliver it.
 */
export async function withdrawMail(trx: Db, dedupeKey: string, at: Date, reason: string): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ state: 'dropped', reason, settled_at: at, ...secretErased })
    .where('dedupe_key', '=', dedupeKey)
    // One that failed could be sent again by staff.
    .where('state', 'in', ['queued', 'failed'])
    .execute();
}
