import { type Db, poolSize, type Trx } from '#app/db/client.server.ts';
import { Busy } from '#app/db/connection-failure.server.ts';

/** How many seat transactions of one course date run at once in a program, and how many more may wait. */
const [running, waiting] = [2, 30];
const patienceMs = 5_000;
/** The share of connections for seat transactions; the rest is for pages, other forms, staff and jobs. */
const shareOfPool = 0.6;

export type SeatGate = {
  /**
   * Runs work on the seats of course dates in turn (P88). Throws `Busy` at once when too many wait for one of the
   * course dates, and after five seconds without a turn.
   */
  pass<T>(courseDateIds: readonly number[], work: () => Promise<T>): Promise<T>;
  /** How many are passing: they wait for each other and the database, not for the processor. */
  passing(): number;
};

/**
 * A gate in front of the seat transactions of one program, so that the buyers of one course date never take all
 * connections: two of a course date run at once, and `most` of all course dates together.
 */
export function createSeatGate(most: number): SeatGate {
  const gates = new Map<number, Turns>();
  const all = createTurns(most, Number.POSITIVE_INFINITY);
  let passing = 0;

  return {
    passing: () => passing,
    async pass(courseDateIds, work) {
      if (courseDateIds.length === 0) return work();
      const deadline = performance.now() + patienceMs;
      const taken: (() => void)[] = [];
      passing += 1;
      try {
        // In the order of their ids, as course dates are locked, and the connections last: nobody who has a place there waits
        // for a course date, so no two wait for each other.
        for (const id of [...new Set(courseDateIds)].sort((a, b) => a - b)) {
          const turns = gates.get(id) ?? createTurns(running, waiting);
          gates.set(id, turns);
          taken.push(await turns.take(deadline));
        }
        taken.push(await all.take(deadline));
        return await work();
      } finally {
        passing -= 1;
        for (const give of taken.reverse()) give();
        for (const id of courseDateIds) if (gates.get(id)?.isIdle()) gates.delete(id);
      }
    },
  };
}

type Turns = { take(deadline: number): Promise<() => void>; isIdle(): boolean };

/** `places` at once, and up to `mostWaiting` in a row behind them. */
function createTurns(places: number, mostWaiting: number): Turns {
  let free = places;
  const row: (() => void)[] = [];
  const give = () => {
    const next = row.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take(deadline) {
      if (free > 0) {
        free -= 1;
        return give;
      }
      if (row.length >= mostWaiting) throw new Busy('too many wait for the seats of this course date');
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(
          () => {
            row.splice(row.indexOf(turn), 1);
            reject(new Busy('others took too long with the seats of this course date'));
          },
          Math.max(0, deadline - performance.now()),
        );
        const turn = () => {
          clearTimeout(late);
          resolve();
        };
        row.push(turn);
      });
      return give;
    },
    isIdle: () => free === places && row.length === 0,
  };
}

/** The gate of each pool of this process. */
const gatesOfPools = new WeakMap<Db, SeatGate>();

/** How many requests of this process are at the gate of a pool, or behind it with a seat transaction. */
export function passingSeatGate(db: Db): number {
  return gatesOfPools.get(db)?.passing() ?? 0;
}

/**
 * Runs a transaction that begins to write seats of these course dates for a visitor's request. It waits behind the gate
 * before it takes a connection. Without course dates it is an ordinary transaction. Staff do not wait here.
 */
export function seatTransaction<T>(
  db: Db,
  courseDateIds: readonly number[],
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const gate = gatesOfPools.get(db) ?? createSeatGate(Math.max(1, Math.floor(poolSize(db) * shareOfPool)));
  gatesOfPools.set(db, gate);
  return gate.pass(courseDateIds, () => db.transaction().execute(work));
}
