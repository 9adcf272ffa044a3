import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#app/db/client.server.ts';

/**
 * The token of the link that the form with an idempotency key leads to: 192 bits in hexadecimal, because addresses are
 * in lower case. Made from the key, so that the same form sent again leads to the same conversation (P25), and nobody
 * without the form can.
 */
export function tokenOfForm(secret: string, idempotencyKey: string): string {
  return createHmac('sha256', secret).update(`conversation:${idempotencyKey}`).digest('hex').slice(0, 48);
}

/** Makes a further private link to a conversation and returns its token. */
export async function makeLinkToken(trx: Db, conversationId: number): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await addLink(trx, conversationId, token);
  return token;
}

/** Stores the hash of a link's token. */
export async function addLink(trx: Db, conversationId: number, token: string): Promise<void> {
  await trx
    .insertInto('conversation_links')
    .values({ token_hash: hashOfToken(token), conversation_id: conversationId })
    .execute();
}

/** The id of the conversation a private link leads to, null when there is none. */
export async function findByToken(db: Db, token: string): Promise<number | null> {
  const link = await db
    .selectFrom('conversation_links')
    .select('conversation_id')
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return link?.conversation_id ?? null;
}

const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
