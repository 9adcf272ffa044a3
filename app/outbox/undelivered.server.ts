import type { Trx } from '#app/db/client.server.ts';
import { secretErased } from './secret-mail.server.ts';

/**
 * Marks a mail as failed that a mail server took and could not deliver after all, as its delivery report says. Staff
 * then see it among the failed, with `reason`, and can send it again. A report may come before the answer that the mail
 * was taken, so a queued mail fails as well. False when no such mail is known; what failed before stays as it is.
 */
export async function reportUndelivered(
  trx: Trx,
  { messageIds, reason }: { messageIds: readonly string[]; reason: string },
  at: Date,
): Promise<boolean> {
  const ids = messageIds.flatMap((name) => /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(name)?.[1] ?? []);
  if (ids.length === 0) return false;
  const mail = await trx
    .selectFrom('mails')
    .select(['id', 'state'])
    .where('id', 'in', ids)
    .where('message_id', 'in', messageIds)
    .forUpdate()
    .executeTakeFirst();
  if (!mail) return false;
  await trx
    .updateTable('mails')
    .set({ state: 'failed', reason: `It came back: ${reason}`, settled_at: at, came_back_at: at, ...secretErased })
    .where('id', '=', mail.id)
    .where('state', 'in', ['sent', 'queued'])
    .execute();
  return true;
}
