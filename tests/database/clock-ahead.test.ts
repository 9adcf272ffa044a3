import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { listJobs } from '#app/features/reports/faults.server.ts';
import { watchLateJobs } from '#app/jobs/late-jobs.server.ts';
import { forgetOtherJobs, noteBegin, noteEnd, readRuns } from '#app/jobs/runs.server.ts';
import { takeBackFutureStamps } from '#app/outbox/clock-ahead.server.ts';
import { queues, scheduledJobs, unscheduleOthers } from '#app/outbox/queue.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { until } from '#scripts/support/until.ts';
import { type Job, runScheduled } from '#server/job-runner.ts';
import { jobsOf } from '#server/jobs.ts';
import { sampleMail as mail } from '#tests/support/deliver-mail.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { staffActor } from '#tests/support/staff.ts';

let database: SharedDatabase;
let db: Db;
const running: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await createSharedDatabase();
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

const { now: nine } = momentAt('2025-09-08T09:00');
const after = (minutes: number) => new Date(nine.getTime() + minutes * 60_000);
const sweep = { name: 'sweep', everySeconds: 60 };

async function begin(...jobs: Job[]) {
  const clock = { now: () => nine, aheadMs: 0 };
  running.push(await runScheduled({ db, clock, log: pino({ level: 'silent' }) }, jobs));
}
const work = (name: string): Job => ({ name, everySeconds: 60, run: async () => undefined });

test('P93: after a clock that was a day ahead, the schedule and the jobs of a process that died go on', async () => {
  await sql`update pgboss.version set cron_on = now() + interval '1 day'`.execute(db);
  await sql`update pgboss.queue set monitor_claim_on = now() + interval '1 day'`.execute(db);
  await sql`insert into pgboss.job
      (name, data, singleton_key, state, policy, heartbeat_seconds, heartbeat_on, started_on, created_on, start_after, singleton_on)
    select ${queues.jobs}, '{}', state, state::pgboss.job_state, 'exclusive', 30, day, day, day, day, day at time zone 'UTC'
    from unnest(array['active', 'created']) state, (select now() + interval '1 day' as day) d`.execute(db);
  await takeBackFutureStamps(db);
  const { rows } = await sql`
    select (select cron_on <= now() from pgboss.version) as cron,
      (select bool_and(coalesce(monitor_claim_on <= now(), true)) from pgboss.queue) as watched,
      bool_and(heartbeat_on <= now() and started_on <= now()) filter (where state = 'active') as active,
      bool_and(start_after <= now()) filter (where state = 'created') as created,
      bool_and(singleton_on is null) as minutes
    from pgboss.job where name = ${queues.jobs}`.execute(db);
  expect(rows).toEqual([{ cron: true, watched: true, active: true, created: true, minutes: true }]);
});

test('P94: mail queued by a clock a day ahead is due, and mail put off on purpose keeps its hour', async () => {
  const queue = (afterSeconds: number) => db.transaction().execute((trx) => queueMail(trx, { ...mail, afterSeconds }));
  const ids = { first: await queue(0), planned: await queue(3600), tried: await queue(0), now: await queue(7200) };
  await sql`update pgboss.job set start_after = start_after + interval '1 day', created_on = created_on + interval '1 day'
    where data->>'mailId' <> ${ids.now}`.execute(db);
  await sql`update pgboss.job set state = 'retry' where data->>'mailId' = ${ids.tried}`.execute(db);
  await sql`update mails set tries_from = tries_from + interval '1 day', queued_at = queued_at + interval '1 day'
    where id <> ${ids.now}`.execute(db);
  await takeBackFutureStamps(db);
  const { rows } = await sql<{ id: string }>`select mails.id, queued_at <= now() as queued,
      round(extract(epoch from tries_from - now()) / 3600)::int as hours, tries_from = start_after as same
    from mails join pgboss.job on data->>'mailId' = mails.id::text`.execute(db);
  expect(
    Object.fromEntries(rows.map(({ id, ...row }) => [Object.entries(ids).find((one) => one[1] === id)?.[0], row])),
  ).toEqual({
    first: { queued: true, hours: 0, same: true },
    planned: { queued: true, hours: 1, same: true },
    tried: { queued: true, hours: 0, same: true },
    now: { queued: true, hours: 2, same: true },
  });
});

