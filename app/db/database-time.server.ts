import { sql } from 'kysely';
import type { Db } from './client.server.ts';

/** The most by which a computer's clock and the database's may differ. */
const mostApartMs = 2 * 60_000;

/**
 * The database's time, by which several programs agree: a program whose computer has a wrong clock would erase, expire
 * and refund at the wrong time. It goes on by the steady clock of this process until it is asked for again.
 */
export type DatabaseTime = {
  now(): Date;
  /** Asks the database again, as after a computer that slept. */
  ask(): Promise<void>;
  /** The fault of this computer's clock; null while it is within two minutes of the database's. */
  fault(): string | null;
};

/** Asks the database for its time. `computerNow` is this computer's clock, in milliseconds. */
export async function openDatabaseTime(db: Db, computerNow: () => number = Date.now): Promise<DatabaseTime> {
  let aheadOfSteadyMs = 0;
  const nowMs = () => performance.now() + aheadOfSteadyMs;
  const ask = async () => {
    const askedAt = performance.now();
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
    const answeredAt = performance.now();
    aheadOfSteadyMs = (rows[0]?.ms ?? 0) - (askedAt + answeredAt) / 2;
  };
  await ask();
  return {
    now: () => new Date(nowMs()),
    ask,
    fault() {
      const aheadMs = computerNow() - nowMs();
      if (Math.abs(aheadMs) <= mostApartMs) return null;
      const minutes = Math.round(Math.abs(aheadMs) / 60_000);
      return `this computer's clock is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
    },
  };
}
