import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { createContext } from 'react-router';
import { type Connection, type Db, servingLimits } from '../../db/client.server.ts';
import { readDetails, readSnapshot, readVersion } from './queries.server.ts';
import type { CourseDetails, Snapshot } from './snapshot.ts';
import { createSuggester, type Suggester } from './suggestions.server.ts';

type DetailsResult =
  | { ok: true; details: CourseDetails }
  /** Not in memory, and the database is away. */
  | { ok: false; reason: 'database-away' };

/** The catalogue as this process holds it; goes on answering while the database is away (P37). */
export type Catalogue = {
  snapshot(): Snapshot;
  /** Suggestions from the snapshot of the moment. */
  suggester(): Suggester;
  /** Details of a course of the snapshot. */
  details(slug: string): Promise<DetailsResult>;
  stop(): Promise<void>;
};

export const catalogueContext = createContext<Catalogue>();

type Log = { info(fields: object, message: string): void; warn(fields: object, message: string): void };
type KeptDetails = CourseDetails & { revision: number };

const detailsKept = 5000;
const pollMs = 1000;

/**
 * Loads the snapshot and keeps it true: a notification from the database rebuilds it at once, and a look at the
 * version every second finds what a lost notification missed. Throws when the first load fails.
 */
export async function openCatalogue(db: Db, connection: Connection, log: Log): Promise<Catalogue> {
  const details = new LRUCache<string, KeptDetails>({ max: detailsKept });
  let snapshot = await readSnapshot(db);
  let suggester = createSuggester(snapshot);
  await warm(snapshot);

  /** Keeps the details of the most popular courses in memory, so that they can be read without the database. */
  async function warm(next: Snapshot): Promise<void> {
    const wanted = next.courses
      .slice(0, detailsKept)
      .filter(({ card, revision }) => details.peek(card.slug)?.revision !== revision)
      .map(({ card }) => card.slug);
    for (const [slug, kept] of await readDetails(db, wanted)) details.set(slug, kept);
  }

  async function refresh(): Promise<void> {
    if ((await readVersion(db)) === snapshot.version) return;
    const startedAt = performance.now();
    const next = await readSnapshot(db);
    await warm(next);
    snapshot = next;
    suggester = createSuggester(next);
    const ms = Math.round(performance.now() - startedAt);
    log.info({ version: next.version, courses: next.courses.length, ms }, 'catalogue snapshot rebuilt');
  }

  const watch = watchForChanges(connection, refresh, log);
  return {
    snapshot: () => snapshot,
    suggester: () => suggester,
    async details(slug) {
      const kept = details.get(slug);
      if (kept && kept.revision >= (snapshot.bySlug.get(slug)?.revision ?? 0)) return { ok: true, details: kept };
      try {
        const read = (await readDetails(db, [slug])).get(slug);
        if (read) {
          details.set(slug, read);
          return { ok: true, details: read };
        }
      } catch (error) {
        log.warn({ err: error, slug }, 'course details could not be read');
      }
      return kept ? { ok: true, details: kept } : { ok: false, reason: 'database-away' };
    },
    stop: watch.stop,
  };
}

/** Calls `refresh` on each notification and each poll, one at a time; logs once when the database goes, and returns. */
function watchForChanges(connection: Connection, refresh: () => Promise<void>, log: Log) {
  let listener: pg.Client | null = null;
  let away = false;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      application_name: 'bowerbird listener',
      keepAlive: true,
      connectionTimeoutMillis: servingLimits.answerMs,
      query_timeout: servingLimits.answerMs,
    });
    const lost = () => {
      if (listener === client) listener = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', look);
    try {
      await client.connect();
      await client.query('listen catalogue');
      listener = client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        if (!listener) await listen();
        await refresh();
      } while (again && !stopped);
      if (away) log.info({}, 'snapshot is renewed again');
      away = false;
    } catch (error) {
      if (!away) log.warn({ err: error }, 'snapshot could not be renewed; serving from memory');
      away = true;
    }
  }

  function look(): void {
    if (stopped) return;
    again = true;
    running ??= run().finally(() => {
      running = null;
    });
  }

  look();
  const poll = setInterval(look, pollMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(poll);
      await running;
      await listener?.end().catch(() => undefined);
    },
  };
}
