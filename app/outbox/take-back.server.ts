import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { About } from './mail.ts';

/** The mails of one act that can still be taken back, by the id of one of them; `leftMs` is how long. */
type CanTakeBack = { mailId: string; subject: string; to: string[]; leftMs: number };

/**
 * The mails that staff sent by hand about a subject and can still take back (P101), by PostgreSQL's clock; latest first.
 */
export async function canBeTakenBack(db: Db, about: About): Promise<CanTakeBack[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'queued_at'])
    .select(sql<number>`(1000 * extract(epoch from tries_from - now()))::integer`.as('left_ms'))
    .where('about_kind', '=', about.kind)
    .where('about_id', '=', about.id)
    .where('can_take_back', '=', true)
    .where('state', '=', 'queued')
    .where('tries_from', '>', sql<Date>`now()`)
    .orderBy('queued_at', 'desc')
    .orderBy('id')
    .execute();
  // Mails queued in one transaction have one time.
  const acts = Map.groupBy(rows, ({ queued_at }) => queued_at.getTime());
  return [...acts.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            mailId: first.id,
            subject: first.subject,
            to: [first, ...others].map(({ recipient }) => recipient),
            leftMs: first.left_ms,
          },
        ]
      : [],
  );
}

/**
 * Takes back an email that staff sent by hand, with the others of the same act, in the caller's transaction: all of
 * them, or none. Returns them; null once an attempt to send one began, and for what cannot be taken back.
 */
export async function takeBackMail(
  trx: Trx,
  { mailId, about, by, at }: { mailId: string; about: About; by: string; at: Date },
): Promise<{ id: string; subject: string; dedupeKey: string | null }[] | null> {
  const mails = await trx
    .selectFrom('mails')
    .select(['id', 'subject', 'state', 'dedupe_key'])
    .where('about_kind', '=', about.kind)
    .where('about_id', '=', about.id)
    .where('can_take_back', '=', true)
    .where('queued_at', '=', (same) => same.selectFrom('mails').select('queued_at').where('id', '=', mailId))
    .orderBy('id')
    // An attempt locks its mail before it begins, and passes over what is locked.
    .forUpdate()
    .execute();
  if (!mails.some(({ id }) => id === mailId) || !(await dropUntried(trx, mails, { by, at }))) return null;
  return mails.map(({ id, subject, dedupe_key }) => ({ id, subject, dedupeKey: dedupe_key }));
}

/**
 * Takes back the remaining emails of a bulk action (P101), in the caller's transaction: all of them, or none. Returns
 * their ids; null once an attempt to send one began.
 */
export async function takeBackBulkMails(
  trx: Trx,
  number: number,
  { by, at }: { by: string; at: Date },
): Promise<string[] | null> {
  const mails = await trx
    .selectFrom('mails')
    .select(['id', 'state'])
    .where('bulk_action', '=', number)
    .where('state', '<>', 'dropped')
    .orderBy('id')
    .forUpdate()
    .execute();
  return (await dropUntried(trx, mails, { by, at })) ? mails.map(({ id }) => id) : null;
}

/** Drops locked mails; false when an attempt to send one of them began. */
async function dropUntried(
  trx: Trx,
  mails: readonly { id: string; state: string }[],
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  if (mails.length === 0) return true;
  const ids = mails.map(({ id }) => id);
  if (mails.some(({ state }) => state !== 'queued')) return false;
  const begun = trx.selectFrom('mail_attempts').select('mail_id').where('mail_id', 'in', ids);
  if (await begun.executeTakeFirst()) return false;
  await trx
    .updateTable('mails')
    .set({ state: 'dropped', reason: `Taken back by ${by}`, settled_at: at })
    .where('id', 'in', ids)
    .execute();
  return true;
}
