import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { hourMs } from '#app/lib/durations.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { addressHash } from './address-hash.server.ts';

/** The longest time over which anything is counted, and for which it is kept; /privacy says the same. */
export const longestHours = 24;

/** How often something may happen in the last `hours` hours; at most 24. */
export type MailLimit = { most: number; hours: number };

/** The key under which mail of a kind to a mailbox is counted, the same for every spelling of its address. */
export const mailboxKey = async (db: Db, kind: string, address: string): Promise<string> =>
  `${kind}:${await addressHash(db, mailboxOf(address))}`;

/**
 * Whether there is room for `more` under a key (P24). Others who ask for the same key wait until the transaction ends,
 * so what is counted then was asked for. Course dates and enrolments are locked before it; several keys of one kind are
 * asked for in one call.
 */
export async function hasRoom(
  trx: Db,
  wanted: ReadonlyMap<string, { limits: readonly MailLimit[]; more?: number }>,
  at: Date,
): Promise<boolean> {
  for (const key of [...wanted.keys()].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`mail count ${key}`}, 0))`.execute(trx);
  }
  const rows = await trx
    .selectFrom('mail_counts')
    .select(['key', 'at'])
    .where('key', 'in', ['', ...wanted.keys()])
    .where('at', '>', new Date(at.getTime() - longestHours * hourMs))
    .execute();
  return [...wanted].every(([key, { limits, more = 1 }]) =>
    limits.every(({ most, hours }) => {
      const since = at.getTime() - hours * hourMs;
      return rows.filter((row) => row.key === key && row.at.getTime() > since).length + more <= most;
    }),
  );
}

/** Counts one under a key. */
export async function countMail(trx: Db, key: string, at: Date): Promise<void> {
  await trx.insertInto('mail_counts').values({ key, at }).execute();
}

/** Counts one under a key when there is room, and tells whether there was. */
export async function countWithin(trx: Db, key: string, limits: readonly MailLimit[], at: Date): Promise<boolean> {
  const room = await hasRoom(trx, new Map([[key, { limits }]]), at);
  if (room) await countMail(trx, key, at);
  return room;
}

/**
 * Deletes counts that are too old to matter, and those of a clock that was ahead: nothing is counted more than an hour
 * before it happens. Returns how many.
 */
export async function forgetCounts(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_counts')
    .where((row) =>
      row.or([
        row('at', '<=', new Date(now.getTime() - longestHours * hourMs)),
        row('at', '>', new Date(now.getTime() + hourMs)),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** How many emails wait and how many failed. Only waiting mails have no settled_at: both counts come from an index. */
export async function countMailsByState(db: Db): Promise<Record<string, number>> {
  const { queued, failed } = await db
    .selectNoFrom((row) => [
      row
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('settled_at', 'is', null)
        .where('state', '=', 'queued')
        .as('queued'),
      row
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'failed')
        .as('failed'),
    ])
    .executeTakeFirstOrThrow();
  return { queued: queued ?? 0, failed: failed ?? 0 };
}
