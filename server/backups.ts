import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterBackups } from '#app/db/backup/cluster-backups.server.ts';
import { openStore } from '#app/db/backup/open-store.server.ts';
import { type Base, runFrom } from '#app/db/backup/plan.ts';
import { removeRestored, restoreBeside } from '#app/db/backup/restore.server.ts';
import { BackupFault, type BackupSettings } from '#app/db/backup/store.server.ts';
import {
  alone,
  archiveFault,
  fullDisk,
  handOver,
  keepLog,
  readCluster,
  requireRoomForCopy,
  takeBase,
  waitingSince,
} from '#app/db/backup/take-base.server.ts';
import { createDb } from '#app/db/client.server.ts';
import { countTables } from '#app/db/count-tables.server.ts';
import { archiveFolder } from '#app/db/embedded-postgres.server.ts';
import { findImbalances } from '#app/features/reports/balance.server.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import { dayMs, hourMs, minuteMs } from '#app/lib/durations.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import type { Database } from './database.ts';

/** A job looks each hour, so that no backup is ever older than a day. */
const [takenEveryMs, checkedEveryMs] = [22 * hourMs, 7 * dayMs];
/** A bucket is asked seldom, because each request is paid for. */
const [freshMs, bucketFreshMs] = [5_000, minuteMs];
const [answerMs, waitingMs] = [3_000, 15 * minuteMs];
/** With the pause between two looks and the work itself, no write is missing for longer than a minute. */
const handOverMs = 30_000;

/** The backups that the program makes of its own database by itself (P92). All times are true times. */
export type Backups = {
  /** Moves what the database wrote down into the backup, half a minute after it did at the latest. */
  keepLog(): Promise<void>;
  /** Copies the whole database, and removes what is of no use any more; null while another program does. */
  take(): Promise<Base | null>;
  /** The same once a day, or at once after a restore or when a part of the log is missing. */
  takeDue(): Promise<Base | null>;
  /** Restores the newest backup beside the database and compares its sums. Throws what is wrong with it. */
  check(): Promise<void>;
  /** The same once a week. */
  checkDue(): Promise<void>;
  state(): Promise<BackupState>;
  /** Ends what is under way. */
  close(): Promise<void>;
};

