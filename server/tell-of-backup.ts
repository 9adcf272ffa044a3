import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { backupFault } from '#app/emails/backup-fault.ts';
import { ownersAddresses } from '#app/features/people/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** Mails every owner, once a day, that there is no good backup (P92). */
export async function tellOfBackup(
  db: Db,
  { fault, at }: Pick<BackupState, 'fault' | 'at'>,
  { academy, today }: Moment,
): Promise<void> {
  if (fault === null) return;
  const newest = at && formatMoment(at);
  const mail = backupFault({ fault, newest, link: academy.url + href('/staff/faults'), academy });
  await db.transaction().execute(async (trx) => {
    for (const to of await ownersAddresses(trx)) {
      const dedupeKey = `backup-fault:${today}:${to}`;
      await queueMail(trx, { kind: 'backup-fault', about: 'nothing', to, replyTo: academy.email, dedupeKey, ...mail });
    }
  });
}
