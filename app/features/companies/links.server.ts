import { createHmac } from 'node:crypto';
import { type Filling, isOf, makeLink } from '#app/outbox/private-links.server.ts';

/** The private page of an offer (P32, P111). */
export const offerPath = (token: string): string => `/offer/${token}`;

/** What mails call the link to an offer. */
export const offerLink = (offerId: number): string => `offer:${offerId}`;

/**
 * The token of the link by which pages of this program lead to an offer: from the form that made it, and from the version
 * before it. The same offer has the same one, so that reading a page stores nothing.
 */
export const pageToken = (secret: string, offerId: number): string =>
  createHmac('sha256', secret).update(`offer:${offerId}`).digest('hex').slice(0, 48);

/** The page of somebody who asked their employer (P113). */
export const requestPath = (token: string): string => `/employer/${token}`;

/** What mails call the link to it. */
export const requestLink = (requestId: number): string => `employer-request:${requestId}`;

/** The token by which the form that asked leads there. */
export const requestToken = (secret: string, requestId: number): string =>
  createHmac('sha256', secret).update(`employer-request:${requestId}`).digest('hex').slice(0, 48);

/** The token of the buyer's link to the enrolment that accepting an offer places, and of no other. */
export const acceptedToken = (secret: string, offerId: number): string =>
  createHmac('sha256', secret).update(`accepted-offer:${offerId}`).digest('hex').slice(0, 48);

/** The links of mails about an offer, as long as it is there. */
export const offerFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('offers').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + offerPath(await makeLink(trx, { offer_id: id })),
};

/** The links of mails to whoever asked their employer. */
export const requestFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('employer_requests').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + requestPath(await makeLink(trx, { employer_request_id: id })),
};