/** Null when backups are turned off, or the database is not the program's own. */
export async function openBackups(
  { embedded, owner, time }: Pick<Database, 'embedded' | 'owner' | 'time'>,
  settings: BackupSettings | null,
): Promise<Backups | null> {
  if (!settings || !embedded) return null;
  const { home, owner: own } = embedded;
  const { systemId } = await readCluster(own);
  const store = await openStore(settings);
  const isBucket = 'bucket' in settings;
  const backups = new ClusterBackups(store, settings.key, systemId);
  const spool = archiveFolder(home);
  const beside = path.join(home.folder, 'check');
  const ending = new AbortController();
  const openedAt = time.now();
  /** What the store said last; it stays while the store is away. */
  let seen: { at: Date | null; check: Awaited<ReturnType<typeof backups.lastCheck>> } | null = null;
  let last: { at: number; state: Promise<BackupState> } | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let checking = false;
  let keptAt = Number.NEGATIVE_INFINITY;
  const one = <T>(work: () => Promise<T>): Promise<T | null> => {
    const done = alone(own, work).catch((error: unknown) => {
      // What the end of the program cut off is no fault: it is done after the next start.
      if (ending.signal.aborted) return null;
      throw error;
    });
    running = Promise.allSettled([running, done]);
    return done;
  };
  const newestBase = async () =>
    (await backups.bases()).toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime())[0] ?? null;

  const take = () =>
    one(async () => {
      await requireArchive();
      const base = await takeBase(own, { spool, backups, signal: ending.signal, now: time.now });
      await backups.prune(time.now());
      return base;
    });

  async function requireArchive(): Promise<void> {
    const { archives } = await readCluster(own);
    if (!archives)
      throw new BackupFault(
        'The database was started by a program without backups: stop all programs that use it, then start them.',
      );
    const fault = await archiveFault(own);
    if (fault) throw new BackupFault(fault);
  }

  async function isDue(): Promise<boolean> {
    const newest = await newestBase();
    if (!newest || time.now().getTime() - newest.startedAt.getTime() > takenEveryMs) return true;
    return newest.timeline !== (await readCluster(own)).timeline || runFrom(newest, await backups.logFiles()).hasGap;
  }

  const check = async () => {
    const fault = await one(async () => {
      checking = true;
      const found = await tryRestore().catch((error: unknown) => {
        if (ending.signal.aborted || !(error instanceof Error)) throw error;
        return `The newest backup could not be restored: ${error.message}`;
      });
      checking = false;
      await backups.writeCheck({ at: time.now(), fault: found });
      return found;
    });
    if (fault) throw new BackupFault(fault);
  };

  async function tryRestore(): Promise<string | null> {
    await removeRestored(home, beside);
    await requireRoomForCopy(own, home.folder);
    try {
      const { cluster } = await restoreBeside(home, { folder: beside, backups, to: null, archive: null });
      const db = createDb(cluster.ownerConnection(), () => undefined);
      try {
        const [tables, imbalances] = [await countTables(db), await findImbalances(db)];
        const missing = (await countHere()) - tables;
        if (missing !== 0) return `The restored backup has ${tables} tables, ${missing} fewer than the database.`;
        return imbalances.length > 0 ? `The restored backup does not add up: ${imbalances.join('; ')}.` : null;
      } finally {
        await db.destroy();
      }
    } finally {
      await removeRestored(home, beside);
    }
  }

  async function countHere(): Promise<number> {
    const db = createDb(owner, () => undefined, undefined, 1);
    try {
      return await countTables(db);
    } finally {
      await db.destroy();
    }
  }

  async function readState(): Promise<BackupState> {
    const read = Promise.all([newestBase(), backups.lastCheck()]);
    const late = new BackupFault(`${store.place} does not answer.`);
    const away = await Promise.race([read, rejectAfter(answerMs, late)]).then(
      ([newest, checked]) => {
        seen = { at: newest?.endedAt ?? null, check: checked };
        return null;
      },
      (error: Error) => error.message,
    );
    const { at, check: checked } = seen ?? { at: null, check: null };
    const oldMs = time.now().getTime() - (at ?? openedAt).getTime();
    const fault =
      (await fullDisk(store)) ??
      (await waitingLog()) ??
      checked?.fault ??
      (oldMs > dayMs ? (at ? 'The newest backup is older than a day.' : 'No backup has been made.') : null) ??
      (seen ? null : away);
    const sameDisk = !isBucket && isSameDisk(store.place, home.folder);
    return { at, checkedAt: checked?.at ?? null, fault, sameDisk };
  }

  /** What is wrong when the log has waited to be stored for too long. */
  async function waitingLog(): Promise<string | null> {
    const since = await waitingSince(spool);
    if (!since || time.now().getTime() - since.getTime() < waitingMs) return null;
    return `Nothing written since ${formatMoment(since)} is in the backup: ${store.place} does not take it.`;
  }

  return {
    async keepLog() {
      if ((await keepLog(spool, backups)) > 0) keptAt = performance.now();
      else if (performance.now() - keptAt > handOverMs) {
        keptAt = performance.now();
        await handOver(own);
      }
    },
    take,
    async takeDue() {
      await requireArchive();
      return (await isDue()) ? take() : null;
    },
    check,
    async checkDue() {
      const bases = await backups.bases();
      if (bases.length === 0) return;
      const ends = bases.map(({ endedAt }) => endedAt.getTime());
      const checked = await backups.lastCheck();
      // The first one a day after the first backup.
      const since = checked?.at.getTime() ?? Math.min(...ends) + dayMs - checkedEveryMs;
      const mayBeMended = checked?.fault && Math.max(...ends) > checked.at.getTime();
      if (mayBeMended || time.now().getTime() - since >= checkedEveryMs) await check();
    },
    state() {
      if (last && performance.now() - last.at < (isBucket ? bucketFreshMs : freshMs)) return last.state;
      const state = readState();
      last = { at: performance.now(), state };
      return state;
    },
    async close() {
      ending.abort();
      // What recovers there cannot be told otherwise; the check then fails, and is made again after the next start.
      if (checking) await removeRestored(home, beside).catch(() => undefined);
      await running;
    },
  };
}

async function rejectAfter(ms: number, error: Error): Promise<never> {
  await sleep(ms, null, { ref: false });
  throw error;
}

function isSameDisk(folder: string, other: string): boolean {
  const there = [folder, path.dirname(folder)].find((one) => existsSync(one));
  return there !== undefined && statSync(there).dev === statSync(other).dev;
}
