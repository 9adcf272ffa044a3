import { randomBytes } from 'node:crypto';
import type { Db } from './client.server.ts';

/** A generated secret of 256 bits: created by the first call and stored, so that it is the same for every process. */
export async function programSecret(
  db: Db,
  name:
    | 'accounts-address'
    | 'badge-keys'
    | 'database'
    | 'form'
    | 'form-limit'
    | 'lost-searches'
    | 'mail-address'
    | 'sign-in'
    | 'sign-in-limit',
): Promise<string> {
  const read = () => db.selectFrom('program_secrets').select('value').where('name', '=', name);
  const known = await read().executeTakeFirst();
  if (known) return known.value;
  await db
    .insertInto('program_secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await read().executeTakeFirstOrThrow()).value;
}
