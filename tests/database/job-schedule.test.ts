import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { listJobs } from '#app/features/reports/faults.server.ts';
import { readRuns } from '#app/jobs/runs.server.ts';
import { bossOn, queues, runSoon } from '#app/outbox/queue.server.ts';
import { until } from '#scripts/support/until.ts';
import { type Job, jobRunner, runScheduled } from '#server/job-runner.ts';
import { staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let db: Db;
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await database.drop();
});

const log = pino({ level: 'silent' });
const clock = { now: () => new Date('2025-09-08T09:00:00+10:00'), aheadMs: 0 };
/** Another process with these jobs. */
async function begin(...jobs: Job[]) {
  const process = await runScheduled({ db, clock, log }, jobs);
  running.push(process);
  return process;
}

/** A job that is held up in each run until it is let go. */
function heldJob(name = 'sweep') {
  let open = () => {};
  let [runs, atOnce, most] = [0, 0, 0];
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const run = async () => {
    runs += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await gate;
    atOnce -= 1;
  };
  return { job: { name, everySeconds: 60, run }, letGo: () => open(), runs: () => runs, mostAtOnce: () => most };
}

torture('one of two processes does a job, and a job requested during the run is not done twice', async () => {
  const { job, letGo, runs, mostAtOnce } = heldJob();
  const other = heldJob('other');
  other.letGo();
  await begin(job, other.job);
  await until(() => runs() === 1);
  await begin(job, other.job);
  await runSoon(db, 'sweep');
  await runSoon(db, 'sweep');
  // What is behind it in the queue is done.
  const before = other.runs();
  await until(async () => {
    await runSoon(db, 'other');
    return other.runs() > before;
  });
  expect([runs(), mostAtOnce()]).toEqual([1, 1]);
  expect(await readRuns(db)).toMatchObject([{ job: 'other' }, { job: 'sweep', endedAt: null }]);
  letGo();
  await until(async () => (await readRuns(db)).every(({ endedAt }) => endedAt !== null));
  await until(async () => {
    await runSoon(db, 'sweep');
    return runs() > 1;
  });
  expect(mostAtOnce()).toBe(1);
});

