import { type SqlBool, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { isStillWanted } from './marketing.server.ts';
import type { PrivateLinks } from './private-links.server.ts';
import { queueDelivery } from './queue-mail.server.ts';
import type { Answer } from './transport.server.ts';

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
  /** How its last attempt ended; null when it was cut off, or there was none. */
  outcome: Answer['outcome'] | null;
  /** Why it cannot be sent again: it is of no use any more, or its words were erased with a link in them. */
  ended: 'stale' | 'erased' | null;
};

/** Mails that failed from an instant on, and up to another one. */
export type FailedWhen = { since: Date | null; upTo?: Date };

/** From when on "failed since a day" counts: its beginning in Brisbane. */
export const failedSince = (day: Day): Date => instantOf(day, '00:00', academyZone);

const failedIn = (db: Db, { since, upTo }: FailedWhen) =>
  db
    .selectFrom('mails')
    .where('state', '=', 'failed')
    .$if(since !== null, (query) => query.where('settled_at', '>=', since))
    .$if(upTo !== undefined, (query) => query.where('settled_at', '<=', upTo ?? null));

/** The mails that failed for good, the latest failure first, at most `limit`. */
export async function listFailedMail(
  db: Db,
  now: Date,
  { since = null, limit = 200 }: { since?: Date | null; limit?: number } = {},
): Promise<FailedMail[]> {
  const rows = await failedIn(db, { since })
    .select(['id', 'kind', 'recipient', 'subject', 'queued_at', 'settled_at', 'reason', 'stale_after'])
    .select(wordsErased.as('erased'))
    .select((row) => [
      row
        .selectFrom('mail_attempts')
        .select(({ fn }) => fn.max('number').as('count'))
        .whereRef('mail_id', '=', 'mails.id')
        .as('attempts'),
      row
        .selectFrom('mail_attempts')
        .select('outcome')
        .whereRef('mail_id', '=', 'mails.id')
        .orderBy('number', 'desc')
        .limit(1)
        .as('outcome'),
    ])
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
    outcome: row.outcome,
    ended: row.stale_after !== null && row.stale_after < now ? 'stale' : row.erased ? 'erased' : null,
  }));
}

/** Failed mail that can be sent again, and how much cannot, by the reason. */
export async function countFailedMail(
  db: Db,
  when: FailedWhen,
  now: Date,
): Promise<{ again: number; stale: number; erased: number }> {
  const stale = sql<SqlBool>`coalesce(stale_after < ${now}, false)`;
  return failedIn(db, when)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(sql<SqlBool>`not ${stale} and not ${wordsErased}`).as('again'),
      fn.countAll<number>().filterWhere(stale).as('stale'),
      fn.countAll<number>().filterWhere(sql<SqlBool>`not ${stale} and ${wordsErased}`).as('erased'),
    ])
    .executeTakeFirstOrThrow();
}

/** Mail from before private links were made at sending, and codes and links to sign in. */
const wordsErased = sql<boolean>`(secret and body_text = '')`;

type NotResent = 'unknown' | 'withdrawn' | 'not-failed' | 'stale' | 'erased' | 'leads-nowhere';
export type ResendResult = { ok: true } | { ok: false; reason: NotResent };

/**
 * Queues a failed mail again, with its Message-ID and a new time of attempts, in the caller's transaction. Its private
 * links must still lead to something of the recipient's.
 */
export async function resendMail(
  trx: Db,
  id: string,
  now: Date,
  links: Pick<PrivateLinks, 'lead'>,
): Promise<ResendResult> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return { ok: false, reason: 'unknown' };
  const mail = await trx
    .selectFrom('mails')
    .select(['state', 'stale_after', 'recipient', 'links', 'headers', wordsErased.as('erased')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!mail) return { ok: false, reason: 'unknown' };
  if (mail.state === 'dropped') return { ok: false, reason: 'withdrawn' };
  if (mail.state !== 'failed') return { ok: false, reason: 'not-failed' };
  if (mail.stale_after && mail.stale_after < now) return { ok: false, reason: 'stale' };
  if (mail.erased) return { ok: false, reason: 'erased' };
  if (!(await isStillWanted(trx, mail)) || !(await links.lead(trx, mail)))
    return { ok: false, reason: 'leads-nowhere' };
  await trx
    .updateTable('mails')
    .set({ state: 'queued', reason: null, settled_at: null, came_back_at: null, tries_from: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await queueDelivery(trx, id);
  return { ok: true };
}

const batchSize = 100;
/** How many mails one press of the button queues: staff wait for it. */
export const mostResent = 500;

/** `again`: how many are left that another press queues. */
export type Resent = { queued: number; stale: number; erased: number; leadsNowhere: number; again: number };

/**
 * Queues all mail again that failed within a span of time, at most 500 mails, a hundred a transaction. The oldest goes
 * first, so that the latest news arrives last. Asking again queues no mail twice. Each transaction calls `record` with
 * the number it queued, and `stored` is called with it once that is stored.
 */
export async function resendAll(
  db: Db,
  when: FailedWhen,
  {
    now,
    links,
    record,
    stored = () => undefined,
  }: {
    now: Date;
    links: Pick<PrivateLinks, 'lead'>;
    record: (trx: Db, queued: number) => Promise<void>;
    stored?: (queued: number) => void;
  },
): Promise<Resent> {
  const tried = new Set<string>();
  let [queued, leadsNowhere] = [0, 0];
  for (let more = true; more && queued < mostResent; ) {
    const here = await db.transaction().execute(async (trx) => {
      const mails = await failedIn(trx, when)
        .select('id')
        .where(sql<SqlBool>`not ${wordsErased}`)
        .where((row) => row.or([row('stale_after', 'is', null), row('stale_after', '>=', now)]))
        .$if(tried.size > 0, (query) => query.where(sql<SqlBool>`id <> all(${[...tried]}::uuid[])`))
        .orderBy('queued_at')
        .orderBy('id')
        .limit(Math.min(batchSize, mostResent - queued))
        .forUpdate()
        .skipLocked()
        .execute();
      let taken = 0;
      for (const { id } of mails) {
        const result = await resendMail(trx, id, now, links);
        if (result.ok) taken += 1;
        else tried.add(id);
      }
      if (taken > 0) await record(trx, taken);
      leadsNowhere = tried.size;
      more = mails.length > 0;
      return taken;
    });
    queued += here;
    stored(here);
  }
  const { again, stale, erased } = await countFailedMail(db, when, now);
  return { queued, stale, erased, leadsNowhere, again: Math.max(0, again - leadsNowhere) };
}
