import type pg from 'pg';
import { expect, test } from 'vitest';
import { Busy, Hung } from './connection-failure.server.ts';
import { discardingPool } from './discarding-pool.server.ts';

/** A pool of one connection, which is made and in use for ever. */
function fullPool(hungAfterMs: number) {
  const pool = {
    options: { max: 1 },
    on: (_event: string, listen: (client: object) => void) => listen({ once: () => undefined }),
    connect: async () => Promise.reject(new Error('timeout exceeded when trying to connect')),
  };
  return discardingPool(pool as unknown as pg.Pool, {
    hungAfterMs,
    keepsStatements: true,
    onDamage: () => undefined,
    onSlow: () => undefined,
  });
}

test('with all connections in use the database is busy, and away once it answered nobody for too long', async () => {
  await expect(fullPool(60_000).connect()).rejects.toBeInstanceOf(Busy);
  await expect(fullPool(-1).connect()).rejects.toBeInstanceOf(Hung);
});