torture('when a process dies in the middle of a job, another does it within a minute', async () => {
  const boss = bossOn(db);
  await boss.start();
  try {
    await runSoon(db, 'sweep');
    const [taken] = await boss.fetch(queues.jobs);
    expect(taken?.data).toEqual({ job: 'sweep' });
    // Nobody hears of its process for 30 seconds; every 10 it is looked whether that is so.
    const { rows } = await sql<{ seconds: number }>`
      select heartbeat_seconds as seconds from pgboss.queue where name = ${queues.jobs}`.execute(db);
    expect(rows).toEqual([{ seconds: 30 }]);
    await sql`update pgboss.job set heartbeat_on = now() - interval '31 seconds'
      where name = ${queues.jobs}`.execute(db);
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    await begin({ name: 'sweep', everySeconds: 3600, run });
    await boss.supervise(queues.jobs);
    await until(() => runs === 1);
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
});

test('a job that fails as a whole is listed, others go on, and it can be tried again', async () => {
  let broken = true;
  const ill = async () => {
    if (broken) throw new Error('disk full');
  };
  const well: string[] = [];
  await begin(
    { name: 'ill', everySeconds: 3600, run: ill },
    { name: 'well', everySeconds: 3600, run: async () => void well.push('done') },
  );
  const faults = () => db.selectFrom('job_faults').select(['job', 'item', 'message']).execute();
  await until(async () => well.length === 1 && (await faults()).length === 1);
  expect(await faults()).toEqual([{ job: 'ill', item: 'part:all of it', message: 'disk full' }]);
  await until(async () => (await readRuns(db)).some(({ job, failed }) => job === 'ill' && failed));
  broken = false;
  await until(async () => {
    await runSoon(db, 'ill');
    return (await faults()).length === 0;
  });
});

test('a daily job whose hour fell into an outage is done later that day, and once', async () => {
  const done: string[] = [];
  let now = new Date('2025-09-08T00:00:00+10:00');
  const run = () => doDaily(db, 'erase', now, async () => void done.push(now.toISOString()));
  await run();
  // Away from before midnight until one in the afternoon: the hours of the night were left out.
  now = new Date('2025-09-09T13:07:00+10:00');
  // The start asks at once, whatever the minute.
  await begin({ name: 'erase', everySeconds: 3600, run });
  await until(() => done.length === 2);
  await run();
  expect(done).toEqual(['2025-09-07T14:00:00.000Z', '2025-09-09T03:07:00.000Z']);
});

test('a daily job goes on after a clock that was a year ahead for once, and a clock a little behind does not do it twice', async () => {
  const done: string[] = [];
  const on = (day: string) => doDaily(db, 'erase', new Date(`${day}+10:00`), async () => void done.push(day));
  await on('2026-09-08T09:00');
  await on('2025-09-08T00:01');
  // Another computer's clock is still before midnight.
  await on('2025-09-07T23:59');
  await on('2025-09-08T09:00');
  await on('2025-09-09T09:00');
  expect(done).toEqual(['2026-09-08T09:00', '2025-09-08T00:01', '2025-09-09T09:00']);
});

test('a job that a busy database puts off again and again is a fault until it works; during an outage it is not', async () => {
  let now = new Date('2025-09-08T09:00:00+10:00');
  let trouble: Error | null = null;
  const run = async () => {
    if (trouble) throw trouble;
  };
  const runner = jobRunner(
    { db, log, clock: { now: () => now, aheadMs: 0 } },
    { name: 'sweep', everySeconds: 60, run },
  );
  const faults = () => db.selectFrom('job_faults').select(['job', 'item', 'message']).execute();
  const shown = () => listJobs(db, staffActor({ id: 1, name: 'Ada' }, 'owner'), clock);
  /** So many runs, a minute apart. */
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      now = new Date(now.getTime() + 60_000);
      await runner();
    }
  };
  trouble = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  await minutes(8);
  trouble = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  await minutes(5);
  expect(await faults()).toEqual([]);
  expect((await shown())[0]?.last).toContain(', put off');
  await minutes(1);
  expect((await shown())[0]?.last).toContain(', failed');
  expect(await faults()).toEqual([{ job: 'sweep', item: 'part:all of it', message: trouble.message }]);
  trouble = null;
  await minutes(1);
  expect(await faults()).toEqual([]);
});

test('a clock that differs from the database’s by a minute or more is logged', async () => {
  const { rows } = await sql<{ ahead: Date }>`select now() + interval '2 minutes' as ahead`.execute(db);
  vi.useFakeTimers({ toFake: ['Date'], now: rows[0]?.ahead });
  const told: object[] = [];
  try {
    const warn = (fields: object) => void told.push(fields);
    running.push(await runScheduled({ db, clock, log: { ...log, warn } as typeof log }, []));
    expect(told).toEqual([{ job: 'schedule', seconds: expect.closeTo(120, -1), direction: 'faster' }]);
  } finally {
    vi.useRealTimers();
  }
});

test('the schedule is what this release does, each minute or hour by the clock of PostgreSQL', async () => {
  const run = async () => undefined;
  await begin({ name: 'each hour', everySeconds: 60, run });
  await begin({ name: 'each minute', everySeconds: 60, run }, { name: 'each hour', everySeconds: 3600, run });
  const { rows } = await sql`
    select key, cron, timezone, data->>'job' as job, options->>'singletonKey' as once
    from pgboss.schedule where name = ${queues.jobs} order by key`.execute(db);
  expect(rows).toEqual([
    { key: 'each-hour', cron: '0 * * * *', timezone: 'UTC', job: 'each hour', once: 'each hour' },
    { key: 'each-minute', cron: '* * * * *', timezone: 'UTC', job: 'each minute', once: 'each minute' },
  ]);
});
