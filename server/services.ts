import path from 'node:path';
import { servingTimeoutMs } from '#app/db/client.server.ts';
import { projectRoot, type Settings } from '#app/env.server.ts';
import { describePlan } from '#app/features/content/describe-plan.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { readContent } from '#app/features/content/read-content.server.ts';
import { formSecret } from '#app/features/enquiries/queries.server.ts';
import type { Enquiries } from '#app/features/enquiries/submit.server.ts';
import { openSnapshot, type SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Log } from '#app/http/log.server.ts';
import { createRateLimit } from '#app/http/rate-limit.server.ts';
import { openTraffic, type Traffic } from '#app/http/traffic.server.ts';
import { type Clock, clockFixedOn, systemClock } from '#app/lib/clock.ts';
import { dayIn } from '#app/lib/dates.ts';
import { type Database, openDatabase } from './database.ts';

/** Everything that holds state, built once for a process. */
export type Services = {
  clock: Clock;
  database: Database;
  snapshot: SnapshotStore;
  enquiries: Enquiries;
  traffic: Traffic;
  close(): Promise<void>;
};

const supervisionMs = 2000;

/** Opens the database, fills it on the first run, and loads the snapshot. Progress lines are for the terminal. */
export async function openServices(settings: Settings, log: Log, progress: (line: string) => void): Promise<Services> {
  const clock = settings.today ? clockFixedOn(settings.today) : systemClock;
  const onLost = (err: Error) => log.warn({ err }, 'database connection lost');
  const database = await openDatabase(settings, progress, onLost, servingTimeoutMs);
  try {
    await importOnFirstRun(database, clock, progress);
    const snapshot = await openSnapshot(database.db, database.connection, log);
    const enquiries: Enquiries = {
      db: database.db,
      clock,
      trueNow: systemClock.now,
      secret: await formSecret(database.db),
      limit: createRateLimit({ attempts: 5, windowMs: 10 * 60 * 1000 }),
      log,
    };
    const traffic = openTraffic();
    const supervision = superviseEmbedded(database, log);
    return {
      clock,
      database,
      snapshot,
      enquiries,
      traffic,
      async close() {
        traffic.stop();
        clearInterval(supervision);
        await snapshot.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function importOnFirstRun(database: Database, clock: Clock, progress: (line: string) => void): Promise<void> {
  const state = await database.db.selectFrom('import_state').select('imported_at').executeTakeFirstOrThrow();
  if (state.imported_at) return;
  progress('First run: reading content/');
  const read = await readContent(path.join(projectRoot, 'content'));
  if (!read.ok) {
    const [first] = read.faults;
    const where = first ? `${first.file}:${first.line} ${first.field} ${first.message}` : '';
    throw new Error(`content/ has ${read.faults.length} faults, the first: ${where}. Run: npm run content -- check`);
  }
  progress(`Importing the catalogue: ${read.content.courses.length} courses`);
  const now = clock.now();
  const at = { now, today: dayIn('Australia/Brisbane', now) };
  const result = await importContent(database.db, read.content, at, (plan, shiftWeeks) => {
    const [, ...sums] = describePlan({ ...plan, added: [] }, shiftWeeks).split('\n');
    progress([`${plan.added.length} records`, ...sums].join('. '));
    return true;
  });
  if (!result.ok) throw new Error('content/ could not be imported');
}

/** An embedded server that dies is started again; a DATABASE_URL is somebody else's to keep. */
function superviseEmbedded(database: Database, log: Log): NodeJS.Timeout | undefined {
  const { embedded } = database;
  if (!embedded) return undefined;
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    embedded
      .ensureRunning()
      .catch((err) => log.error({ err }, 'embedded database could not be started'))
      .finally(() => {
        busy = false;
      });
  }, supervisionMs);
}
