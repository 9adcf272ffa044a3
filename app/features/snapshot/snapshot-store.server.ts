import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createContext } from 'react-router';
import type { Connection, Db, Trx } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { readDetails, type ShownDetails } from '#app/features/catalogue/queries.server.ts';
import { createSuggester, type Suggester } from '#app/features/catalogue/suggestions.server.ts';
import { readWords } from '#app/features/catalogue/word-index.server.ts';
import { assembleCourseDates, type CourseDates } from '#app/features/course-dates/assemble.ts';
import type { CalendarRecord, CourseDate } from '#app/features/course-dates/course-date.ts';
import { monthAfter } from '#app/features/course-dates/month-grid.ts';
import { type CourseDatesWanted, readCourseDateRows, readSeats } from '#app/features/course-dates/queries.server.ts';
import { readKeptSeats } from '#app/features/course-dates/seats.server.ts';
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
/** Null when no course date has or had the address. Its slug differs from a former one. */
type CourseDateResult = { ok: true; courseDate: CourseDate | null; record: CalendarRecord | null } | Away;
type ReadCourseDates = ({ ok: true } & CourseDates) | Away;
type MonthResult = { ok: true; courseDates: readonly CourseDate[] } | Away;

/** The snapshot in this process's memory; it stays available while the database cannot be reached (P37). */
export type SnapshotStore = {
  current(): Snapshot;
  /** Milliseconds since it was last compared with the database. */
  ageMs(): number;
  /** Suggestions from the current snapshot. */
  suggester(): Suggester;
  /** Details of a course of the snapshot, by its id. */
  details(courseId: number): Promise<DetailsResult>;
  /** The course date of an address, past or to come, by its slug or a former one; past ones are read for it. */
  courseDate(address: string): Promise<CourseDateResult>;
  /**
   * Course dates, all that run in a month (`2025-09`) among them, by start; months that are over are read for it.
   */
  courseDatesOf(month: string): Promise<MonthResult>;
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

  async function readCourseDates(which: CourseDatesWanted): Promise<ReadCourseDates> {
    try {
      const stored = await readCourseDateRows(db, which);
      const ids = stored.map(({ id }) => id);
      const seats = ids.length === 0 ? new Map() : await readSeats(db, which);
      const kept = await readKeptSeats(db, ids);
      return { ok: true, ...assembleCourseDates(stored, seats, snapshot, kept) };
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
    async courseDate(address) {
      const slug = snapshot.courseDateAliases.get(address) ?? address;
      const kept = snapshot.courseDates.find((one) => one.slug === slug);
      if (kept) return { ok: true, courseDate: kept, record: snapshot.calendarRecords.get(kept.id) ?? null };
      // PostgreSQL takes no text with a NUL, and no address of ours has one.
      if (!/^[a-z0-9-]+$/.test(slug)) return { ok: true, courseDate: null, record: null };
      const read = await readCourseDates({ address });
      if (!read.ok) return read;
      const courseDate = read.courseDates[0] ?? null;
      return { ok: true, courseDate, record: courseDate && (read.calendarRecords.get(courseDate.id) ?? null) };
    },
    async courseDatesOf(month) {
      const from = `${month}-01`;
      if (from >= since) return { ok: true, courseDates: snapshot.courseDates };
      return readCourseDates({ from, to: addDays(`${monthAfter(month, 1)}-01`, -1) });
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
        async courseDate(address) {
          const slug = next.courseDateAliases.get(address) ?? address;
          const kept = next.courseDates.find((one) => one.slug === slug);
          if (!kept) return store.courseDate(address);
          return { ok: true, courseDate: kept, record: next.calendarRecords.get(kept.id) ?? null };
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

/** Course dates that ended before this day are not in the snapshot; it stays true while the day goes on. */
const keptSince = (today: Day): Day => `${addDays(today, -keptDays).slice(0, 7)}-01`;

function sameVersions(a: Versions, b: Versions): boolean {
  return a.courses === b.courses && a.seats === b.seats && a.catalogue === b.catalogue;
}
