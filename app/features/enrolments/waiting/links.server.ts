import type { Db } from '#app/db/client.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { type Filling, isOf, makeLink } from '#app/outbox/private-links.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { untilText, waitingPath } from './rules.ts';

/** Makes a further private link to an entry and returns its token, as enrolments do. */
export const makeWaitingToken = (trx: Db, entryId: number): Promise<string> =>
  makeLink(trx, { waiting_entry_id: entryId });

/** What mails call the link to an entry. */
export const waitingLink = (entryId: number): string => `waiting:${entryId}`;

/** The name of the link to an offer, while it is open. */
export const offerLink = (offerId: number): string => `waiting-offer:${offerId}`;

/** The placeholder in the mail of an offer for its end, which counts from when the mail server took the mail. */
export const offerEndOf = (offerId: number): string => `waiting-offer-end:${offerId}`;

/** The links of mails about an entry, as long as it is there. */
export const waitingFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('waiting_entries').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + waitingPath(await makeWaitingToken(trx, id)),
};

/** The links of the mail of an offer: one that is over is not told of. */
export const offerFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    return isOf((await standing(db, id).select('email').forShare().executeTakeFirst())?.email, recipient);
  },
  async make(trx, [id = 0], origin) {
    const { entryId } = await standing(trx, id).select('entry_id as entryId').executeTakeFirstOrThrow();
    return origin + waitingPath(await makeWaitingToken(trx, entryId));
  },
};

/** The end of an offer whose mail is taken now. */
export const offerEndFilling = (clock: Clock): Filling => ({
  concerns: offerFilling.concerns,
  async make(trx, [id = 0]) {
    const courseDate = await standing(trx, id)
      .innerJoin('course_dates', 'course_dates.id', 'waiting_offers.course_date_id')
      .select(['enrolment_ends_on as enrolmentEndsOn', 'starts_on as startsOn'])
      .executeTakeFirstOrThrow();
    return untilText(offerEnd(clock.now(), courseDate));
  },
});

const standing = (db: Db, offerId: number) =>
  db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .where('waiting_offers.id', '=', offerId)
    .where('ended_at', 'is', null);
