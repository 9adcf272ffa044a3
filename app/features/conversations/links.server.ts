import { createHmac } from 'node:crypto';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { type Filling, tokenOf } from '#app/outbox/private-links.server.ts';

/**
 * The token of the link that the form with an idempotency key leads to: 192 bits in hexadecimal, because addresses are
 * in lower case. Made from the key, so that the same form sent again leads to the same conversation (P25), and nobody
 * without the form can.
 */
export function tokenOfForm(secret: string, idempotencyKey: string): string {
  return createHmac('sha256', secret).update(`conversation:${idempotencyKey}`).digest('hex').slice(0, 48);
}

/** Makes a further private link to a conversation and returns its token. */
async function makeLinkToken(trx: Db, conversationId: number): Promise<string> {
  const token = makeToken();
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

/** What mails call the link to a conversation. */
export const conversationLink = (conversationId: number): string => `conversation:${conversationId}`;

/** The links of mails about a conversation, as long as it is there with the recipient's address. */
export const conversationFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('conversations').select('email').where('id', '=', id).forShare();
    const row = await query.executeTakeFirst();
    return typeof row?.email === 'string' && mailboxOf(row.email) === mailboxOf(recipient);
  },
  make: async (trx, [id = 0], origin) => origin + href('/chat/:token', { token: await makeLinkToken(trx, id) }),
  async end(trx, links) {
    const hashes = links.map((link) => hashOfToken(tokenOf(link)));
    await trx.deleteFrom('conversation_links').where('token_hash', 'in', hashes).execute();
  },
};
