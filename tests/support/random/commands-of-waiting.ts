import { expect } from 'vitest';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { releaseExpiredHolds } from '#app/features/seats/commands.server.ts';
import { acceptOffer } from '#app/features/waiting/accept.server.ts';
import { confirmEntry, joinWaitingList, leaveWaitingList } from '#app/features/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/waiting/jobs.server.ts';
import { orderOf } from '#tests/support/enrolments.ts';
import { addDays } from './calendar.ts';
import { choiceOf, expectAnswer, momentOf, openSession, rememberBuyer, type Scene, transaction } from './commands.ts';
import { cancelThese, learnWays, placeFor, priceOf } from './commands-of-buyers.ts';
import { waitFor } from './commands-of-staff.ts';
import { agree } from './invariants.ts';
import { type Outcome, single } from './stage.ts';
import type { Enrolment, Session } from './world.ts';

let people = 0;
const stranger = () => {
  people += 1;
  const domain = `waits-${people}.example`;
  return { email: `somebody@${domain}`, domain, network: null };
};

/** What is known of an entry: whether it is offered a seat now, and why it was closed. */
async function standingOf({ db }: Scene, entryId: number) {
  const entry = await db
    .selectFrom('waiting_entries')
    .select('closed_why')
    .where('id', '=', entryId)
    .executeTakeFirstOrThrow();
  const offers = await db
    .selectFrom('waiting_offers')
    .select('seats')
    .where('entry_id', '=', entryId)
    .where('ended_at', 'is', null)
    .execute();
  return { offered: offers.map(({ seats }) => seats), closed: entry.closed_why };
}

async function join(scene: Scene, session: Session, email: string): Promise<number> {
  const { world, courseIds } = scene;
  const wish = { courseId: courseIds.get(single) ?? 0, sessionId: session.id, seats: 1, name: 'Mary Shelley', email };
  const joined = await transaction(scene, (trx) => joinWaitingList(trx, wish, momentOf(world)));
  if (!joined.ok) return expect.unreachable(joined.reason);
  expect(await transaction(scene, (trx) => confirmEntry(trx, joined.entryId, momentOf(world)))).toEqual({ ok: true });
  return joined.entryId;
}

/** The jobs end what has run out and offer what is free, and the mail server takes the messages. */
async function listsKept({ db, world }: Scene): Promise<void> {
  await releaseExpiredHolds(db, world.now);
  await keepWaitingLists(db, momentOf(world));
  await db
    .updateTable('mails')
    .set({ state: 'sent', settled_at: world.now })
    .where('kind', '=', 'waiting-offer')
    .where('state', '=', 'queued')
    .execute();
  await keepWaitingLists(db, momentOf(world));
}

/**
 * Two people wait for a date with one seat, whose buyer gives it back (P48): the first is offered it, and nobody else can
 * have it. They take it, decline, leave, or let the 72 hours pass; then the second is offered it, and takes or leaves it.
 */
export async function waitingList(scene: Scene): Promise<Outcome> {
  const { world, draw } = scene;
  const startsOn = addDays(world.today, 20 + draw.below(30));
  const wish = { course: single, capacity: 1, startsOn, minimum: 1, decidedBy: null };
  const session = await openSession(scene, wish);
  const way = { course: single, session, monday: null };
  await placeFor(scene, stranger(), [way], 1);
  const sold = world.enrolments.at(-1);
  const buyers = [stranger(), stranger()] as const;
  const first = await join(scene, session, buyers[0].email);
  const second = await join(scene, session, buyers[1].email);
  await listsKept(scene);
  expect(await standingOf(scene, first)).toEqual({ offered: [], closed: null });
  if (!sold) return expect.unreachable();
  await cancelThese(scene, sold, sold.places);
  await isKeptFor(scene, session);
  await listsKept(scene);
  await isKeptFor(scene, session);
  expect(await standingOf(scene, first)).toEqual({ offered: [1], closed: null });
  expect(await standingOf(scene, second)).toEqual({ offered: [], closed: null });
  const end = draw.of(['bought', 'declined', 'left', 'lapsed'] as const) ?? 'bought';
  if (end === 'bought') {
    await take(scene, session, first, buyers[0]);
    // The room is full again: the other one goes on waiting, until they leave.
    await listsKept(scene);
    expect(await standingOf(scene, second)).toEqual({ offered: [], closed: null });
  } else if (end === 'lapsed') {
    // Invoices are read on the day on which they are issued.
    await agree(scene);
    await waitFor(scene, 73);
  } else {
    const left = await transaction(scene, (trx) => leaveWaitingList(trx, first, end, momentOf(world)));
    expect(left).toEqual({ ok: true });
  }
  await listsKept(scene);
  expect(await standingOf(scene, first)).toEqual({ offered: [], closed: end });
  if (end !== 'bought') {
    expect(await standingOf(scene, second)).toEqual({ offered: [1], closed: null });
    if (draw.chance(0.5)) {
      await take(scene, session, second, buyers[1]);
      return 'done';
    }
  }
  expect(await transaction(scene, (trx) => leaveWaitingList(trx, second, 'left', momentOf(world)))).toEqual({
    ok: true,
  });
  return 'done';
}

/** Nobody but who has the offer, or the turn, can buy the seat that is free. */
async function isKeptFor(scene: Scene, session: Session): Promise<void> {
  const order = await orderOf(scene.db, [choiceOf(scene, { course: single, session, monday: null })]);
  const result = await transaction(scene, (trx) => placeEnrolment(trx, order, momentOf(scene.world)));
  expect(result).toMatchObject({ ok: false, reason: 'session-full', left: 0 });
}

/** Accepts an offer, twice, and enrols with its seat. */
async function take(scene: Scene, session: Session, entryId: number, buyer: ReturnType<typeof stranger>) {
  const { db, world } = scene;
  const accept = () => transaction(scene, (trx) => acceptOffer(trx, entryId, 'secret', momentOf(world)));
  const accepted = await accept();
  expect(await accept()).toEqual(accepted);
  if (!accepted.ok || accepted.draftToken === null) return expect.unreachable(JSON.stringify(accepted));
  const { id: draftId } = await db
    .selectFrom('seat_holds')
    .innerJoin('waiting_offers', 'hold_id', 'seat_holds.id')
    .select('draft_id as id')
    .where('entry_id', '=', entryId)
    .where('waiting_offers.ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  const ways = [{ course: single, session, monday: null }];
  const choices = ways.map((way) => choiceOf(scene, way));
  const who = { name: `Waiting Person ${people}`, email: buyer.email, phone: null };
  const order = await orderOf(db, choices, { buyer: who, draftId, shownCents: priceOf(scene, ways, false) });
  const placed = await transaction(scene, (trx) => placeEnrolment(trx, order, momentOf(world)));
  expectAnswer(placed, null);
  if (!placed.ok) return;
  const { enrolmentId: id, reference, token } = placed;
  const enrolment: Enrolment = {
    id,
    reference,
    email: buyer.email,
    token,
    combo: false,
    places: [],
    paid: 0,
    refunded: 0,
  };
  rememberBuyer(enrolment, buyer);
  world.enrolments.push(enrolment);
  await learnWays(scene, enrolment, ways);
  expect(await standingOf(scene, entryId)).toEqual({ offered: [], closed: 'bought' });
}
