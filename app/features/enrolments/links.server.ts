import type { Db } from '#app/db/client.server.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import { type Filling, findTarget, isOf, makeLink } from '#app/outbox/private-links.server.ts';
import { enrolmentPath, placePath } from './paths.ts';

/** Makes a further private link (P32) and returns its token. Without an attendee it is the buyer's. */
export const makeEnrolmentLink = (
  trx: Db,
  enrolmentId: number,
  attendeeId: number | null = null,
  token?: string,
): Promise<string> => makeLink(trx, { enrolment_id: enrolmentId, attendee_id: attendeeId }, token);

/** The owner of a private link: the buyer when `attendeeId` is null. Null for an unknown token. */
export async function findLink(
  db: Db,
  token: string,
): Promise<{ enrolmentId: number; attendeeId: number | null } | null> {
  const target = await findTarget(db, token);
  return target?.enrolment_id ? { enrolmentId: target.enrolment_id, attendeeId: target.attendee_id } : null;
}

/**
 * Notes that the buyer's private link was used (P50). Not so for attendees: their links go on when only what is behind
 * a plus sign of the address was changed.
 */
export async function verifyBuyer(trx: Db, enrolmentId: number, at: Date): Promise<void> {
  const query = trx.selectFrom('enrolments').select('email').where('id', '=', enrolmentId);
  await verifyAddress(trx, (await query.executeTakeFirstOrThrow()).email, at);
}

/** What mails call the link of a buyer. */
export const enrolmentLink = (enrolmentId: number): string => `enrolment:${enrolmentId}`;

/** What mails call the link of an attendee. */
export const placeLink = (enrolmentId: number, attendeeId: number): string => `place:${enrolmentId}:${attendeeId}`;

/** The links of mails to a buyer, as long as the enrolment has the recipient's address. */
export const enrolmentFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('enrolments').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + enrolmentPath(await makeEnrolmentLink(trx, id)),
};

/** The links of mails to an attendee, as long as the place is of somebody with the recipient's address. */
export const placeFilling: Filling = {
  async concerns(db, [enrolmentId = 0, id = 0], recipient) {
    const query = db.selectFrom('attendees').select('email').where('id', '=', id).forShare();
    return isOf((await query.where('enrolment_id', '=', enrolmentId).executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [enrolmentId = 0, id = 0], origin) =>
    origin + placePath(await makeEnrolmentLink(trx, enrolmentId, id)),
};
