import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { isLoopback, networksOf } from './client-address.server.ts';

/** How long the network address of a form is counted and kept, as a keyed hash; /privacy says the same. */
export const formWindowMs = 10 * 60 * 1000;

export type FormLimit = {
  /** How much is allowed in a window: commonly forms, for an IPv4 address or an IPv6 /64. */
  attempts: number;
  /** The limit for all addresses of an IPv6 /56 together; a /48 has four times as much. */
  attemptsOfWideNetwork: number;
  /** Milliseconds from the first attempt until the address is forgotten. */
  windowMs: number;
  /** Key of the hash under which addresses are stored; limits that are counted apart have a key each. */
  key: string;
};

/** A limit that a request has to pass. */
export type Asked = {
  limit: FormLimit;
  /** The network address, mailbox or other name it is counted by. */
  by: string;
  /** How much of the limit the request takes, 1 unless told. */
  weight?: number;
};

/** Whether there is room under all given limits. `waitMs` is the time until there is, by the present counts. */
export type Room = { ok: true; count(): Promise<void> } | { ok: false; reached: Asked; waitMs: number };

/**
 * Whether a request is within all its limits (P24). Nothing is counted before `count` is called, which counts under all
 * of them. So a request that is refused, by a limit or later, uses up nothing and writes nothing. Names are locked
 * until the caller's transaction ends, in the order of the locks' numbers, so that requests of one name are counted one
 * after the other and no two wait for each other. Call it once in a transaction.
 */
export async function askLimits(trx: Db, asked: readonly Asked[], now: Date): Promise<Room> {
  const counters = asked.flatMap(countersOf);
  // A request over a limit is refused without waiting for locks.
  const reachedBefore = await findReached(trx, counters, now);
  if (reachedBefore) return reachedBefore;
  const names = counters.map(({ network }) => network);
  await sql`select pg_advisory_xact_lock(number) from (
    select distinct hashtextextended('form limit ' || name, 0) as number from unnest(${names}::text[]) name order by 1
  ) ordered`.execute(trx);
  const reached = await findReached(trx, counters, now);
  return reached ?? { ok: true, count: () => count(trx, counters, now) };
}

/**
 * Counts an attempt under one limit; false, and nothing is counted, when it was reached. What `askLimits` says holds.
 */
export async function countAttempt(trx: Db, limit: FormLimit, by: string, now: Date): Promise<boolean> {
  const room = await askLimits(trx, [{ limit, by }], now);
  if (room.ok) await room.count();
  return room.ok;
}

type Counter = { asked: Asked; network: string; allowed: number; weight: number };

async function findReached(
  trx: Db,
  counters: readonly Counter[],
  now: Date,
): Promise<Extract<Room, { ok: false }> | null> {
  const rows = await trx
    .selectFrom('form_attempts')
    .select(['network', 'attempts', 'ends_at'])
    .where(
      'network',
      'in',
      counters.map(({ network }) => network),
    )
    .where('ends_at', '>', now)
    .execute();
  const full = counters.flatMap(({ asked, network, allowed, weight }) => {
    const row = rows.find((one) => one.network === network);
    return row && row.attempts + weight > allowed ? [{ asked, waitMs: row.ends_at.getTime() - now.getTime() }] : [];
  });
  const [first] = full;
  return first ? { ok: false, reached: first.asked, waitMs: Math.max(...full.map(({ waitMs }) => waitMs)) } : null;
}

async function count(trx: Db, counters: readonly Counter[], now: Date): Promise<void> {
  const rows = counters.map(({ asked, network, weight }) => ({
    network,
    attempts: weight,
    ends_at: new Date(now.getTime() + asked.limit.windowMs),
  }));
  await trx
    .insertInto('form_attempts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('network').doUpdateSet({
        attempts: sql`case when form_attempts.ends_at <= ${now} then excluded.attempts else form_attempts.attempts + excluded.attempts end`,
        ends_at: sql`case when form_attempts.ends_at <= ${now} then excluded.ends_at else form_attempts.ends_at end`,
      }),
    )
    .execute();
}

/** How long to wait, in words for a sentence: "7 minutes", "about 3 hours". Rounded up. */
export function waitText(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  if (minutes < 90) return minutes === 1 ? 'one minute' : `${minutes} minutes`;
  return `about ${Math.ceil(minutes / 60)} hours`;
}

/** Deletes the addresses whose window is over; returns how many. Locked rows are skipped until the next call. */
export async function forgetAttempts(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('form_attempts')
    .where('network', 'in', (attempts) =>
      attempts.selectFrom('form_attempts').select('network').where('ends_at', '<=', now).forUpdate().skipLocked(),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The keyed hash of what a provider commonly gives to one customer: an IPv4 address, an IPv6 /56. */
export function networkKey({ key }: Pick<FormLimit, 'key'>, address: string): string {
  return hashed(key, networksOf(address).customer);
}

/**
 * The same for a limit over a day and by network alone. Null for the machine's own address, which different people may
 * share: a proxy that was not set up, or a person who tries the program on their own computer.
 */
export function networkKeyOfVisitor(limit: Pick<FormLimit, 'key'>, address: string): string | null {
  return address === '' || isLoopback(address) ? null : networkKey(limit, address);
}

/** The keys of a limit: three networks for an IPv6 address, the text itself for anything else. */
function countersOf(asked: Asked): Counter[] {
  const { limit, by, weight = 1 } = asked;
  const { line, customer, site } = networksOf(by);
  const allowed = new Map([[line, limit.attempts]]);
  if (customer !== line) allowed.set(customer, limit.attemptsOfWideNetwork);
  if (site !== line) allowed.set(site, limit.attemptsOfWideNetwork * 4);
  return [...allowed].map(([network, most]) => ({ asked, network: hashed(limit.key, network), allowed: most, weight }));
}

const hashed = (key: string, network: string) => createHmac('sha256', key).update(network).digest('base64url');
