import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createContext } from 'react-router';
import type { Connection, Db, Trx } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { readDetails, type ShownDetails } from '#app/features/catalogue/queries.server.ts';
import { createSuggester, type Suggester } from '#app/features/catalogue/suggestions.server.ts';
import { readWords } from '#app/features/catalogue/word-index.server.ts';
import { readKeptSeats } from '#app/features/seats/queries.server.ts';
import { assembleSessions, type Sessions } from '#app/features/sessions/assemble.ts';
import { monthAfter } from '#app/features/sessions/month-grid.ts';
import { readSeats, readSessionRows, type SessionsWanted } from '#app/features/sessions/queries.server.ts';
import type { CalendarRecord, TrainingSession } from '#app/features/sessions/session.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { assembleSnapshot } from './assemble.ts';
import { readRowsIn, readSnapshotRows, readVersions, type SnapshotRows } from './queries.server.ts';
import { renewalFault } from './renewal-fault.server.ts';
import type { Snapshot, Versions } from './snapshot.ts';
import { type WatchLog, watchForChanges } from './watch.server.ts';

/** Not in memory, and the database cannot be reached. */
type Away = { ok: false; reason: 'database-away' };
type DetailsResult = { ok: true; details: ShownDetails } | Away;
/** Null when no session has or had the address. Its slug differs from a former one. */
type SessionResult = { ok: true; session: TrainingSession | null; record: CalendarRecord | null } | Away;
type ReadSessions = ({ ok: true } & Sessions) | Away;
type MonthResult = { ok: true; sessions: readonly TrainingSession[] } | Away;

/** The snapshot in this process's memory; it stays available while the database cannot be reached (P37). */
export type SnapshotStore = {
  current(): Snapshot;
  /** Milliseconds since it was last compared with the database. */
  ageMs(): number;
  /** Suggestions from the current snapshot. */
  suggester(): Suggester;
  /** Details of a course of the snapshot, by its id. */
  details(courseId: number): Promise<DetailsResult>;
  /** The training session of an address, past or to come, by its slug or a former one; past ones are read for it. */
  session(address: string): Promise<SessionResult>;
  /**
   * Training sessions, all that run in a month (`2025-09`) among them, by start; months that are over are read for it.
   */
  sessionsOf(month: string): Promise<MonthResult>;
  /**
   * A store as it would be after `write`, for one request: what `write` does in its transaction is undone before this
   * returns, and nobody else sees it (P72).
   */
  over(write: (trx: Trx) => Promise<void>): Promise<SnapshotStore>;
  stop(): Promise<void>;
};

export const snapshotContext = createContext<SnapshotStore>();

type KeptDetails = ShownDetails & { revision: number };

const detailsKept = 5000;

/**
 * Loads the snapshot and keeps it up to date: on a notification from the database, and by polling the versions every
 * second in case a notification is lost. Throws when the first load fails.
 */
export async function openSnapshot(
  db: Db,
  connection: Connection,
  clock: Clock,
  log: WatchLog,
): Promise<SnapshotStore> {
  const details = new LRUCache<number, KeptDetails>({ max: detailsKept });
  let since = keptSince(academyToday(clock));
  let rows: SnapshotRows = await readSnapshotRows(db, since);
  let snapshot = assembleSnapshot(rows);
  await readWords(snapshot.courses);
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
    const nextSince = keptSince(academyToday(clock));
    const nextRows = await readSnapshotRows(db, nextSince, rows);
    // With thousands of courses each step takes a while: let requests run between the steps.
    await setImmediate();
    const next = assembleSnapshot(nextRows, before);
    await setImmediate();
    if (next.courses !== snapshot.courses) {
      await warm(next);
      await readWords(next.courses);
    }
    suggester.update(next);
    rows = nextRows;
    snapshot = next;
    since = nextSince;
    comparedAt = askedAt;
    const ms = Math.round(performance.now() - startedAt);
    log.info({ versions: next.versions, courses: next.courses.length, ms }, 'snapshot renewed');
  }

  async function readSessions(which: SessionsWanted): Promise<ReadSessions> {
    try {
      const stored = await readSessionRows(db, which);
      const ids = stored.map(({ id }) => id);
      const seats = ids.length === 0 ? new Map() : await readSeats(db, which);
      const kept = await readKeptSeats(db, ids);
      return { ok: true, ...assembleSessions(stored, seats, snapshot, kept) };
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      return { ok: false, reason: 'database-away' };
    }
  }

  const watch = watchForChanges(connection, refresh, { log, watched: renewalFault(db, clock) });
  const store: SnapshotStore = {
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
    async session(address) {
      const slug = snapshot.sessionAliases.get(address) ?? address;
      const kept = snapshot.sessions.find((one) => one.slug === slug);
      if (kept) return { ok: true, session: kept, record: snapshot.calendarRecords.get(kept.id) ?? null };
      // PostgreSQL takes no text with a NUL, and no address of ours has one.
      if (!/^[a-z0-9-]+$/.test(slug)) return { ok: true, session: null, record: null };
      const read = await readSessions({ address });
      if (!read.ok) return read;
      const session = read.sessions[0] ?? null;
      return { ok: true, session, record: session && (read.calendarRecords.get(session.id) ?? null) };
    },
    async sessionsOf(month) {
      const from = `${month}-01`;
      if (from >= since) return { ok: true, sessions: snapshot.sessions };
      return readSessions({ from, to: addDays(`${monthAfter(month, 1)}-01`, -1) });
    },
    async over(write) {
      const before = { rows, snapshot };
      const read = await undone(db, async (trx) => {
        await write(trx);
        const over = await readRowsIn(trx, since, before.rows);
        const changed = [...over.courses.values()].filter(
          ({ id, revision }) => before.rows.courses.get(id)?.revision !== revision,
        );
        return {
          over,
          details: await readDetails(
            trx,
            changed.map(({ id }) => id),
          ),
        };
      });
      const next = assembleSnapshot(read.over, before);
      return {
        ...store,
        current: () => next,
        async details(courseId) {
          const changed = read.details.get(courseId);
          return changed ? { ok: true, details: changed } : store.details(courseId);
        },
        async session(address) {
          const slug = next.sessionAliases.get(address) ?? address;
          const kept = next.sessions.find((one) => one.slug === slug);
          if (!kept) return store.session(address);
          return { ok: true, session: kept, record: next.calendarRecords.get(kept.id) ?? null };
        },
        over: () => Promise.reject(new Error('a store over another one is not laid over again')),
      };
    },
    stop: watch.stop,
  };
  return store;
}

/** Runs `work` in a transaction that is rolled back, and returns its result. */
async function undone<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  let found: { value: T } | undefined;
  const undo = new Error('undone');
  try {
    await db.transaction().execute(async (trx) => {
      found = { value: await work(trx) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!found) throw undo;
  return found.value;
}

/** The calendar of this month, and of last month in its first days, is shown without the database. */
const keptDays = 7;

/** Training sessions that ended before this day are not in the snapshot; it stays true while the day goes on. */
const keptSince = (today: Day): Day => `${addDays(today, -keptDays).slice(0, 7)}-01`;

function sameVersions(a: Versions, b: Versions): boolean {
  return a.courses === b.courses && a.seats === b.seats && a.catalogue === b.catalogue;
}
