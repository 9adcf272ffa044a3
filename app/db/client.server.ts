import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { discardingPool } from './discarding-pool.server.ts';
import type { DB } from './schema.ts';

export type Db = Kysely<DB>;

/** The handle that commands write with; the type refuses one outside of a transaction. */
export type Trx = Transaction<DB>;

export type Connection = (
  | { connectionString: string }
  | { host: string; user: string; password: string; database: string }
) & {
  /** Through a pooler in transaction mode, where a session's settings and statements are not its own (P90). */
  pooled?: boolean;
  /** Settings of each session, such as `-c lock_timeout=0`. */
  options?: string;
};

// Calendar days stay ISO text: a Date would add a time zone.
const [dateType, datesType, textsType] = [1082, 1182, 1009];
pg.types.setTypeParser(dateType, (text) => text);
pg.types.setTypeParser(datesType, pg.types.getTypeParser(textsType));
// Counters and ratings stay far below 2^53; money is an integer of cents.
const [bigintType, numericType] = [20, 1700];
pg.types.setTypeParser(bigintType, Number);
pg.types.setTypeParser(numericType, Number);

/** Time limits of one statement in milliseconds, so that no request hangs on a database that does not answer. */
export type Limits = {
  /** The server gives up waiting for a lock. */
  lockMs: number;
  /** The server cancels a statement that takes longer, and ends a transaction that is idle for longer. */
  statementMs: number;
  /** The client gives up waiting for an answer. */
  answerMs: number;
  /** The client gives up waiting for a connection; 3,000 by default. */
  connectMs?: number;
};

/**
 * Limits for requests and the snapshot; migrations and the filling of an empty database have none. The server's limits are shorter than the
 * client's: otherwise a statement could still be executed after the visitor was told that it had failed.
 */
export const servingLimits: Limits = { lockMs: 5_000, statementMs: 8_000, answerMs: 10_000 };

const connectMs = 3_000;

/** The `application_name` of all connections of this program, and of no other program. */
const programName = `bowerbird ${randomBytes(8).toString('hex')}`;

/** How many connections a pool has at most by default. */
const defaultPool = 10;

/**
 * A pool of at most `most` connections. Waiting for one fails after three seconds: with `Busy` when all are in use, and
 * otherwise as the attempt to connect does, so that an unreachable database is noticed. A lost connection, in use or
 * idle, is dropped and reported to `onLost`; its pending queries reject.
 */
export function createDb(
  connection: Connection,
  onLost: (error: Error) => void,
  limits?: Limits,
  most = defaultPool,
): Db {
  const pool = new pg.Pool({
    ...connection,
    max: most,
    connectionTimeoutMillis: limits?.connectMs ?? connectMs,
    application_name: programName,
    keepAlive: true,
    ...(connection.pooled ? {} : limitsOfSession(limits)),
    query_timeout: limits?.answerMs,
  });
  // The pool handles errors of idle clients only: an unhandled error of a client in use would end the process.
  pool.on('connect', (client) => client.on('error', onLost));
  // The client's own handler has already reported it.
  pool.on('error', () => undefined);
  const heard = discardingPool(pool, {
    keepsStatements: !connection.pooled,
    hungAfterMs: limits?.statementMs ?? Number.POSITIVE_INFINITY,
    onDamage: (error) => damages.set(db, error.message),
    onSlow: ({ text, ms }) => {
      slowest.set(db, [...slowStatements(db), { text, ms, at: performance.now() }].slice(-slowKept));
    },
  });
  const db: Db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: heard }) });
  pools.set(db, pool);
  return db;
}

const limitsOfSession = (limits?: Limits) => ({
  lock_timeout: limits?.lockMs,
  statement_timeout: limits?.statementMs,
  idle_in_transaction_session_timeout: limits?.statementMs,
});

const pools = new WeakMap<Db, pg.Pool>();
const damages = new WeakMap<Db, string>();
const slowest = new WeakMap<Db, readonly SlowStatement[]>();
const slowKept = 10;

/** A statement without its values; `at` is on the clock of `performance`. */
export type SlowStatement = { text: string; ms: number; at: number };

/** The last ten statements of a client that took longer than a second, oldest first. */
export const slowStatements = (db: Db): readonly SlowStatement[] => slowest.get(db) ?? [];

/**
 * The message with which the database last could not read its own data, since this client was made; null when there was
 * none.
 */
export const damageOf = (db: Db): string | null => damages.get(db) ?? null;

/** How many connections a client's pool may have. */
export function poolSize(db: Db): number {
  return pools.get(db)?.options.max ?? defaultPool;
}

/** The connections of a client's pool: how many there are, how many are idle, and how many requests wait for one. */
export function poolState(db: Db): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db);
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
}

/** The loggable details of a lost connection: the error itself can hold the whole client with its settings. */
export function lossOf(error: Error): { code: string; reason: string } {
  return { code: (error as { code?: string }).code ?? 'unknown', reason: error.message };
}
