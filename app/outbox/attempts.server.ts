import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { fittingText } from '#app/db/fitting-text.ts';
import { isHeld } from './held-mail.server.ts';
import { isStillWanted } from './marketing.server.ts';
import type { Filled, PrivateLinks } from './private-links.server.ts';
import { secretErased } from './secret-mail.server.ts';
import type { Answer } from './transport.server.ts';

/** A mail whose next attempt has been recorded, ready to be sent. */
export type MailToSend = NonNullable<Extract<Awaited<ReturnType<typeof beginAttempt>>, { go: true }>['mail']>;

/** How long a mail is retried (RFC 5321, 4.5.4.1: four to five days at least). */
const triesLastDays = 5;

/** From this attempt on, of attempts in a row with the same end only the last is kept; their numbers go on. */
const firstThinned = 11;

/** A mail that is handed over so long after it was queued says when it was written. */
const lateHours = 6;

/** Why a mail was dropped, for staff. */
const unsubscribed = 'The recipient gets no more news';
const leadsNowhere = 'What it is about was deleted, is over, or now belongs to another address';

/**
 * Records that an attempt begins, and returns what to send, with its private links. Otherwise says why not: it was
 * settled before, waits for an owner (P92), is no longer of use or leads nowhere (it is then dropped, P49), or is being changed just now. However
 * long it has waited, as during an outage, it is tried once more.
 */
export async function beginAttempt(
  db: Db,
  { mailId, domain, links }: { mailId: string; domain: string; links: PrivateLinks },
  now: Date,
) {
  return db.transaction().execute(async (trx) => {
    const found = await trx.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirst();
    if (found?.state !== 'queued') return { go: false, why: 'settled' } as const;
    if (await isHeld(trx, found)) return { go: false, why: 'held' } as const;
    const drop = async (why: 'stale' | 'leads-nowhere', reason: string) => {
      await setMailState(trx, mailId, 'dropped', now, reason);
      return { go: false, why, kind: found.kind } as const;
    };
    if (found.stale_after && found.stale_after < now) {
      return drop('stale', `Of no use after ${found.stale_after.toISOString()}`);
    }
    if (!(await isStillWanted(trx, found))) return drop('leads-nowhere', unsubscribed);
    const filled = await links.make(trx, found);
    if (!filled) return drop('leads-nowhere', leadsNowhere);
    // The targets of the links are locked by now. A command that changes one may hold the mail, and this does not wait
    // for it.
    const free = await trx
      .selectFrom('mails')
      .select('id')
      .where('id', '=', mailId)
      .where('state', '=', 'queued')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!free) {
      await links.end(trx, filled);
      return { go: false, why: 'busy' } as const;
    }
    const mail = await trx
      .updateTable('mails')
      .set({ message_id: found.message_id ?? `<${mailId}@${domain}>` })
      .where('id', '=', mailId)
      .returningAll()
      // By PostgreSQL's clock, which wrote the other times.
      .returning([
        sql<boolean>`queued_at < now() - make_interval(hours => ${lateHours})`.as('late'),
        sql<boolean>`tries_from < now() - make_interval(days => ${triesLastDays})`.as('isLastTry'),
      ])
      .executeTakeFirstOrThrow();
    const { number } = await trx
      .insertInto('mail_attempts')
      .values((row) => ({
        mail_id: mailId,
        started_at: now,
        number: row
          .selectFrom('mail_attempts')
          .select(sql<number>`coalesce(max(number), 0) + 1`.as('next'))
          .where('mail_id', '=', mailId),
      }))
      .returning('number')
      .executeTakeFirstOrThrow();
    return { go: true, mail, filled, number } as const;
  });
}

/** An attempt at a mail and how it ended; `keepsSecrets` as in `MailTransport`. */
type Ended = {
  mailId: string;
  number: number;
  answer: Answer;
  keepsSecrets: boolean;
  links: PrivateLinks;
  /** The message of this attempt. */
  filled: Filled;
};

/** Records how an attempt ended. A delivered mail is then settled; the links of one not handed over are ended. */
export async function endAttempt(
  db: Db,
  { mailId, number, answer, keepsSecrets, links, filled }: Ended,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The mail before its attempts, as erasing locks them.
    await trx.selectFrom('mails').select('id').where('id', '=', mailId).forUpdate().execute();
    await trx
      .updateTable('mail_attempts')
      .set({ ended_at: now, outcome: answer.outcome, answer: fittingText(answer.text, 1000) })
      .where('mail_id', '=', mailId)
      .where('number', '=', number)
      .execute();
    if (answer.outcome === 'deferred' || answer.outcome === 'refused') await links.end(trx, filled);
    if (number > firstThinned) {
      await trx
        .deleteFrom('mail_attempts')
        .where('mail_id', '=', mailId)
        .where('number', '=', number - 1)
        .where('outcome', '=', answer.outcome)
        .execute();
    }
    if (answer.outcome === 'delivered') await setMailState(trx, mailId, 'sent', now, null, keepsSecrets);
    // With the record, so that a kill in between is not followed by a further attempt.
    if (answer.outcome === 'refused')
      await setMailState(trx, mailId, 'failed', now, fittingText(answer.text, 1000), true);
  });
}

/** Marks a mail as failed for good, with the answer to its last attempt, unless it was settled otherwise. */
export async function markFailed(db: Db, mailId: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const mail = await trx.selectFrom('mails').select('state').where('id', '=', mailId).forUpdate().executeTakeFirst();
    if (mail?.state !== 'queued') return false;
    const last = await trx
      .selectFrom('mail_attempts')
      .select('answer')
      .where('mail_id', '=', mailId)
      .orderBy('number', 'desc')
      .executeTakeFirst();
    // A code or link to sign in may be sent again until it is stale, and its words are erased then.
    await setMailState(trx, mailId, 'failed', now, last?.answer ?? 'It was never answered', true);
    return true;
  });
}

async function setMailState(
  trx: Db,
  mailId: string,
  state: 'sent' | 'failed' | 'dropped',
  at: Date,
  reason: string | null,
  keepsSecrets = false,
) {
  await trx
    .updateTable('mails')
    .set({ state, reason, settled_at: at })
    .$if(!keepsSecrets, (query) => query.set(secretErased))
    .where('id', '=', mailId)
    // A mail that was taken back during an attempt that delivered it counts as sent, unless it bounced already.
    .where((mail) => (state === 'sent' ? mail('came_back_at', 'is', null) : mail('state', '=', 'queued')))
    .execute();
}
