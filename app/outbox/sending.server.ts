import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Sending } from '#app/ui/sent-mail.tsx';

/** How far the latest mail of a kind to an address is: before it is handed over, no page says that it was sent. */
export async function sendingOf(db: Db, { kind, to }: { kind: string; to: string }): Promise<Sending> {
  const latest = await db
    .selectFrom('mails')
    .select('state')
    .where(sql`lower(recipient)`, '=', to.toLowerCase())
    .where('kind', '=', kind)
    .orderBy('queued_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest?.state === 'sent') return 'sent';
  return latest?.state === 'failed' || latest?.state === 'dropped' ? 'refused' : 'waits';
}
