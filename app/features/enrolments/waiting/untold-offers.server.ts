import type { Db } from '#app/db/client.server.ts';

/** Offers that ran out or were withdrawn, of which the person has not been told yet. */
export const untoldOffers = (db: Db) =>
  db
    .selectFrom('waiting_offers')
    .where('ended_at', 'is not', null)
    .where('ended', 'in', ['lapsed', 'withdrawn'])
    .where('waiting_offers.told_at', 'is', null);
