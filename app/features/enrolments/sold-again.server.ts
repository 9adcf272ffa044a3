import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { SeatTrx } from '#app/features/sessions/seats.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { cancelledInWords } from './cancelled-in-words.ts';
import type { Circumstances } from './circumstances.ts';
import { lockEnrolment, markChanged } from './lock-enrolment.server.ts';
import { noteFile, queuePlaceMails } from './mails.server.ts';
import { accountOf } from './money/accounts.server.ts';
import { chargedFor, issueAdjustmentNotes } from './money/adjustment-notes.server.ts';
import { balanceOf, settle } from './money/balance.ts';
import { owedInWords, queueNotes } from './money-mails.server.ts';

type KeptPlace = { placeId: number; enrolmentId: number; sessionId: number };

/**
 * Refunds what was kept of cancelled places whose seats somebody else has bought since (P40), each place by itself. Of
 * the seats given back in a training session those beyond what is still unsold were sold again, the earliest first; not
 * one after which nothing was sold. Returns how many places were refunded.
 */
export async function refundSoldAgain(db: Db, circumstances: Circumstances): Promise<number> {
  let refunded = 0;
  for (const kept of await readSoldAgain(db, circumstances.today)) {
    if (await db.transaction().execute((trx) => refundOne(trx, kept, circumstances))) refunded += 1;
  }
  return refunded;
}

/** Sales end with the first day, so earlier training sessions are left out. */
async function readSoldAgain(db: Db, today: Day): Promise<KeptPlace[]> {
  const { rows } = await sql<KeptPlace>`
    with given_back as (
      select places.*, session.capacity, movement.id as movement_id,
        row_number() over (partition by session.id order by movement.id) as position,
        count(*) over (partition by session.id) as seats
      from places
        join training_sessions session on session.id = places.training_session_id
        join seat_movements movement on movement.place_id = places.id and movement.kind = 'cancellation'
      where session.starts_on >= ${today} and session.state <> 'cancelled'
    )
    select id::integer as "placeId", enrolment_id::integer as "enrolmentId",
      training_session_id::integer as "sessionId"
    from given_back
    where cancelled_why in ('buyer', 'staff', 'lapsed') and seat_sold_again_at is null
      and position <= seats - (capacity - (select sum(movement.seats) from seat_movements movement
        where movement.training_session_id = given_back.training_session_id
          and movement.kind in ('sale', 'cancellation')))
      and exists (select from seat_movements later
        where later.training_session_id = given_back.training_session_id
          and later.kind = 'sale' and later.id > given_back.movement_id)
    order by training_session_id, position`.execute(db);
  return rows;
}

async function refundOne(
  trx: SeatTrx,
  { placeId, enrolmentId, sessionId }: KeptPlace,
  circumstances: Circumstances,
): Promise<boolean> {
  const { today, at } = circumstances;
  const locked = await lockEnrolment(trx, enrolmentId, at, [sessionId]);
  if (!locked.ok) return false;
  // Another process may have been faster, and a seat may have come free before the lock.
  const still = (await readSoldAgain(trx, today)).some((one) => one.placeId === placeId);
  const place = locked.enrolment.places.find(({ id }) => id === placeId);
  if (!still || !place) return false;
  await trx.updateTable('places').set({ seat_sold_again_at: at }).where('id', '=', placeId).execute();
  const cents = (await chargedFor(trx, enrolmentId))(placeId);
  if (cents === 0) return false;
  const settled = settle(balanceOf(await accountOf(trx, enrolmentId)), cents);
  const reason = 'Somebody else has taken the seat';
  const notes = await issueAdjustmentNotes(trx, {
    enrolmentId,
    credits: [{ placeId, cents }],
    reason,
    today,
    at,
  });
  const enrolment = await markChanged(trx, enrolmentId, at);
  const money = [
    ...cancelledInWords([{ cents, reason: 'seat-sold-again' }], { paid: settled.refundCents > 0, reason: undefined }),
    ...(await owedInWords(trx, enrolmentId, circumstances)),
  ];
  const event = {
    change: 'sold-again',
    places: [place],
    money,
    attachments: notes.map(noteFile),
    buyerOnly: true,
  } as const;
  await queuePlaceMails(trx, enrolment, event, circumstances);
  await queueNotes(trx, enrolment, { notes, buyerHasThem: true }, circumstances);
  return true;
}
