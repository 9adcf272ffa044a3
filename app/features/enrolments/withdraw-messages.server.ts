import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';

/**
 * Withdraws what staff wrote to the people of a session and what waits, because the session is not as they wrote (P80).
 * What was sent or did not arrive is of no use any more: nobody sends it again. An email that is for another date as well,
 * to somebody with a place in both, goes out for that one.
 */
export async function withdrawMessages(
  trx: Trx,
  { sessionId, at, reason }: { sessionId: number; at: Date; reason: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; state: string }>`
    update mails set stale_after = least(stale_after, ${at})
    from bulk_run_items item join bulk_runs run on run.id = run_id
    where mail_id = mails.id and coalesce(item.training_session_id, run.training_session_id) = ${sessionId}
      and mails.state <> 'dropped'
      and not exists (select from bulk_run_items other
        left join attendees on about_kind = 'attendee' and attendees.id = about_id
        left join enrolments on about_kind = 'enrolment' and enrolments.id = about_id
        where other.run_id = run.id and other.why = 'same-address'
          and other.training_session_id is distinct from item.training_session_id
          and lower(coalesce(attendees.email, enrolments.email)) = lower(mails.recipient))
    returning mails.id, mails.state`.execute(trx);
  const waiting = rows.filter(({ state }) => state === 'queued').map(({ id }) => id);
  await withdrawMails(trx, waiting, at, reason);
}
