import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';

/**
 * Withdraws what staff wrote to the people of a session and what did not arrive, because the session is not as they wrote
 * (P80). What was sent is of no use any more: if it comes back, nobody sends it again.
 */
export async function withdrawMessages(
  trx: Trx,
  { sessionId, at, reason }: { sessionId: number; at: Date; reason: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update mails set stale_after = least(stale_after, ${at})
    from bulk_run_items item join bulk_runs run on run.id = run_id
    where mail_id = mails.id and coalesce(item.training_session_id, run.training_session_id) = ${sessionId}
      and mails.state <> 'dropped'
    returning mails.id`.execute(trx);
  await withdrawMails(
    trx,
    rows.map(({ id }) => id),
    at,
    reason,
  );
}
