import { sql } from 'kysely';
import { type Connection, createDb, type Db, type Limits } from './client.server.ts';
import { lockNumbers } from './lock-numbers.ts';

/** For connections past the pooler: the limits that the role has for those through it do not apply to them. */
export const withoutRoleLimits = '-c lock_timeout=0 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/**
 * A pooler in transaction mode takes no limits from its clients, so the program's role gets them, in this database
 * (P90). Throws when the pooler leads to another database or role, or keeps connections from before.
 */
export async function limitRole(direct: Connection, pooler: Db, limits: Limits): Promise<void> {
  const wanted = {
    idle_in_transaction_session_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
  };
  // As a new connection of the role begins.
  const db = createDb({ ...direct, options: undefined }, () => undefined);
  try {
    const begun = await readSession(db);
    if (!hasLimits(begun, wanted)) await db.transaction().execute((trx) => setLimits(trx, wanted));
    const through = await readSession(pooler);
    if (through.role !== begun.role || through.database !== begun.database)
      throw new Error('DATABASE_URL and DATABASE_DIRECT_URL name different databases or roles.');
    if (!hasLimits(through, wanted))
      throw new Error('The pooler of DATABASE_URL keeps connections without time limits: have it connect anew.');
  } finally {
    await db.destroy();
  }
}

type Values = Record<string, number>;
type Session = { role: string; database: string; limits: Values };

async function readSession(db: Db): Promise<Session> {
  const { rows } = await sql<Session>`select current_user as role, current_database() as database,
      jsonb_object_agg(name, setting::integer) as limits from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')`.execute(db);
  if (!rows[0]) throw new Error('PostgreSQL did not say who is asking.');
  return rows[0];
}

const hasLimits = ({ limits }: Session, wanted: Values) =>
  Object.entries(wanted).every(([name, ms]) => limits[name] === ms);

async function setLimits(trx: Db, wanted: Values): Promise<void> {
  // Programs that start at once take turns.
  await sql`select pg_advisory_xact_lock(${lockNumbers.grants})`.execute(trx);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(trx);
  for (const [name, ms] of Object.entries(wanted)) {
    await sql`alter role current_user in database ${sql.id(rows[0]?.name ?? '')}
      set ${sql.raw(name)} = ${sql.lit(ms)}`.execute(trx);
  }
}
