import type { Trx } from '#app/db/client.server.ts';
import { type Enrolment, isBuyers, type Place } from '#app/features/enrolments/enrolment.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import type { OpeningCost } from '#app/features/enrolments/modules.ts';
import { purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { costOfOpening } from '#app/features/money/refund.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { returnWhenAway } from '#app/http/database-away.server.ts';

/** Why a private page cannot be shown: the link is unknown, or the database is away. */
export type NotShown = 'no-link' | 'away';

type Read<T> = (trx: Trx, enrolment: Enrolment, moment: Moment) => Promise<T>;

/** Reads for the buyer's private link (P32), all as of one moment. Changes nothing: mail scanners open links. */
export function readForBuyer<T>(academy: Academy, token: string, read: Read<T>): Promise<T | NotShown> {
  return readByLink(academy, token, (trx, link, moment) =>
    link.attendeeId === null
      ? readEnrolment(trx, link.enrolmentId).then((enrolment) => read(trx, enrolment, moment))
      : 'no-link',
  );
}

/**
 * The places of an attendee's private link (P32): their own, without those that were moved away. The cost of opening a
 * module is told only to a buyer who attends.
 */
export function readForAttendee<T>(
  academy: Academy,
  token: string,
  read: (
    enrolment: Pick<Enrolment, 'id' | 'reference' | 'sequence' | 'changedAt'>,
    own: Place[],
    moment: Moment,
    costOf: (place: Place) => OpeningCost,
    trx: Trx,
  ) => T | Promise<T>,
): Promise<T | NotShown> {
  return readByLink(academy, token, async (trx, { enrolmentId, attendeeId }, moment) => {
    if (attendeeId === null) return 'no-link';
    const enrolment = await readEnrolment(trx, enrolmentId);
    const { reference, sequence, changedAt, places } = enrolment;
    const own = places.filter(
      ({ attendee, cancelledWhy }) => attendee.id === attendeeId && cancelledWhy !== 'transfer',
    );
    return read(
      { id: enrolmentId, reference, sequence, changedAt },
      own,
      moment,
      await openingCosts(trx, enrolment, own, moment),
      trx,
    );
  });
}

async function openingCosts(
  trx: Trx,
  enrolment: Enrolment,
  own: readonly Place[],
  { now, today }: Moment,
): Promise<(place: Place) => OpeningCost> {
  if (!own.some((place) => place.way === 'guided' && isBuyers(enrolment, place))) return () => null;
  const charged = await chargedFor(trx, enrolment.id);
  return (place) => {
    if (!isBuyers(enrolment, place)) return null;
    const bought = refundable(purchaseOf(enrolment, place, today), { charged, today });
    return costOfOpening(bought, place.id, now);
  };
}

async function readByLink<T>(
  academy: Academy,
  token: string,
  read: (
    trx: Trx,
    link: { enrolmentId: number; attendeeId: number | null },
    moment: Moment,
  ) => Promise<T | NotShown> | NotShown,
): Promise<T | NotShown> {
  try {
    return await academy.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const link = await findLink(trx, token);
        return link ? read(trx, link, momentOf(academy)) : 'no-link';
      });
  } catch (error) {
    returnWhenAway(error);
    return 'away';
  }
}
