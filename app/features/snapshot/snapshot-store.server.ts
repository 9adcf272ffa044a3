import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createContext } from 'react-router';
import type { Connection, Db } from '#app/db/client.server.ts';
import type { CourseDetails } from '#app/features/catalogue/catalogue.ts';
import { readDetails } from '#app/features/catalogue/queries.server.ts';
import { createSuggester, type Suggester } from '#app/features/catalogue/suggestions.server.ts';
import { assembleSnapshot } from './assemble.ts';
import { readSnapshotRows, readVersions, type SnapshotRows } from './queries.server.ts';
import type { Snapshot, Versions } from './snapshot.ts';
import { type WatchLog, watchForChanges } from './watch.server.ts';

type DetailsResult =
  | { ok: true; details: CourseDetails }
  /** Not in memory, and the database cannot be reached. */
  | { ok: false; reason: 'database-away' };

/** The snapshot in this process's memory; it stays available while the database cannot be reached (P37). */
export type SnapshotStore = {
  current(): Snapshot;
  /** Milliseconds since it was last compared with the database. */
  ageMs(): number;
  /** Suggestions from the current snapshot. */
  suggester(): Suggester;
  /** Details of a course of the snapshot, by its id. */
  details(courseId: number): Promise<DetailsResult>;
  stop(): Promise<void>;
};

export const snapshotContext = createContext<SnapshotStore>();

type KeptDetails = CourseDetails & { revision: number };

const detailsKept = 5000;

/**
 * Loads the snapshot and keeps it up to date: on a notification from the database, and by polling the versions every
 * second in case a notification is lost. Throws when the first load fails.
 */
export async function openSnapshot(db: Db, connection: Connection, log: WatchLog): Promise<SnapshotStore> {
  const details = new LRUCache<number, KeptDetails>({ max: detailsKept });
  let rows: SnapshotRows = await readSnapshotRows(db);
  let snapshot = assembleSnapshot(rows);
  const suggester = createSuggester(snapshot);
  await warm(snapshot);
  let comparedAt = performance.now();

  /** Keeps the details of the most popular courses in memory, so that they can be read without the database. */
  async function warm(next: Snapshot): Promise<void> {
    const wanted = next.courses
      .slice(0, detailsKept)
      .filter(({ id, revision }) => details.peek(id)?.revision !== revision)
      .map(({ id }) => id);
    for (const [id, kept] of await readDetails(db, wanted)) details.set(id, kept);
  }

  async function refresh(): Promise<void> {
    const askedAt = performance.now();
    if (sameVersions(await readVersions(db), snapshot.versions)) {
      comparedAt = askedAt;
      return;
    }
    const startedAt = performance.now();
    const before = { rows, snapshot };
    const nextRows = await readSnapshotRows(db, rows);
    // With thousands of courses each step takes a while: let requests run between the steps.
    await setImmediate();
    const next = assembleSnapshot(nextRows, before);
    await setImmediate();
    if (next.courses !== snapshot.courses) await warm(next);
    rows = nextRows;
    snapshot = next;
    await setImmediate();
    suggester.update(next);
    comparedAt = askedAt;
    const ms = Math.round(performance.now() - startedAt);
    log.info({ versions: next.versions, courses: next.courses.length, ms }, 'snapshot renewed');
  }

  const watch = watchForChanges(connection, refresh, log);
  return {
    current: () => snapshot,
    ageMs: () => performance.now() - comparedAt,
    suggester: () => suggester,
    async details(courseId) {
      const kept = details.get(courseId);
      if (kept && kept.revision >= (snapshot.byId.get(courseId)?.revision ?? 0)) return { ok: true, details: kept };
      try {
        const read = (await readDetails(db, [courseId])).get(courseId);
        if (read) {
          details.set(courseId, read);
          return { ok: true, details: read };
        }
      } catch (error) {
        log.warn({ err: error, courseId }, 'course details could not be read');
      }
      return kept ? { ok: true, details: kept } : { ok: false, reason: 'database-away' };
    },
    stop: watch.stop,
  };
}

function sameVersions(a: Versions, b: Versions): boolean {
  return a.courses === b.courses && a.seats === b.seats && a.catalogue === b.catalogue;
}
