import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { isAwaited } from './urgency.ts';
import { sendWaitingNow } from './waiting-mail.server.ts';

/**
 * Mail that waits after a restore, because the backup has some that went out since. Codes and links that people ask for
 * from then on are handed over: without them nobody could log in to send the rest.
 */

/** Holds all mail until `releaseMail`. */
export async function holdMail(db: Db): Promise<void> {
  await db.updateTable('mail_server').set({ held_since: sql`now()` }).where('held_since', 'is', null).execute();
}

/** Since when mail is held; null while it goes out. */
export async function mailHeldSince(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('mail_server').select('held_since').executeTakeFirstOrThrow();
  return row.held_since;
}

/** Whether a mail waits for an owner. */
export async function isHeld(
  db: Db,
  { kind, queued_at: queuedAt }: { kind: string; queued_at: Date },
): Promise<boolean> {
  const since = await mailHeldSince(db);
  return since !== null && !(isAwaited(kind) && queuedAt > since);
}

/** Lets mail go out again, at once. */
export async function releaseMail(trx: Db): Promise<void> {
  await trx.updateTable('mail_server').set({ held_since: null }).execute();
  await sendWaitingNow(trx, null);
}
