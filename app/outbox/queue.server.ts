import { fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '#app/db/client.server.ts';

/** Jobs of the outbox: `mail` delivers one mail; what cannot be delivered goes on to `undelivered`. */
export const queues = { mail: 'mail', undelivered: 'mail-undelivered' } as const;

/** What a job of either queue says. */
export type MailJob = { mailId: string };

const daySeconds = 24 * 60 * 60;

/** From 1 to 2 seconds, doubled with each retry up to an hour; attempts end a day after the first (decision 26). */
const mailQueue = {
  retryLimit: 60,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  // Longer than an attempt may take: a job that is still active after this belongs to a process that ended.
  expireInSeconds: 60,
  retentionSeconds: 14 * daySeconds,
  deleteAfterSeconds: 60 * 60,
};

/** pg-boss on the connections, or in the transaction, of `db`. */
export function bossOn(db: Db, options: { supervise: boolean } = { supervise: false }): PgBoss {
  return new PgBoss({
    db: fromKysely(db),
    schedule: false,
    migrate: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    ...options,
  });
}

/** Creates or upgrades the schema `pgboss` and its queues. Several programs may do so at once. Needs no time limits. */
export async function migrateQueues(db: Db): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(db), schedule: false, supervise: false, migrate: true });
  // Without a listener Node would throw them; those that matter reject start() as well.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    await boss.createQueue(queues.undelivered, { ...mailQueue, retryLimit: 1000 });
    await boss.createQueue(queues.mail, { ...mailQueue, deadLetter: queues.undelivered });
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}
