import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { askSoon } from './mail-server.server.ts';
import { queues, releaseTried } from './queue.server.ts';

/** A mail that waits to be handed over. */
export type WaitingMail = {
  id: string;
  kind: string;
  to: string;
  subject: string;
  queuedAt: Date;
  attempts: number;
  /** The server's answer to the last attempt, or its error; null before the first attempt. */
  answer: string | null;
  /** The instant of its next attempt; null when it is due or under way. */
  nextAt: Date | null;
  /** Put off on purpose: it has not been tried yet. */
  planned: boolean;
};

/** The mails that wait, the longest first. */
export async function listWaitingMail(db: Db, limit: number): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    select mails.id, kind, recipient as "to", subject, queued_at as "queuedAt", coalesce(last.number, 0) as attempts,
      last.answer, case when job.start_after > now() then job.start_after end as "nextAt",
      coalesce(job.state = 'created' and job.start_after > now(), false) as planned
    from mails
    left join (select data->>'mailId' as mail_id, start_after, state from pgboss.job
      where name = ${queues.mail} and state <= 'active') job on job.mail_id = mails.id::text
    left join lateral (select number, answer from mail_attempts where mail_id = mails.id
      order by number desc limit 1) last on true
    where settled_at is null and mails.state = 'queued'
    order by tries_from, mails.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Makes one mail, or all that wait for another attempt, due at once, in the caller's transaction, and has a mail server
 * that is away asked at once. What was put off on purpose keeps its time. Returns how many became due.
 */
export async function sendWaitingNow(trx: Db, mailId: string | null): Promise<number> {
  await askSoon(trx);
  return releaseTried(trx, mailId);
}
