import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** The addresses among these to which the last email failed, in lower case. */
export async function bouncedAmong(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from (
      select distinct on (lower(recipient)) lower(recipient) as recipient, state from mails
      where lower(recipient) = any(${[...new Set(addresses.map((one) => one.toLowerCase()))]}::text[])
        and state in ('sent', 'failed')
      order by lower(recipient), settled_at desc) as latest
    where state = 'failed'`.execute(db);
  return new Set(rows.map(({ recipient }) => recipient));
}
