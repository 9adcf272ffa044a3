import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { dayMs, hourMs } from '#app/lib/durations.ts';

/** A job is stopped after so long, so one that did not end by then ended with its process. */
const longestRunMs = hourMs;
/** A job that missed so many of its times is late. */
export const mostMissed = 3;

/** A periodic job and how often it runs, in seconds. */
export type Periodic = { name: string; everySeconds: number };

/** The result of the last run of a job; `endedAt` is null while it runs, or when its process ended during it. */
export type JobRun = { job: string; everySeconds: number; startedAt: Date; endedAt: Date | null; failed: boolean };

/** Records that a run of a job begins. */
export async function noteBegin(db: Db, { name, everySeconds }: Periodic, at: Date): Promise<void> {
  const run = { every_seconds: everySeconds, started_at: at, ended_at: null };
  await db
    .insertInto('job_runs')
    .values({ job: name, ...run })
    .onConflict((conflict) => conflict.column('job').doUpdateSet(run))
    .execute();
}

/** Notes how a run of a job ended. */
export async function noteEnd(db: Db, name: string, { at, failed }: { at: Date; failed: boolean }): Promise<void> {
  await db.updateTable('job_runs').set({ ended_at: at, failed }).where('job', '=', name).execute();
}

/** Forgets the jobs that there are no more: this release has none of that name, and no process began it for a day. */
export async function forgetOtherJobs(db: Db, names: readonly string[], now: Date): Promise<void> {
  await db
    .deleteFrom('job_runs')
    .where('job', 'not in', ['', ...names])
    .where('started_at', '<', new Date(now.getTime() - dayMs))
    .execute();
}

/** How far the clocks of two machines may be apart. */
const apartMs = 5 * 60_000;

/** Takes back the stamps of a clock that was ahead: the run was at some time before now. */
export async function takeBackFutureRuns(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('job_runs')
    .set({ started_at: sql`least(started_at, ${now})`, ended_at: sql`least(ended_at, ${now})` })
    .where(sql<boolean>`greatest(started_at, ended_at) > ${new Date(now.getTime() + apartMs)}`)
    .execute();
}

/** The last run of every job, by name. */
export async function readRuns(db: Db): Promise<JobRun[]> {
  const rows = await db.selectFrom('job_runs').selectAll().orderBy('job').execute();
  return rows.map(({ job, every_seconds, started_at, ended_at, failed }) => ({
    job,
    everySeconds: every_seconds,
    startedAt: started_at,
    endedAt: ended_at,
    failed,
  }));
}

/** Since when a job of the schedule is late: it missed three of its times, and does not run. Null while it is not. */
export function lateSince(
  { everySeconds, startedAt, endedAt }: Omit<JobRun, 'job' | 'failed'>,
  now: Date,
): Date | null {
  const everyMs = everySeconds * 1000;
  const freeFrom = endedAt?.getTime() ?? startedAt.getTime() + longestRunMs;
  return now.getTime() - freeFrom > mostMissed * everyMs ? new Date(freeFrom + everyMs) : null;
}
