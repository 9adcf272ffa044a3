import type { Db, Trx } from '#app/db/client.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { refundAt } from '#app/features/money/refund-ladder.ts';
import { takenOffBefore } from '#app/features/money/taken-off.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { bookCancellation } from './book-cancellation.server.ts';
import { readCancellation } from './cancel-enrolment.server.ts';
import { creditInWords, raisesInWords } from './cancellation-words.ts';
import { lockEnrolment, markChanged } from './lock-enrolment.server.ts';
import { queuePlaceMails } from './mails.server.ts';
import { mayBeSoldAgain } from './may-be-sold-again.server.ts';
import { owedInWords } from './money-mails.server.ts';
import { readEnrolment } from './queries.server.ts';
import { refundablePlace } from './refundable.ts';
import { type SeatSale, soldAgain } from './seats-sold-again.ts';

type KeptPlace = { placeId: number; enrolmentId: number; sessionId: number };

/**
 * Refunds the rest of the price of cancelled places whose seats were sold again (P40), each place by itself. Returns
 * how many places were refunded.
 */
export async function refundSoldAgain(db: Db, moment: Moment): Promise<number> {
  const { today, now } = moment;
  const named = {
    job: 'refund seats sold again',
    items: await readCandidates(db, today),
    keyOf: ({ placeId }: KeptPlace) => `place:${placeId}`,
    at: now,
  };
  return eachItem(db, named, (trx, kept) => refundOne(trx, kept, moment));
}

/** Cancelled places in full sessions with a later sale, the earliest cancellation first. */
const readCandidates = (db: Db, today: Day): Promise<KeptPlace[]> =>
  mayBeSoldAgain(db, today)
    .innerJoin('seat_movements as given', (join) =>
      join.onRef('given.place_id', '=', 'places.id').on('given.kind', '=', 'cancellation'),
    )
    .select(['places.id as placeId', 'places.enrolment_id as enrolmentId', 'session.id as sessionId'])
    .where('session.capacity', '<=', ({ selectFrom }) =>
      selectFrom('places as other')
        .select(({ fn }) => fn.countAll<number>().as('held'))
        .whereRef('other.training_session_id', '=', 'session.id')
        .where('other.state', '<>', 'cancelled'),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('seat_movements as later')
          .select('later.id')
          .whereRef('later.training_session_id', '=', 'session.id')
          .where('later.kind', '=', 'sale')
          .whereRef('later.id', '>', 'given.id'),
      ),
    )
    .orderBy('session.id')
    .orderBy('given.id')
    .execute();

async function refundOne(trx: Trx, { placeId, enrolmentId, sessionId }: KeptPlace, moment: Moment): Promise<boolean> {
  const { now } = moment;
  if ((await chargedFor(trx, enrolmentId))(placeId) === 0) return false;
  const isSoldAgain = async () => (await readSoldAgain(trx, sessionId, moment)).has(placeId);
  // Most are not: nobody waits for them.
  if (!(await isSoldAgain())) return false;
  const locked = await lockEnrolment(trx, enrolmentId, now, [sessionId]);
  if (!locked.ok) return false;
  const place = locked.enrolment.places.find(({ id }) => id === placeId);
  // Another process may have been faster, and a seat may have come free before the lock.
  if (!place || !(await isSoldAgain())) return false;
  const settled = await trx
    .updateTable('places')
    .set({ seat_sold_again_at: now })
    .where('id', '=', placeId)
    .where('seat_sold_again_at', 'is', null)
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return false;
  const again = { takenOffCents: await takenOffBefore(trx, placeId) };
  const plan = await readCancellation(trx, locked.enrolment, [place], { ...moment, soldAgain: again });
  // After a move all that comes back may be back already.
  if (plan.credits.every(({ cents }) => cents === 0) && plan.raises.length === 0) return false;
  const { refundCents } = splitCredit(balanceOf(await accountOf(trx, enrolmentId)), plan.backCents);
  const reason = 'The course date sold out with this seat taken by someone else';
  const { files } = await bookCancellation(trx, { enrolment: locked.enrolment, plan, reason }, moment);
  const enrolment = await markChanged(trx, enrolmentId, now);
  const money = [
    ...creditInWords(enrolment, plan.credits, { paid: refundCents > 0, reason: undefined }),
    ...raisesInWords(enrolment, plan),
    ...(await owedInWords(trx, enrolmentId, moment)),
  ];
  const event = { change: 'sold-again', places: [place], money, attachments: files, buyerOnly: true } as const;
  await queuePlaceMails(trx, enrolment, event, moment);
  return true;
}

/** The places of a training session whose seats were given back and sold again, by the ladder as it stands now. */
async function readSoldAgain(trx: Trx, sessionId: number, moment: Moment): Promise<Set<number>> {
  const { capacity } = await trx
    .selectFrom('training_sessions')
    .select('capacity')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('seat_movements as sale', (join) =>
      join.onRef('sale.place_id', '=', 'places.id').on('sale.kind', '=', 'sale'),
    )
    .leftJoin('seat_movements as given', (join) =>
      join.onRef('given.place_id', '=', 'places.id').on('given.kind', '=', 'cancellation'),
    )
    .select(['places.id', 'places.enrolment_id', 'places.state', 'seat_sold_again_at'])
    .select(['sale.id as soldAs', 'sale.at as soldAt', 'given.id as givenBackAs'])
    .select(['enrolments.mailbox as buyerMailbox', 'attendees.mailbox', 'buyer_name', 'attendees.name'])
    .select(['enrolments.person_id as buyer', 'attendees.person_id as attends'])
    .where('places.training_session_id', '=', sessionId)
    .orderBy('sale.id')
    .execute();
  const held = rows.filter(({ state }) => state !== 'cancelled');
  const firm = await firmPlaces(trx, new Set(held.map(({ enrolment_id }) => enrolment_id)), moment);
  const sales = rows.map(
    (row): SeatSale => ({
      placeId: row.id,
      soldAs: row.soldAs,
      givenBackAs: row.givenBackAs,
      soldAt: row.soldAt,
      firm: firm.has(row.id),
      settledAt: row.seat_sold_again_at,
      people: [row.buyer, row.attends].filter((id) => id !== null),
      mailboxes: [row.buyerMailbox, row.mailbox].filter((mailbox) => mailbox !== null),
      names: [row.buyer_name, row.name].filter((name) => name !== null),
    }),
  );
  return soldAgain(sales, capacity);
}

/** The places, by id, that are not cancelled and no longer get everything back by the ladder. */
async function firmPlaces(
  trx: Trx,
  enrolmentIds: ReadonlySet<number>,
  { now }: Pick<Moment, 'now'>,
): Promise<Set<number>> {
  const firm = new Set<number>();
  for (const enrolmentId of enrolmentIds) {
    const enrolment = await readEnrolment(trx, enrolmentId);
    for (const place of enrolment.places) {
      const refund = refundAt(refundablePlace(enrolment, place, { now, chargedCents: place.amountCents }), now);
      if (place.state !== 'cancelled' && refund.cents < place.amountCents) firm.add(place.id);
    }
  }
  return firm;
}
