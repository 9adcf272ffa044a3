import { sql } from 'kysely';
import { fromKysely, PgBoss, type Db as PgBossDatabase } from 'pg-boss';
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

const withoutCron = { schedule: false, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/** pg-boss in the caller's transaction, for sending. */
export function bossIn(trx: Db): PgBoss {
  return new PgBoss({ ...withoutCron, db: fromKysely(trx), migrate: false, supervise: false });
}

/** pg-boss on the connections of `db`, for working. */
export function bossOn(db: Db): PgBoss {
  return new PgBoss({ ...withoutCron, db: onConnectionsOf(db), migrate: false, supervise: true });
}

/**
 * pg-boss sends whole transactions as one text. When one fails, its connection would go back to the pool with the
 * transaction still open, and fail whoever gets it next.
 */
function onConnectionsOf(db: Db): PgBossDatabase {
  return {
    executeSql: (text, values) =>
      db.connection().execute(async (connection) => {
        try {
          return await fromKysely(connection).executeSql(text, values);
        } catch (error) {
          await sql`rollback`.execute(connection).catch(() => undefined);
          throw error;
        }
      }),
  };
}

/** Any number that nothing else locks in this database. */
const migrationLock = 7_026_001;

/**
 * Creates or upgrades the schema `pgboss` and its queues. Programs that start at once do so one after the other.
 * Needs no time limits.
 */
export async function migrateQueues(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
    const boss = new PgBoss({ ...withoutCron, db: fromKysely(connection), migrate: true, supervise: false });
    // Without a listener Node would throw them; those that matter reject start() as well.
    boss.on('error', () => undefined);
    await boss.start();
    try {
      await boss.createQueue(queues.undelivered, { ...mailQueue, retryLimit: 1000 });
      await boss.createQueue(queues.mail, { ...mailQueue, deadLetter: queues.undelivered });
    } finally {
      await boss.stop({ graceful: false, close: false });
      // If this fails, so did what was before; the lock ends with the connection.
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection).catch(() => undefined);
    }
  });
}
