import { AsyncLocalStorage } from 'node:async_hooks';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions } from 'better-auth';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters';
import type { Db } from '#app/db/client.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { addressBehind } from './stand-in.ts';

/** The form in which the token of a sign-in is stored: SHA-256, base64url. The token has 190 random bits, so no salt. */
/**
 * What better-auth reads and writes our tables with. It stores the token of a sign-in as it is; here the hash of it is
 * stored and looked for, and better-auth gets back the token that it gave.
 */
export function hashingAdapter(db: Db): (options: BetterAuthOptions) => DBAdapter {
  const open = kyselyAdapter(db, { type: 'postgres', transaction: true });
  return (options) => {
    const adapter = noting(open(options));
    return {
      ...adapter,
      ...hashing(adapter),
      transaction: (work) =>
        adapter.transaction((opened) => {
          const trx = noting(opened);
          return work({ ...trx, ...hashing(trx) });
        }),
    };
  };
}

/** What went wrong with the database during one piece of work. */
const failures = new AsyncLocalStorage<{ first?: unknown }>();

/**
 * Does a piece of work of better-auth, which answers a fault of the database with a fault of its own or with nothing.
 * Where the work fails or answers null after such a fault, that fault itself is thrown.
 */
export async function withFailures<T>(work: () => Promise<T>, isNothing: (answer: T) => boolean): Promise<T> {
  const met: { first?: unknown } = {};
  const answer = await failures.run(met, work).catch((error: unknown) => {
    throw met.first ?? error;
  });
  if (met.first && isNothing(answer)) throw met.first;
  return answer;
}

/** The same adapter, which notes the first fault of the database for `withFailures`. */
function noting<A extends object>(adapter: A): A {
  const noted = Object.entries(adapter).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    const ask = async (...asked: unknown[]) => {
      try {
        return await value(...asked);
      } catch (error) {
        const met = failures.getStore();
        if (met) met.first ??= error;
        throw error;
      }
    };
    return [name, ask];
  });
  return Object.fromEntries(noted) as A;
}

type Hashed = Pick<DBTransactionAdapter, 'create' | 'findOne' | 'findMany' | 'update' | 'delete' | 'deleteMany'>;

function hashing(adapter: DBTransactionAdapter): Hashed {
  return {
    async create<T extends object, R = T>(asked: Parameters<DBAdapter['create']>[0]): Promise<R> {
      const token = asked.model === 'session' ? asked.data.token : undefined;
      if (typeof token !== 'string') return adapter.create<T, R>(asked as never);
      const row = await adapter.create<T, R>({ ...asked, data: { ...asked.data, token: hashOfToken(token) } } as never);
      return { ...row, token };
    },
    findOne: async <T>(asked: Parameters<DBAdapter['findOne']>[0]) =>
      withToken(asked, await adapter.findOne<T>(stored(asked))),
    // Asked for one sign-in by its token too, before it is deleted.
    async findMany<T>(asked: Parameters<DBAdapter['findMany']>[0]) {
      const { where = [], ...rest } = asked;
      const rows = await adapter.findMany<T>(stored({ ...rest, where }));
      return rows.map((row) => withToken({ model: asked.model, where }, row));
    },
    update: async <T>(asked: Parameters<DBAdapter['update']>[0]) =>
      withToken(asked, await adapter.update<T>(stored(asked))),
    delete: (asked) => adapter.delete(stored(asked)),
    deleteMany: (asked) => adapter.deleteMany(stored(asked)),
  };
}

type Asked = { model: string; where: Where[] };

/** A question about sign-ins with the hash in place of the token, or about people with their own address. */
function stored<A extends Asked>(asked: A): A {
  const where = asked.where.map((one) => {
    if (typeof one.value !== 'string') return one;
    if (asked.model === 'session' && one.field === 'token') return { ...one, value: hashOfToken(one.value) };
    if (asked.model === 'user' && one.field === 'email') return { ...one, value: addressBehind(one.value) };
    return one;
  });
  return { ...asked, where };
}

/** A sign-in that was found by its token, with that token. */
function withToken<T>({ model, where }: Asked, row: T): T {
  const token = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined;
  return row && typeof token === 'string' ? { ...row, token } : row;
}
