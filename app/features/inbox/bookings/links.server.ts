import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type Filling, isOf, makeLink } from '#app/outbox/private-links.server.ts';

/** Makes a further private link to a booking and returns its token. */
export const makeBookingLink = (trx: Db, bookingId: number): Promise<string> =>
  makeLink(trx, { booking_id: bookingId });

/** The name by which mails ask for the link to a booking. */
export const bookingLink = (bookingId: number): string => `booking:${bookingId}`;

/** The links of mails about a booking, as long as it is there. */
export const bookingFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('bookings').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + href('/booking/:token', { token: await makeBookingLink(trx, id) }),
};
