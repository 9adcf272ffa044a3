import { Socket } from 'node:net';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';

/**
 * A pool as Kysely wants it. A client that the database did not answer in time is closed instead of used again: pg goes
 * on waiting for that answer, and everything asked later on the same client would wait behind it.
 */
export function discardingPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new DiscardingClient(await pool.connect()),
    end: () => pool.end(),
  };
}

class DiscardingClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient;
  private fault: unknown = null;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('Results are read whole here; there are no cursors.');
    return this.ask(text, parameters);
  }

  release(): void {
    this.client.release(this.fault !== null);
  }

  private async ask(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    // The rollback of a transaction, for one: it would wait as long again.
    if (this.fault) throw this.fault;
    try {
      return await this.client.query(text, [...parameters]);
    } catch (error) {
      // What the database itself answers leaves the connection in order.
      if (!(error instanceof pg.DatabaseError)) {
        this.fault = error;
        cut(this.client.connection.stream);
      }
      throw error;
    }
  }
}

/** Ends a connection by a reset where that can be had, so that what waits to be sent never reaches the server. */
function cut(stream: pg.Connection['stream']): void {
  try {
    if (stream instanceof Socket) stream.resetAndDestroy();
  } catch {
    // A Unix socket, or one inside TLS.
  }
  stream.destroy();
}
