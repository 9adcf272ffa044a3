import { createHmac } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';

/** An email address as a keyed hash: 64 hexadecimal digits. Capital letters make no difference. */
export async function addressHash(db: Db, address: string): Promise<string> {
  const key = await programSecret(db, 'mail-address');
  return createHmac('sha256', key).update(address.trim().toLowerCase()).digest('hex');
}
