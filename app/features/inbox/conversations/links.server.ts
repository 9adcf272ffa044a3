import { createHmac } from 'node:crypto';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type Filling, findTarget, isOf, makeLink } from '#app/outbox/private-links.server.ts';

/**
 * The token of the link that the form with an idempotency key leads to: 192 bits in hexadecimal, because addresses are
 * in lower case. Made from the key, so that the same form sent again leads to the same conversation (P25), and nobody
 * without the form can.
 */
export function tokenOfForm(secret: string, idempotencyKey: string): string {
  return createHmac('sha256', secret).update(`conversation:${idempotencyKey}`).digest('hex').slice(0, 48);
}

/** The id of the conversation a private link leads to, null when there is none. */
export const findByToken = async (db: Db, token: string): Promise<number | null> =>
  (await findTarget(db, token))?.conversation_id ?? null;

/** The name by which mails ask for the link to a conversation. */
export const conversationLink = (conversationId: number): string => `conversation:${conversationId}`;

/** The links of mails about a conversation, as long as it is there with the recipient's address. */
export const conversationFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('conversations').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) =>
    origin + href('/chat/:token', { token: await makeLink(trx, { conversation_id: id }) }),
};
