import type { Db } from '#app/db/client.server.ts';
import { secretErased } from './secret-mail.server.ts';

/**
 * Takes back, in the caller's transaction, the mail queued under a dedupe key, if it was not delivered: what it says is
 * no longer true. Whether there was one. An attempt that is under way may still deliver it.
 */
export async function withdrawMail(trx: Db, dedupeKey: string, at: Date, reason: string): Promise<boolean> {
  const rows = await withdrawing(trx, at, reason).where('dedupe_key', '=', dedupeKey).returning('id').execute();
  return rows.length > 0;
}

/** The same as `withdrawMail`, for mails by their ids; returns the ids of the undelivered ones. */
export async function withdrawMails(trx: Db, ids: readonly string[], at: Date, reason: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await withdrawing(trx, at, reason).where('id', 'in', ids).returning('id').execute();
  return rows.map(({ id }) => id);
}

/**
 * Withdraws what staff wrote about a course date, by its id, and waits: it is not as they wrote any more (P80). What did
 * not arrive is not sent again.
 */
export async function withdrawDateMails(trx: Db, courseDate: number, at: Date, reason: string): Promise<void> {
  const mails = trx.updateTable('mails').where('course_date_id', '=', courseDate);
  await mails.set({ stale_after: at }).execute();
  await mails.set({ state: 'dropped', reason, settled_at: at }).where('state', '=', 'queued').execute();
}

const withdrawing = (trx: Db, at: Date, reason: string) =>
  trx
    .updateTable('mails')
    .set({ state: 'dropped', reason, settled_at: at, ...secretErased })
    // Staff could send a failed one again.
    .where('state', 'in', ['queued', 'failed']);

/** Sets until when an email that waits is worth sending. */
export async function setStaleAfter(trx: Db, mailId: string, at: Date): Promise<void> {
  await trx.updateTable('mails').set({ stale_after: at }).where('id', '=', mailId).execute();
}

/** Lets the emails about a person be about the record that takes its place. */
export async function moveMailsOfPerson(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ about_id: to })
    .where('about_kind', '=', 'person')
    .where('about_id', '=', from)
    .execute();
}
