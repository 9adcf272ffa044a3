import { Socket } from 'node:net';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { Busy, Hung, isDamaged, isReadOnly } from './connection-failure.server.ts';
import { storeCounter } from './may-be-stored.server.ts';

/** The message of pg-pool for two cases: all connections are in use, or a new one was not made in time. */
const poolTimeout = 'timeout exceeded when trying to connect';

type PoolNeeds = {
  hungAfterMs: number;
  /** Whether a connection has the statements that were named on it; one through a pooler has those of others. */
  keepsStatements: boolean;
  onDamage(error: Error): void;
  /** A statement took longer than a second. */
  onSlow(statement: { text: string; ms: number }): void;
};

/**
 * A pool with the interface Kysely expects. A request that gets no connection in time fails with
 * `Busy` if all connections are made and in use; if one was still being made, the database may not be reachable. It fails
 * with `Hung` if the database then answered nobody for as long as it would take to cancel a statement (`hungAfterMs`).
 * Once a server says that it only reads, every connection is made anew. A
 * client whose query timed out is closed instead of reused: pg keeps waiting for the answer, and later queries on the
 * same client would wait behind it.
 */
export function discardingPool(
  pool: pg.Pool,
  { hungAfterMs, keepsStatements, onDamage, onSlow }: PoolNeeds,
): PostgresPool {
  let answeredAt = performance.now();
  const answered = (error?: Error) => {
    answeredAt = performance.now();
    if (error && isDamaged(error)) onDamage(error);
    // Another server has taken over, and the address may lead there by now (P91).
    if (error && isReadOnly(error)) era += 1;
  };
  let era = 0;
  const eras = new WeakMap<pg.PoolClient, number>();
  // The pool itself counts connections that are still being made too.
  let made = 0;
  pool.on('connect', (client) => {
    made += 1;
    eras.set(client, era);
    client.once('end', () => {
      made -= 1;
    });
  });
  const connect = async () => {
    try {
      for (;;) {
        const client = await pool.connect();
        if ((eras.get(client) ?? era) === era) return client;
        client.release(true);
      }
    } catch (error) {
      const isFull = made >= (pool.options.max ?? 0);
      if (isFull && error instanceof Error && error.message === poolTimeout) {
        if (performance.now() - answeredAt > hungAfterMs) throw new Hung('no answer', { cause: error });
        throw new Busy('all connections are in use', { cause: error });
      }
      throw error;
    }
  };
  return {
    options: pool.options,
    connect: async () => new DiscardingClient(await connect(), { answered, keepsStatements, onSlow }),
    end: () => pool.end(),
  };
}

const mostNamed = 1000;
const names = new Map<string, string>();

/**
 * The name under which each connection keeps a statement parsed and, where that costs no more, planned. A statement
 * gets no name if it has no values (it may be several in one), if it selects every column (a migration would break its
 * kept plan), or if a thousand have one already (a connection never forgets a name).
 */
function nameOf(text: string, parameters: readonly unknown[]): string | undefined {
  const name = names.get(text);
  if (name !== undefined) return name;
  if (parameters.length === 0 || names.size >= mostNamed || everyColumn.test(text)) return undefined;
  const given = `statement-${names.size + 1}`;
  names.set(text, given);
  return given;
}
const everyColumn = /(?<!count\()\*/;

const slowMs = 1000;

type ClientNeeds = Pick<PoolNeeds, 'keepsStatements' | 'onSlow'> & { answered(error?: Error): void };

class DiscardingClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient;
  private readonly counting = storeCounter();
  private fault: unknown = null;

  private readonly needs: ClientNeeds;

  constructor(client: pg.PoolClient, needs: ClientNeeds) {
    this.client = client;
    this.needs = needs;
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
    // For example the rollback of a transaction, which would wait for a second timeout.
    if (this.fault) throw this.fault;
    const askedAt = performance.now();
    try {
      const name = this.needs.keepsStatements ? nameOf(text, parameters) : undefined;
      const query = { name, text, values: [...parameters] };
      const result = await this.counting(text, () => this.client.query(query));
      this.needs.answered();
      return result;
    } catch (error) {
      // After an error reported by the database itself the connection is still usable.
      if (error instanceof pg.DatabaseError) {
        this.needs.answered(error);
      } else {
        this.fault = error;
        cut(this.client.connection.stream);
      }
      throw error;
    } finally {
      const ms = performance.now() - askedAt;
      if (ms > slowMs) this.needs.onSlow({ text, ms });
    }
  }
}

/** Closes a connection with a TCP reset where possible, so that data still in the send buffer never arrives. */
function cut(stream: pg.Connection['stream']): void {
  try {
    if (stream instanceof Socket) stream.resetAndDestroy();
  } catch {
    // Unix and TLS sockets cannot be reset.
  }
  stream.destroy();
}
