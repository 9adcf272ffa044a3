import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { databaseTrouble } from './connection-failure.server.ts';

type Work = { stores: number; within: Work | undefined };

const current = new AsyncLocalStorage<Work>();

/**
 * Does work on the database and tells it, at any moment, whether it has stored anything or may have: whether a commit
 * or a write outside of a transaction was sent and not refused. If the answer to one is lost, only the database knows.
 * Writes of an open transaction do not count, because a lost connection rolls them back.
 */
export function watchingStores<T>(work: (mayBeStored: () => boolean) => Promise<T>): Promise<T> {
  const own: Work = { stores: 0, within: current.getStore() };
  return current.run(own, () => work(() => own.stores > 0));
}

function count(by: 1 | -1): void {
  for (let work = current.getStore(); work; work = work.within) work.stores += by;
}

const begins = /^\s*(begin|start transaction)\b/i;
const commits = /^\s*(commit|end)\b/i;
const undoes = /^\s*rollback(?! to\b)/i;
const reads = /^\s*select\b/i;
const writes = /\b(insert|update|delete|merge)\b/i;

/** Counts the statements of one connection, as long as one asker has it, for the work that sends them. */
export function storeCounter(): <T>(text: string, send: () => Promise<T>) => Promise<T> {
  let open = false;
  return async (text, send) => {
    if (begins.test(text)) open = true;
    const stores = commits.test(text) || (!open && !reads.test(text) && writes.test(text));
    if (commits.test(text) || undoes.test(text)) open = false;
    if (!stores) return send();
    count(1);
    try {
      return await send();
    } catch (error) {
      // The database has refused it, and stored nothing.
      if (error instanceof pg.DatabaseError && databaseTrouble(error) !== 'away') count(-1);
      throw error;
    }
  };
}
