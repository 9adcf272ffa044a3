import { databaseTrouble } from '#app/db/connection-failure.server.ts';

type Log = Record<'warn' | 'error', (fields: object, message: string) => void>;

/** Logs what a job failed with. An outage of the database is said once until the job works, however often it is tried. */
export function jobLog(log: Log, job: string) {
  let putOff = false;
  return {
    worked() {
      putOff = false;
    },
    failed(error: unknown) {
      const trouble = databaseTrouble(error);
      if (!trouble) log.error({ job, err: error }, 'job failed');
      else if (!putOff) log.warn({ job }, `job put off: the database is ${trouble}`);
      putOff = trouble !== null;
    },
  };
}
