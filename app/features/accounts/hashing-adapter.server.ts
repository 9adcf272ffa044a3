import { createHash } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions } from 'better-auth';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters';
import type { Db } from '#app/db/client.server.ts';

/** The form in which the token of a sign-in is stored: SHA-256, base64url. The token has 190 random bits, so no salt. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * What better-auth reads and writes our tables with. It stores the token of a sign-in as it is; here the hash of it is
 * stored and looked for, and better-auth gets back the token that it gave.
 */
export function hashingAdapter(db: Db): (options: BetterAuthOptions) => DBAdapter {
  const open = kyselyAdapter(db, { type: 'postgres', transaction: true });
  return (options) => {
    const adapter = open(options);
    return {
      ...adapter,
      ...hashing(adapter),
      transaction: (work) => adapter.transaction((trx) => work({ ...trx, ...hashing(trx) })),
    };
  };
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

/** A question about sign-ins with the hash in place of the token. */
function stored<A extends Asked>(asked: A): A {
  if (asked.model !== 'session') return asked;
  const where = asked.where.map((one) =>
    one.field === 'token' && typeof one.value === 'string' ? { ...one, value: hashOfToken(one.value) } : one,
  );
  return { ...asked, where };
}

/** A sign-in that was found by its token, with that token. */
function withToken<T>({ model, where }: Asked, row: T): T {
  const token = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined;
  return row && typeof token === 'string' ? { ...row, token } : row;
}
