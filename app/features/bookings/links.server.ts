import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { type Filling, tokenOf } from '#app/outbox/private-links.server.ts';

/**
 * Makes a further private link to a booking and returns its token: 192 random bits in hexadecimal, because addresses are
 * in lower case. Only its hash is stored.
 */
export async function makeLinkToken(trx: Db, bookingId: number): Promise<string> {
  const token = makeToken();
  await trx
    .insertInto('booking_links')
    .values({ token_hash: hashOfToken(token), booking_id: bookingId })
    .execute();
  return token;
}

/** What mails call the link to a booking. */
export const bookingLink = (bookingId: number): string => `booking:${bookingId}`;

/** The links of mails about a booking, as long as it is there. */
export const bookingFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('bookings').select('email').where('id', '=', id).forShare();
    const row = await query.executeTakeFirst();
    return row !== undefined && mailboxOf(row.email) === mailboxOf(recipient);
  },
  make: async (trx, [id = 0], origin) => origin + href('/booking/:token', { token: await makeLinkToken(trx, id) }),
  async end(trx, links) {
    const hashes = links.map((link) => hashOfToken(tokenOf(link)));
    await trx.deleteFrom('booking_links').where('token_hash', 'in', hashes).execute();
  },
};
