import type { Db } from '#app/db/client.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { countFailedMail, listFailedMail } from '#app/outbox/failed-mail.server.ts';
import { listWaitingMail } from '#app/outbox/waiting-mail.server.ts';

const mostListed = 200;
/** How many rows the file has at most. */
export const mostInFile = 10_000;

/**
 * Mail that waits and mail that failed since an instant, with their counts, and for how many days it is kept; and when
 * the last email from outside came.
 */
export async function readMail(db: Db, actor: StaffActor, when: { since: Date | null; upTo: Date }) {
  requirePermission(actor, 'mail:read');
  const lastEmail = db
    .selectFrom('enquiries')
    .select('created_at')
    .where('kind', '=', 'email')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const [waiting, failed, counts, { failedMailDays }, last] = await Promise.all([
    listWaitingMail(db, mostListed),
    listFailedMail(db, when.upTo, { since: when.since, limit: mostListed }),
    countFailedMail(db, when, when.upTo),
    readRetention(db),
    lastEmail,
  ]);
  return { waiting, failed, counts, keptDays: failedMailDays, mostListed, lastEmailAt: last?.created_at ?? null };
}

/** The mails that failed, for a file. */
export async function* everyFailedMail(db: Db, actor: StaffActor, { since, now }: { since: Date | null; now: Date }) {
  requirePermission(actor, 'mail:read');
  yield await listFailedMail(db, now, { since, limit: mostInFile + 1 });
}
