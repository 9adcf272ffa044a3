import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import type { DB } from '#app/db/schema.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { dayMs } from '#app/lib/durations.ts';
import { addressHash } from './address-hash.server.ts';
import type { About } from './mail.ts';
import { mailboxKey } from './mail-counts.server.ts';
import { mailFile } from './transport.server.ts';

/** The tables that hold what mails say. */
export const mailTables = ['mails', 'mail_attempts'] as const;

type Which = (mail: ExpressionBuilder<DB, 'mails'>) => Expression<SqlBool>;

/** Deletes mails with their attempts, in the caller's transaction; a queued one is then not sent. Returns their ids. */
export async function eraseMails(trx: Db, which: Which): Promise<string[]> {
  const rows = await trx.deleteFrom('mails').where(which).returning('id').execute();
  return rows.map(({ id }) => id);
}

/**
 * The daily job: erases mails that were settled longer ago than their kind is kept. Returns how many, null when it was
 * done today.
 */
export async function expireMailDaily(db: Db, kept: { sentDays: number; failedDays: number }, clock: Clock) {
  const now = clock.now();
  // PostgreSQL writes down since when a mail is tried.
  const triedNow = trueTime(clock);
  return doDaily(db, 'erase-mail', now, async (trx) => {
    const ids = await eraseMails(trx, (mail) =>
      mail.or([
        mail.and([mail('state', 'in', ['sent', 'dropped']), mail('settled_at', '<', daysBefore(now, kept.sentDays))]),
        mail.and([mail('state', '=', 'failed'), mail('tries_from', '<', daysBefore(triedNow, kept.failedDays))]),
        // Mails are tried for five days at most. An older one has lost its job, and nobody waits for it any more.
        mail.and([mail('state', '=', 'queued'), mail('tries_from', '<', daysBefore(triedNow, kept.failedDays + 7))]),
      ]),
    );
    if (ids.length > 0) await noteErased(trx, mailTables);
    return ids.length;
  });
}

/** Removes files of mail older than a number of days from this process's folder. Returns how many. */
export async function expireMailFiles(folder: string, days: number, now: Date): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names.filter((one) => /\.eml(\.part)?$/.test(one))) {
    const file = path.join(folder, name);
    // A file that was renamed since, as each is once it is whole, is not old.
    const found = await stat(file).catch(unlessMissing);
    if (found === null || found.mtime >= daysBefore(now, days)) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}

/** Null for a file that is not there. */
function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

/** Mail to addresses, and mail with them as Reply-To, such as their messages to the academy. */
const mailOf =
  ({ addresses }: HeldPerson): Which =>
  (mail) =>
    mail.or([
      mail(mail.fn<string>('lower', ['recipient']), 'in', addresses),
      mail(mail.fn<string>('lower', ['reply_to']), 'in', addresses),
    ]);

export const mailRecords: PersonalRecords = {
  name: 'mails',
  tables: mailTables,
  async read(db, person) {
    const mails = await db.selectFrom('mails').selectAll().where(mailOf(person)).orderBy('queued_at').execute();
    const ids = ['00000000-0000-0000-0000-000000000000', ...mails.map(({ id }) => id)];
    const attempts = await db.selectFrom('mail_attempts').selectAll().where('mail_id', 'in', ids).execute();
    return mails.map((mail) => ({ ...mail, attempts: attempts.filter(({ mail_id }) => mail_id === mail.id) }));
  },
  async erase(trx, person) {
    const ids = await eraseMails(trx, mailOf(person));
    return { count: ids.length, files: ids.map(mailFile) };
  },
};

/** Consent to marketing. An unsubscribed address stays on the suppression list, as a keyed hash only. */
export const marketingRecords: PersonalRecords = {
  name: 'marketing',
  tables: ['marketing_consents', 'mail_counts'],
  async read(db, { id, addresses }) {
    const hashes = await Promise.all(addresses.map((address) => addressHash(db, address)));
    const consents = await db.selectFrom('marketing_consents').selectAll().where('person_id', '=', id).execute();
    const ended = await db
      .selectFrom('mail_suppressions')
      .select('since')
      .where('address_hash', 'in', hashes)
      .execute();
    return [
      ...consents.map(({ person_id: _, ...consent }) => consent),
      ...ended.map(({ since }) => ({ unsubscribed: since })),
    ];
  },
  async erase(trx, { id, addresses }) {
    for (const address of addresses) {
      await trx
        .deleteFrom('mail_counts')
        .where('key', 'like', await mailboxKey(trx, '%', address))
        .execute();
    }
    const { numDeletedRows } = await trx
      .deleteFrom('marketing_consents')
      .where('person_id', '=', id)
      .executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

/** Erases the mails about records of a kind, whatever address they went to. Returns their ids. */
export function eraseMailsAbout(trx: Db, kind: About['kind'], ids: readonly number[]): Promise<string[]> {
  return eraseMails(trx, (mail) => mail.and([mail('about_kind', '=', kind), mail('about_id', 'in', [0, ...ids])]));
}
