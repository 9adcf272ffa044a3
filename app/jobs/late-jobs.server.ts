import type { Db } from '#app/db/client.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { recordFault, wholeJob } from './each-item.server.ts';
import { lateSince, mostMissed, type Periodic, readRuns } from './runs.server.ts';

const gapMs = 2 * 60_000;

/**
 * A watch of the jobs on the schedule, which is asked each minute and says whether one is late. A late job is a fault,
 * until it runs to its end. The watch first waits as long as a job may be late: after the start, an outage or a sleep of
 * the computer, when every job is about to run again.
 */
export function watchLateJobs(db: Db, jobs: readonly Periodic[]): (now: Date) => Promise<boolean> {
  let [watchedFrom, askedAt] = [new Date(0), new Date(0)];
  return async (now) => {
    const runs = new Map((await readRuns(db)).map((run) => [run.job, run]));
    if (Math.abs(now.getTime() - askedAt.getTime()) > gapMs) watchedFrom = now;
    askedAt = now;
    let late = false;
    for (const { name, everySeconds } of jobs) {
      if (now.getTime() - watchedFrom.getTime() <= mostMissed * everySeconds * 1000) continue;
      const since = lateSince(runs.get(name) ?? { everySeconds, startedAt: watchedFrom, endedAt: watchedFrom }, now);
      if (since === null) continue;
      late = true;
      const error = new Error(`It was due at ${formatMoment(since)}, and no process has begun it since.`);
      await recordFault(db, { job: name, item: wholeJob, error, at: now });
    }
    return late;
  };
}