test('P94: an outage recorded by a clock that was ahead began before now, and the server is asked', async () => {
  const day = sql<Date>`now() + interval '1 day'`;
  const soon = sql<Date>`now() + interval '5 minutes'`;
  const known = () =>
    db
      .selectFrom('mail_server')
      .select([
        sql`away_since <= now()`.as('away'),
        sql`answered_at <= now()`.as('answered'),
        sql`check_after <= now()`.as('due'),
      ])
      .executeTakeFirst();
  await db.updateTable('mail_server').set({ away_since: day, answered_at: day, check_after: day }).execute();
  await takeBackFutureStamps(db);
  expect(await known()).toEqual({ away: true, answered: true, due: true });
  await db.updateTable('mail_server').set({ check_after: soon }).execute();
  await takeBackFutureStamps(db);
  expect(await known()).toEqual({ away: true, answered: true, due: false });
});

test('P93: a job that missed three of its times is a fault and late on the page until it runs; a start waits first', async () => {
  const faults = () => db.selectFrom('job_faults').select(['job', 'item', 'message']).execute();
  const watch = watchLateJobs(db, [sweep]);
  await noteBegin(db, sweep, after(-600));
  await noteEnd(db, sweep.name, { at: after(-600), failed: false });
  for (let minute = 0; minute <= 3; minute += 1) expect(await watch(after(minute))).toBe(false);
  // The computer slept: every job is about to run.
  for (let minute = 60; minute <= 63; minute += 1) expect(await watch(after(minute))).toBe(false);
  expect(await faults()).toEqual([]);
  expect(await watch(after(64))).toBe(true);
  const message = 'It was due at 7 Sept 2025, 11:01 PM, and no process has begun it since.';
  expect(await faults()).toEqual([{ job: 'sweep', item: 'part:all of it', message }]);
  await begin({ ...sweep, run: async () => undefined });
  await until(async () => (await faults()).length === 0);
  const shownAt = async (now: Date) =>
    (await listJobs(db, staffActor({ id: 1, name: 'Ada' }, 'owner'), { now: () => now, aheadMs: 0 }))[0]?.next;
  expect(await shownAt(after(2))).toBe('8 Sept 2025, 9:03 AM');
  expect(await shownAt(after(4))).toBe('Late since 8 Sept 2025, 9:01 AM');
});

test('P93: a job of each process that runs each minute is due within a minute', async () => {
  const jobs = async () => listJobs(db, staffActor({ id: 1, name: 'Ada' }, 'owner'), { now: () => nine, aheadMs: 0 });
  for (const everySeconds of [1, 60, 3600]) await noteBegin(db, { name: `each ${everySeconds}`, everySeconds }, nine);
  expect(Object.fromEntries((await jobs()).map(({ name, next }) => [name, next]))).toEqual({
    'each 1': 'In a few seconds',
    'each 60': 'Within a minute',
    'each 3600': 'Within the hour',
  });
});

test('P93: a job that runs for long is not late, and one that never ran is', async () => {
  const watch = watchLateJobs(db, [sweep]);
  await noteBegin(db, sweep, nine);
  for (let minute = 0; minute <= 60; minute += 1) expect(await watch(after(minute))).toBe(false);
  const other = watchLateJobs(db, [{ name: 'never', everySeconds: 60 }]);
  for (let minute = 0; minute <= 3; minute += 1) expect(await other(after(minute))).toBe(false);
  expect(await other(after(4))).toBe(true);
});

test('P93: a job of each process takes back times of a clock that was ahead, in the runs of jobs as well', async () => {
  await noteBegin(db, sweep, after(1440));
  await noteEnd(db, sweep.name, { at: after(1441), failed: false });
  await sql`update pgboss.version set cron_on = now() + interval '1 day'`.execute(db);
  const needs = { db, clock: { now: () => nine, aheadMs: 0 } } as Parameters<typeof jobsOf>[0];
  await jobsOf(needs, pino({ level: 'silent' }))
    .here.find(({ name }) => name === 'take back times in the future')
    ?.run();
  expect((await sql`select cron_on <= now() as due from pgboss.version`.execute(db)).rows).toEqual([{ due: true }]);
  expect(await readRuns(db)).toMatchObject([{ startedAt: nine, endedAt: nine }]);
});

test('P93: a restart of the older release leaves the jobs of the newer one; one that nobody began for a day goes', async () => {
  await begin(work('both'), work('only new'));
  await until(async () => (await readRuns(db)).length === 2);
  await begin(work('both'));
  const forget = async (now: Date) => {
    await forgetOtherJobs(db, ['both'], now);
    await unscheduleOthers(db, ['both']);
    return [[...(await scheduledJobs(db))].sort(), (await readRuns(db)).map(({ job }) => job)];
  };
  expect(await forget(after(1440))).toEqual([
    ['both', 'only new'],
    ['both', 'only new'],
  ]);
  expect(await forget(after(1441))).toEqual([['both'], ['both']]);
});
