import type { Db } from '#app/db/client.server.ts';
import { queueDelivery } from './queue-mail.server.ts';

/** A mail that could not be delivered, for staff. */
export type FailedMail = {
  id: string;
  kind: string;
  to: string;
  subject: string;
  queuedAt: Date;
  failedAt: Date | null;
  attempts: number;
  /** The last answer of the mail server, in its words. */
  reason: string;
  /** Why it cannot be sent again: it is of no use any more, or held a secret that was erased. */
  ended: 'stale' | 'erased' | null;
};

/** The mails that failed for good, the latest failure first, at most `limit`. `now` is the true time. */
export async function listFailedMail(db: Db, now: Date, limit = 200): Promise<FailedMail[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'queued_at', 'settled_at', 'reason', 'stale_after', 'secret'])
    .select((row) =>
      row
        .selectFrom('mail_attempts')
        .select(({ fn }) => fn.max('number').as('count'))
        .whereRef('mail_id', '=', 'mails.id')
        .as('attempts'),
    )
    .where('state', '=', 'failed')
    .orderBy('settled_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    queuedAt: row.queued_at,
    failedAt: row.settled_at,
    attempts: row.attempts ?? 0,
    reason: row.reason ?? '',
    ended: row.stale_after !== null && row.stale_after < now ? 'stale' : row.secret ? 'erased' : null,
  }));
}

export type ResendResult = { ok: true } | { ok: false; reason: 'unknown' | 'not-failed' | 'stale' | 'erased' };

/** Queues a failed mail again, with its Message-ID and another day of attempts, in the caller's transaction. */
export async function resendMail(trx: Db, id: string, now: Date): Promise<ResendResult> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return { ok: false, reason: 'unknown' };
  const mail = await trx
    .selectFrom('mails')
    .select(['state', 'stale_after', 'secret'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!mail) return { ok: false, reason: 'unknown' };
  if (mail.state !== 'failed') return { ok: false, reason: 'not-failed' };
  if (mail.stale_after && mail.stale_after < now) return { ok: false, reason: 'stale' };
  if (mail.secret) return { ok: false, reason: 'erased' };
  await trx
    .updateTable('mails')
    .set({ state: 'queued', reason: null, settled_at: null, tries_from: now })
    .where('id', '=', id)
    .execute();
  await queueDelivery(trx, id);
  return { ok: true };
}
