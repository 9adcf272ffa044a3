import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { fittingText } from '#app/db/fitting-text.ts';
import { minuteMs } from '#app/lib/durations.ts';
import { releaseTriedSince } from './queue.server.ts';

/**
 * The state of the mail server that all programs on one database share. It is away when it does not take a connection,
 * a greeting or the sign-in, or answers about no mail of several. A recipient whose own server hangs or puts off says
 * nothing about it.
 */

const secondMs = 1000;

/** How long an answer is taken as knowledge before the server is asked again without a mail. */
const knownForMs = 5 * minuteMs;
/** While it is away it is asked again after a second at first, after half a minute at most. */
const longestPauseMs = 30 * secondMs;
/** How much earlier than the outage was noticed an attempt can have begun that met it. */
const attemptMs = minuteMs;

/** Since when the server has not answered; `silent` when it takes connections, but answers about no mail. */
export type Outage = { since: Date; silent: boolean };

/** Whether the mail server is away, and when it is to be asked again. */
export async function readMailServer(db: Db): Promise<{ outage: Outage | null; checkAfter: Date }> {
  const row = await db
    .selectFrom('mail_server')
    .select(['away_since', 'silent', 'check_after'])
    .executeTakeFirstOrThrow();
  return { outage: row.away_since && { since: row.away_since, silent: row.silent }, checkAfter: row.check_after };
}

/** Records that the mail server did not answer. Returns whether this is news. `since` and `now` are true times. */
export async function noteSilence(
  db: Db,
  { since, silent, answer, now }: { since: Date; silent: boolean; answer: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail_server')
    .set({
      away_since: since,
      silent,
      answer: fittingText(answer, 500),
      check_after: new Date(now.getTime() + secondMs),
    })
    .where('away_since', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Notes another question without an answer, for which the next is put off. */
export async function noteStillAway(db: Db, { since }: Outage, answer: string, now: Date): Promise<void> {
  const pauseMs = Math.min(longestPauseMs, Math.max(secondMs, (now.getTime() - since.getTime()) / 4));
  await db
    .updateTable('mail_server')
    .set({ answer: fittingText(answer, 500), check_after: new Date(now.getTime() + pauseMs) })
    .where('away_since', 'is not', null)
    .execute();
}

/**
 * Records that the mail server answers. After an outage all mail tried during it is due at once; returns the number of
 * mails, null when there was no outage.
 */
export async function noteAnswer(db: Db, now: Date): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('mail_server').select('away_since').forUpdate().executeTakeFirstOrThrow();
    await trx
      .updateTable('mail_server')
      .set({
        away_since: null,
        silent: false,
        answer: null,
        answered_at: now,
        check_after: new Date(now.getTime() + knownForMs),
      })
      .execute();
    if (!before.away_since) return null;
    return releaseTriedSince(trx, new Date(before.away_since.getTime() - attemptMs));
  });
}

/** Claims the next question to the mail server when it is due, so that only one program asks it. */
export async function claimCheck(db: Db, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail_server')
    .set({ check_after: new Date(now.getTime() + minuteMs) })
    .where('check_after', '<=', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Lets the mail server be asked at the next turn. */
export async function askSoon(trx: Db): Promise<void> {
  await trx.updateTable('mail_server').set({ check_after: sql<Date>`to_timestamp(0)` }).execute();
}
