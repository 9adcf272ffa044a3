import type { PgBoss } from 'pg-boss';
import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { Log } from '#app/http/log.server.ts';
import { forgetFault, recordFault, wholeJob } from '#app/jobs/each-item.server.ts';
import { jobLog } from '#app/jobs/job-log.server.ts';
import { noteBegin, noteEnd, type Periodic } from '#app/jobs/runs.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { bossOn, type PeriodicJob, queues } from '#app/outbox/queue.server.ts';

export type Job = Periodic & { run: () => Promise<unknown> };
type Needs = { db: Db; clock: Clock; log: Log };

const minuteSeconds = 60;
/** A job that a busy database puts off so often in a row, for so long, is a fault: it may itself be what is slow. */
const [busyTimes, busyMs] = [5, 5 * 60_000];
/** How many jobs of the schedule this process does at once: a long one leaves room for others. */
const atOnce = 4;

/**
 * Runs one job and writes its result to tables for staff. Throws only when it cannot write that. An outage
 * of the database is logged once, however often the job comes round; a job that is put off again and again because the
 * database is busy is a fault.
 */
export function jobRunner({ db, clock, log }: Needs, job: Job): () => Promise<void> {
  const { name, everySeconds } = job;
  // Whether each run is recorded: jobs that run every few seconds are recorded once a minute.
  const oftenNoted = everySeconds >= minuteSeconds;
  let notedAt = Number.NEGATIVE_INFINITY;
  let putOff = false;
  let busy = { times: 0, since: 0 };
  // Another process, or this one before its restart, may have recorded that the job failed as a whole.
  let faulty = true;
  let logged = false;
  return async () => {
    const noted = oftenNoted || performance.now() - notedAt >= minuteSeconds * 1000;
    try {
      if (noted) await noteBegin(db, job, clock.now());
      await job.run();
      // Another process may have failed since.
      if (faulty || noted) await forgetFault(db, name, wholeJob);
      if (noted || faulty) await noteEnd(db, name, { at: clock.now(), failed: false });
      if (noted) notedAt = performance.now();
      putOff = false;
      busy = { times: 0, since: 0 };
      faulty = false;
      logged = false;
    } catch (error) {
      const trouble = databaseTrouble(error);
      if (trouble) {
        if (!putOff) log.warn({ job: name }, `job put off: the database is ${trouble}`);
        putOff = true;
        const at = clock.now();
        busy =
          trouble === 'away' ? { times: 0, since: 0 } : { times: busy.times + 1, since: busy.since || at.getTime() };
        if (busy.times >= busyTimes && at.getTime() - busy.since >= busyMs) {
          faulty = true;
          await recordFault(db, { job: name, item: wholeJob, error, at }).catch(() => undefined);
        }
        // The job did not run to its end. While the database is away, this cannot be stored either.
        await noteEnd(db, name, { at, failed: true }).catch(() => undefined);
      } else {
        // Said once until it works again: staff see how often it failed.
        if (!logged) log.error({ job: name, err: error }, 'job failed');
        logged = true;
        faulty = true;
        await recordFault(db, { job: name, item: wholeJob, error, at: clock.now() });
        await noteEnd(db, name, { at: clock.now(), failed: true });
      }
    }
  };
}

/** Runs jobs in this process, each at once and then again and again; no two runs of one overlap here. */
export function repeatHere(needs: Needs, jobs: readonly Job[]): { stop(): Promise<void> } {
  const repeated = jobs.map((job) => {
    const attempt = jobRunner(needs, job);
    let running: Promise<void> | null = null;
    const start = () => {
      running ??= attempt()
        .catch((err: unknown) => needs.log.error({ job: job.name, err }, 'that a job failed could not be recorded'))
        .finally(() => {
          running = null;
        });
    };
    const timer = setInterval(start, job.everySeconds * 1000);
    start();
    return {
      async stop() {
        clearInterval(timer);
        await running;
      },
    };
  });
  return { stop: async () => void (await Promise.all(repeated.map(({ stop }) => stop()))) };
}

/**
 * Runs jobs on the schedule of pg-boss, whose clock is PostgreSQL's: of all processes one does a job at a time, and
 * another goes on within a minute when that one dies. Each job is due at the start as well, so that it does what an
 * outage left undone.
 */
export async function runScheduled(needs: Needs, jobs: readonly Job[]): Promise<{ stop(): Promise<void> }> {
  const { db, log } = needs;
  const boss = bossOn(db, { schedule: true });
  const told = jobLog(log, 'schedule');
  boss.on('error', told.failed);
  // Above all of a computer whose clock differs from the database's by a minute or more.
  boss.on('warning', ({ message, data }) => log.warn({ job: 'schedule', ...data }, message));
  await boss.start();
  await writeSchedule(boss, jobs);
  const runners = new Map(jobs.map((job) => [job.name, jobRunner(needs, job)]));
  await boss.insert(
    queues.jobs,
    jobs.map(({ name }) => ({ data: { job: name }, singletonKey: name })),
  );
  await boss.work<PeriodicJob>(queues.jobs, { pollingIntervalSeconds: 2, localConcurrency: atOnce }, async (due) => {
    told.worked();
    for (const { data } of due) {
      const run = runners.get(data.job);
      // A program of another release runs as well, and its process does the job at the next try.
      if (!run) throw new Error(`this release has no job "${data.job}"`);
      await run();
    }
  });
  return { stop: () => boss.stop({ graceful: true, close: false, timeout: 5_000 }) };
}

/** Writes only what differs: every process does so at its start. Another release may run as well, so its jobs stay. */
async function writeSchedule(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const written = new Map((await boss.getSchedules(queues.jobs)).map(({ key, cron }) => [key, cron]));
  const wanted = jobs.map(({ name, everySeconds }) => ({
    name,
    key: name.replaceAll(' ', '-'),
    cron: everySeconds === minuteSeconds ? '* * * * *' : '0 * * * *',
  }));
  const changed = wanted.filter(({ key, cron }) => written.get(key) !== cron);
  await Promise.all(
    changed.map(({ name, key, cron }) => boss.schedule(queues.jobs, cron, { job: name }, { key, singletonKey: name })),
  );
}
