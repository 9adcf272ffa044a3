import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { fromKysely, PgBoss, type Db as PgBossDatabase, type SendOptions } from 'pg-boss';
import type { Db } from '#app/db/client.server.ts';
import { lockNumbers } from '#app/db/lock-numbers.ts';

/**
 * Jobs of the outbox: `mail` delivers one mail; what cannot be delivered goes on to `undelivered`. `jobs` has the
 * periodic jobs that are due.
 */
export const queues = { mail: 'mail', undelivered: 'mail-undelivered', jobs: 'jobs' } as const;

/** The data of a job of either queue. */
export type MailJob = { mailId: string };
/** The data of a job of `jobs`: the periodic job that is due. */
export type PeriodicJob = { job: string };

const daySeconds = 24 * 60 * 60;

/**
 * From 1 to 2 seconds, doubled with each retry up to five minutes. Attempts end after `triesLastDays`, before there are as
 * many.
 */
export const mailQueue = {
  retryLimit: 5000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5 * 60,
  // Longer than an attempt may take: a job that is still active after this belongs to a process that ended.
  expireInSeconds: 60,
  // While the mail server is away no job is taken, for however long: one that was dropped would leave its mail behind.
  retentionSeconds: 100 * daySeconds,
  deleteAfterSeconds: 60 * 60,
};

/** Each periodic job is queued or runs at most once, over all processes. */
const jobsQueue = {
  // A process that is alive says so twice in this time; the job of one that does not is done by another.
  heartbeatSeconds: 30,
  expireInSeconds: 60 * 60,
  retryLimit: 5,
  retryDelay: 1,
  retentionSeconds: daySeconds,
  deleteAfterSeconds: 60 * 60,
};

const withoutCron = { schedule: false, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

const callersTransaction = new AsyncLocalStorage<Db>();
let sender: PgBoss | null = null;

/** Sends a job in the caller's transaction. One pg-boss for all, which reads the options of a queue only once. */
export async function sendJob(
  trx: Db,
  queue: string,
  job: MailJob | PeriodicJob,
  options: SendOptions = {},
): Promise<void> {
  const executeSql: PgBossDatabase['executeSql'] = (text, values) => {
    const current = callersTransaction.getStore();
    if (!current) throw new Error('pg-boss asked outside of a transaction');
    return fromKysely(current).executeSql(text, values);
  };
  sender ??= new PgBoss({ ...withoutCron, db: { executeSql }, migrate: false, supervise: false });
  const boss = sender;
  await callersTransaction.run(trx, () => boss.send(queue, job, options));
}

/** Has a periodic job of the schedule done at once, unless that is under way; in the caller's transaction. */
export const runSoon = (trx: Db, job: string): Promise<void> =>
  sendJob(trx, queues.jobs, { job }, { singletonKey: job });

/** The names of the periodic jobs on the schedule. */
export async function scheduledJobs(db: Db): Promise<ReadonlySet<string>> {
  const { rows } =
    await sql<PeriodicJob>`select data->>'job' as job from pgboss.schedule where name = ${queues.jobs}`.execute(db);
  return new Set(rows.map(({ job }) => job));
}

/** Takes the jobs off the schedule that no process does any more: not this release's, and without a run that is known. */
export async function unscheduleOthers(db: Db, names: readonly string[]): Promise<void> {
  await sql`delete from pgboss.schedule where name = ${queues.jobs} and data->>'job' <> all(${names})
    and data->>'job' not in (select job from job_runs)`.execute(db);
}

/** pg-boss on the connections of `db`, for working; with `schedule` it sends what is due. */
export function bossOn(db: Db, { schedule = false } = {}): PgBoss {
  return new PgBoss({ ...withoutCron, schedule, db: onConnectionsOf(db), migrate: false, supervise: true });
}

/**
 * pg-boss sends whole transactions as one text. When one fails, its connection would go back to the pool with the
 * transaction still open, and fail the next one that gets it.
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

/**
 * Creates or upgrades the schema `pgboss` and its queues. Programs that start at once do so one after the other.
 * Needs no time limits.
 */
export async function migrateQueues(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockNumbers.queues})`.execute(connection);
    const boss = new PgBoss({ ...withoutCron, db: fromKysely(connection), migrate: true, supervise: false });
    // Without a listener Node would throw these errors; the important ones reject start() as well.
    boss.on('error', () => undefined);
    await boss.start();
    try {
      await boss.createQueue(queues.undelivered, mailQueue);
      await boss.createQueue(queues.mail, { ...mailQueue, deadLetter: queues.undelivered });
      // Queues and jobs of an earlier version keep its limits otherwise.
      for (const name of [queues.mail, queues.undelivered]) await boss.updateQueue(name, mailQueue);
      await boss.createQueue(queues.jobs, { ...jobsQueue, policy: 'exclusive' });
      await boss.updateQueue(queues.jobs, jobsQueue);
      await sql`update pgboss.job set retry_limit = ${mailQueue.retryLimit}, retry_delay_max = ${mailQueue.retryDelayMax},
          start_after = least(start_after, now() + make_interval(secs => ${mailQueue.retryDelayMax}))
        where name in (${queues.mail}, ${queues.undelivered}) and state = 'retry'`.execute(connection);
      await sql`update pgboss.job set retry_limit = ${mailQueue.retryLimit}, retry_delay_max = ${mailQueue.retryDelayMax}
        where name = ${queues.mail} and state in ('created', 'active')
          and retry_delay_max <> ${mailQueue.retryDelayMax}`.execute(connection);
    } finally {
      await boss.stop({ graceful: false, close: false });
      // If this fails, so did what was before; the lock ends with the connection.
      await sql`select pg_advisory_unlock(${lockNumbers.queues})`.execute(connection).catch(() => undefined);
    }
  });
}

/** The part of a job that tells the recipient's server; a job holds nothing personal, so it is only a hash. */
export function domainGroup(recipient: string): string {
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
  return createHash('sha256').update(domain).digest('hex').slice(0, 16);
}

/** Makes mails due that wait for another attempt, all or one, in the caller's transaction. Returns how many. */
export async function releaseTried(trx: Db, mailId: string | null = null): Promise<number> {
  const { numAffectedRows } = await sql`update pgboss.job set start_after = now()
    where name = ${queues.mail} and state = 'retry' and start_after > now()
      and (${mailId}::text is null or data->>'mailId' = ${mailId})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** The same for mails whose last attempt began after a moment. */
export async function releaseTriedSince(trx: Db, since: Date): Promise<number> {
  const { numAffectedRows } = await sql`update pgboss.job set start_after = now()
    where name = ${queues.mail} and state = 'retry' and start_after > now() and started_on >= ${since}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Makes due the mail that was not tried for the longest time, unless one is due anyway. */
export async function releaseOne(db: Db): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = ${queues.mail} and id = (
    select id from pgboss.job where name = ${queues.mail} and state = 'retry' order by started_on limit 1)
    and not exists (select from pgboss.job
      where name = ${queues.mail} and state in ('created', 'retry') and start_after <= now())`.execute(db);
}
