import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { discardingPool } from './discarding-pool.server.ts';
import type { DB } from './schema.ts';

export type Db = Kysely<DB>;

export type Connection =
  | { connectionString: string }
  | { host: string; user: string; password: string; database: string };

// Calendar days stay ISO text: a Date would drag a time zone in.
const dateType = 1082;
pg.types.setTypeParser(dateType, (text) => text);
// Counters and ratings stay far below 2^53; money is an integer of cents.
const [bigintType, numericType] = [20, 1700];
pg.types.setTypeParser(bigintType, Number);
pg.types.setTypeParser(numericType, Number);

/** How long one statement may take, in milliseconds, so that nobody waits on a database that does not answer. */
export type Limits = {
  /** The server gives up waiting for a lock. */
  lockMs: number;
  /** The server gives up a statement, and a transaction whose next statement does not come. */
  statementMs: number;
  /** The client gives up waiting for an answer. */
  answerMs: number;
};

/**
 * For what serves visitors and the snapshot; imports and migrations take as long as they need. The server gives up
 * first: were the client first, a statement could be carried out after its visitor was told that it was not.
 */
export const servingLimits: Limits = { lockMs: 5_000, statementMs: 8_000, answerMs: 10_000 };

const connectMs = 3_000;

/**
 * A pool of at most ten connections. Waiting for one fails after three seconds, so that a database that is away is
 * noticed. A connection that is lost, in use or idle, is dropped and told to `onLost`; what was asked on it rejects.
 */
export function createDb(connection: Connection, onLost: (error: Error) => void, limits?: Limits): Db {
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    connectionTimeoutMillis: connectMs,
    application_name: 'bowerbird',
    keepAlive: true,
    lock_timeout: limits?.lockMs,
    statement_timeout: limits?.statementMs,
    idle_in_transaction_session_timeout: limits?.statementMs,
    query_timeout: limits?.answerMs,
  });
  // The pool listens to idle clients only: one lost while in use would end the process.
  pool.on('connect', (client) => client.on('error', onLost));
  // The client has told it already.
  pool.on('error', () => undefined);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: discardingPool(pool) }) });
}

/** What a log may hold of a lost connection: the error itself can carry the whole client, settings included. */
export function lossOf(error: Error): { code: string; reason: string } {
  return { code: (error as { code?: string }).code ?? 'unknown', reason: error.message };
}
