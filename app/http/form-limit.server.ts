import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

export type FormLimit = {
  /** How many forms one address may send in a window; an IPv6 address counts as its /64 network. */
  attempts: number;
  /** How many all addresses of an IPv6 /56 may send: what a provider commonly gives to one customer. */
  attemptsOfWideNetwork: number;
  /** Milliseconds from the first attempt until the address is forgotten. */
  windowMs: number;
  /** Key of the hash under which addresses are stored. */
  key: string;
};

/**
 * Counts an attempt inside the caller's transaction; false when the address had reached its limit (P24). Locks the
 * address's row until the transaction ends, so that attempts of one address are counted one after the other.
 */
export async function countAttempt(trx: Db, limit: FormLimit, address: string, now: Date): Promise<boolean> {
  const networks = networksOf(limit, address);
  const endsAt = new Date(now.getTime() + limit.windowMs);
  const counted = await trx
    .insertInto('form_attempts')
    .values(networks.map(({ network }) => ({ network, attempts: 1, ends_at: endsAt })))
    .onConflict((conflict) =>
      conflict.column('network').doUpdateSet({
        attempts: sql`case when form_attempts.ends_at <= ${now} then 1 else form_attempts.attempts + 1 end`,
        ends_at: sql`case when form_attempts.ends_at <= ${now} then excluded.ends_at else form_attempts.ends_at end`,
      }),
    )
    .returning(['network', 'attempts'])
    .execute();
  return networks.every(({ network, allowed }) =>
    counted.some((row) => row.network === network && row.attempts <= allowed),
  );
}

/** Undoes the attempt counted in this transaction, for when nothing new was stored. */
export async function uncountAttempt(trx: Db, limit: FormLimit, address: string): Promise<void> {
  const networks = networksOf(limit, address).map(({ network }) => network);
  await trx
    .updateTable('form_attempts')
    .set({ attempts: sql`attempts - 1` })
    .where('network', 'in', networks)
    .execute();
}

/** Deletes the addresses whose window is over; returns how many. Locked rows are skipped until the next call. */
export async function forgetAttempts(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('form_attempts')
    .where('network', 'in', (over) =>
      over.selectFrom('form_attempts').select('network').where('ends_at', '<=', now).forUpdate().skipLocked(),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The keyed hash of what a provider commonly gives to one customer: an IPv4 address, an IPv6 /56. */
export function networkKey(limit: Pick<FormLimit, 'key'>, address: string): string {
  return networksOf({ ...limit, attempts: 0, attemptsOfWideNetwork: 0 }, address).at(-1)?.network ?? '';
}

/**
 * The same for what is counted over a day and by network alone; null for the machine's own address, behind which stand
 * different people: a proxy that was not set up, or whoever tries the program on their desk.
 */
export function networkKeyOfVisitor(limit: Pick<FormLimit, 'key'>, address: string): string | null {
  return address === '' || loopback.test(address) ? null : networkKey(limit, address);
}

const loopback = /^(::ffff:)?127\.|^::1$/;

/** The networks an address is counted under, the narrower first: every transaction locks them in this order. */
function networksOf(
  limit: Pick<FormLimit, 'key' | 'attempts' | 'attemptsOfWideNetwork'>,
  address: string,
): { network: string; allowed: number }[] {
  const hashed = (network: string) => createHmac('sha256', limit.key).update(network).digest('base64url');
  if (!isIPv6(address)) return [{ network: hashed(address), allowed: limit.attempts }];
  const groups = groupsOf(address).slice(0, 4);
  const wide = [...groups.slice(0, 3), `${groups[3]?.slice(0, 2)}00`];
  return [
    { network: hashed(`${groups.join(':')}/64`), allowed: limit.attempts },
    { network: hashed(`${wide.join(':')}/56`), allowed: limit.attemptsOfWideNetwork },
  ];
}

/** The eight groups of an IPv6 address, four digits each. Parsing it as a URL normalises its notation. */
function groupsOf(address: string): string[] {
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail = ''] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => group.padStart(4, '0'));
}
