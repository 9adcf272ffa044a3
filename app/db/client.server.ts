import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
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

/** A query that serves a visitor or the snapshot gives up after this; an import may take as long as it needs. */
export const servingTimeoutMs = 15_000;

/**
 * A pool of at most ten connections. `queryTimeoutMs` ends a query that hangs, 0 never. Waiting for one fails after three seconds, so that a database that is away is
 * noticed; a connection lost while idle is dropped and told to `onLost`.
 */
export function createDb(connection: Connection, onLost: (error: Error) => void, queryTimeoutMs = 0): Db {
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    connectionTimeoutMillis: 3000,
    ...(queryTimeoutMs > 0 ? { query_timeout: queryTimeoutMs } : {}),
    application_name: 'bowerbird',
  });
  pool.on('error', onLost);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
