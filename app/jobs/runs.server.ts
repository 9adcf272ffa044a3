import type { Db } from '#app/db/client.server.ts';

/** A periodic job and how often it runs, in seconds. */
export type Periodic = { name: string; everySeconds: number };

/** How the last run of a job went; `endedAt` is null while it runs, or when its process ended meanwhile. */
export type JobRun = { job: string; everySeconds: number; startedAt: Date; endedAt: Date | null; failed: boolean };

/** Notes that a run of a job begins. */
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

/** Forgets the jobs that there are no more. */
export async function forgetOtherJobs(db: Db, names: readonly string[]): Promise<void> {
  await db
    .deleteFrom('job_runs')
    .where('job', 'not in', ['', ...names])
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
