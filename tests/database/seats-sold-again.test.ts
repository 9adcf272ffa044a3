import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { addAddress } from '#app/features/people/more-addresses.server.ts';
import type { RefundLadder } from '#app/features/site/agreement.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { attendee, makeSession, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

const price = 549_900;
const early = momentAt('2025-09-08T09:00');
// Five days before the first day nothing comes back, and a day after a sale its 24 hours are over.
const late = momentAt('2025-10-29T09:00');
const nextDay = momentAt('2025-10-30T09:00');

let database: SharedDatabase;
let session: { id: number; courseId: number };
const opened: Db[] = [];
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
});

const open = async (capacity: number) => {
  session = await makeSession(database.db, { startsOn: '2025-11-03', capacity });
};
let people = 0;
/** A place of somebody with a name and an address of their own, unless `as` says who. */
async function buy(when: Moment, as: { name?: string; email?: string; attends?: string } = {}) {
  const number = ++people;
  const { name = `Buyer ${number}`, email = `person${number}@example.com`, attends = `Attendee ${number}` } = as;
  const order = await orderOf(database.db, [seatIn(session)], {
    buyer: { name, email, phone: null },
    attendees: [attendee({ name: attends })],
  });
  const placed = await database.db.transaction().execute((trx) => placeEnrolment(trx, order, when));
  if (!placed.ok) expect.unreachable(placed.reason);
  return readEnrolment(database.db, placed.enrolmentId);
}
async function cancel({ id, places }: Enrolment, when: Moment) {
  const placeIds = places.map((place) => place.id);
  const cancellation = { enrolmentId: id, placeIds, why: 'buyer', shownCents: null } as const;
  const result = await database.db.transaction().execute((trx) => cancelPlaces(trx, cancellation, when));
  expect(result.ok).toBe(true);
}
const refund = (when: Moment) => refundSoldAgain(database.db, when);
const owed = async ({ id }: Enrolment) => balanceOf(await accountOf(database.db, id));
const resize = (capacity: number) =>
  database.db.updateTable('training_sessions').set({ capacity }).where('id', '=', session.id).execute();

test('P40: once the session has sold out, the buyer gets back what we kept of both cancelled places, once', async () => {
  await open(3);
  const [first, second] = [await buy(early), await buy(early), await buy(early)];
  await cancel(first, late);
  await cancel(second, late);
  await buy(late);
  // Two late cancellations and one resale: the session is not sold out.
  expect(await refund(nextDay)).toBe(0);
  await buy(late);
  expect(await refund(late)).toBe(0);
  expect([await owed(first), await owed(second)]).toEqual([price, price]);

  // Two processes at once.
  const other = createDb(database.connection, () => undefined);
  opened.push(other);
  const refunded = await Promise.all([refund(nextDay), refundSoldAgain(other, nextDay)]);
  expect(refunded[0] + refunded[1]).toBe(2);
  expect([await owed(first), await owed(second)]).toEqual([0, 0]);
  expect(await refund(nextDay)).toBe(0);
  const mail = await database.db
    .selectFrom('mails')
    .select(['body_text', 'attachments'])
    .where('recipient', '=', first.email)
    .where('kind', '=', 'place-sold-again')
    .execute();
  expect(mail).toMatchObject([
    {
      body_text: expect.stringContaining('The course date has sold out, with your seat taken by someone else'),
      attachments: [{ document: expect.stringMatching(/^adjustment-note:/) }],
    },
  ]);
});

test('P40: a full session is not sold again to the person who cancelled, nor by a sale that can be cancelled for all', async () => {
  await open(2);
  const ada = { name: 'Ada Byron', email: 'ada@example.com', attends: 'Ada Byron' };
  const [first] = [await buy(early, ada), await buy(early)];
  await cancel(first, late);
  const again = await buy(late, ada);
  expect([await refund(late), await refund(nextDay)]).toEqual([0, 0]);
  await cancel(again, momentAt('2025-10-30T08:00'));
  // The play ends with what the ladder said: nothing back of the first, all of the second.
  expect([await refund(nextDay), await owed(first), await owed(again)]).toEqual([0, price, 0]);
});

/** Moves the place of an enrolment to a later date with one seat; returns it with the place that stands. */
async function moveToOneSeat(enrolmentId: number, movedAt: Moment): Promise<Enrolment> {
  session = await makeSession(database.db, { startsOn: '2025-12-01', capacity: 1 });
  const [place] = (await readEnrolment(database.db, enrolmentId)).places;
  const move = { enrolmentId, placeId: place?.id ?? 0, toSessionId: session.id, actor: theBuyer };
  const moved = await database.db.transaction().execute((trx) => transferPlace(trx, move, movedAt));
  expect(moved.ok).toBe(true);
  const enrolment = await readEnrolment(database.db, enrolmentId);
  return { ...enrolment, places: enrolment.places.filter(({ state }) => state === 'active') };
}

/** Somebody buys a date, moves to a later one with one seat and cancels that; somebody else takes the seat. */
async function moveCancelAndSell(movedAt: Moment, cancelledAt: Moment, soldAt: Moment, ladder?: RefundLadder) {
  await open(2);
  const order = await orderOf(database.db, [seatIn(session)], { ...(ladder && { ladder }) });
  const placed = await database.db.transaction().execute((trx) => placeEnrolment(trx, order, early));
  if (!placed.ok) expect.unreachable(placed.reason);
  const enrolment = await moveToOneSeat(placed.enrolmentId, movedAt);
  await cancel(enrolment, cancelledAt);
  const kept = await owed(enrolment);
  await buy(soldAt);
  const soldOut = momentAt('2025-11-30T10:00');
  const refunded = await refund(soldOut);
  expect(await refund(soldOut)).toBe(0);
  const mails = await database.db.selectFrom('mails').select('id').where('kind', '=', 'place-sold-again').execute();
  return { kept, refunded, owed: await owed(enrolment), mails: mails.length };
}

test('P40: who gets nothing back gains nothing by moving to a date that sells out and cancelling there', async () => {
  const [soon, later] = [momentAt('2025-10-30T09:00'), momentAt('2025-10-31T09:00')];
  expect(await moveCancelAndSell(soon, later, momentAt('2025-11-27T09:00'))).toEqual({
    kept: price,
    refunded: 0,
    owed: price,
    mails: 0,
  });
});

test('P40: after a move on a day with half back, half comes back in all once the seat is sold again', async () => {
  const half = momentAt('2025-10-24T09:00');
  const sold = momentAt('2025-11-28T09:00');
  // Half was given at once: nothing is left to give.
  expect(await moveCancelAndSell(half, half, sold)).toEqual({
    ...{ kept: price / 2, refunded: 0, owed: price / 2, mails: 0 },
  });
  // Cancelled when the new date gave nothing back.
  expect(await moveCancelAndSell(half, momentAt('2025-11-27T09:00'), sold)).toEqual({
    ...{ kept: price, refunded: 1, owed: price / 2, mails: 1 },
  });
});

test('P40: contracts that promise all of it after a move, from before decision 126, are kept', async () => {
  const ladder = { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: true, capsResale: false };
  const [soon, later] = [momentAt('2025-10-30T09:00'), momentAt('2025-10-31T09:00')];
  expect(await moveCancelAndSell(soon, later, momentAt('2025-11-27T09:00'), ladder)).toMatchObject({
    ...{ kept: price, refunded: 1, owed: 0 },
  });
});

test('P40, P83: after a move a discount of staff is no part of what came back: half of the lower price comes back', async () => {
  await open(2);
  const first = await buy(early);
  const discount = {
    cents: 149_900,
    reason: 'Two enrolments',
    refundOf: null,
    actor: theProgram,
    idempotencyKey: 'first',
  };
  const given = { enrolmentId: first.id, placeIds: first.places.map(({ id }) => id), ...discount };
  expect(await database.db.transaction().execute((trx) => giveDiscount(trx, given, early))).toMatchObject({ ok: true });
  // AU$4,000 is charged. On the day of the move half of it would come back.
  const enrolment = await moveToOneSeat(first.id, momentAt('2025-10-24T09:00'));
  await cancel(enrolment, momentAt('2025-11-27T09:00'));
  expect(await owed(enrolment)).toBe(400_000);
  await buy(momentAt('2025-11-28T09:00'));
  expect(await refund(momentAt('2025-11-30T10:00'))).toBe(1);
  expect(await owed(enrolment)).toBe(200_000);
});

test.each([
  ['the same address with a tag', { email: 'ADA+again@example.com' }],
  ['the same name, written otherwise', { attends: 'ada  BYRON' }],
  ['the buyer attends by name', { name: 'AdaByron' }],
])('P40: a sale to the same person does not count: %s', async (_, as) => {
  await open(1);
  const first = await buy(early, { email: 'ada@example.com', attends: 'Ada Byron' });
  await cancel(first, late);
  const again = await buy(late, as);
  expect(await refund(nextDay)).toBe(0);
  await cancel(again, nextDay);
  // Somebody else takes the seat after all: it was given back twice, and sold again once.
  await buy(nextDay);
  expect(await refund(momentAt('2025-10-31T10:00'))).toBe(1);
  expect([await owed(first), await owed(again)]).toEqual([0, price]);
});

test('P40, P50: a sale to another address of the same account does not count', async () => {
  await open(1);
  const first = await buy(early, { email: 'ada@example.com', attends: 'Ada Byron' });
  await cancel(first, late);
  const again = await buy(late, { email: 'countess@example.org', name: 'A. King', attends: 'A. King' });
  const { person_id: personId } = await database.db
    .selectFrom('person_emails')
    .select('person_id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow();
  const ask = {
    person_id: personId,
    email: 'countess@example.org',
    asked_at: late.now,
    link_hash: hashOfToken('link'),
  };
  await database.db.insertInto('address_asks').values(ask).execute();
  const clock = { now: () => late.now, aheadMs: 0 };
  const add = { personId, token: 'link' };
  expect(await database.db.transaction().execute((trx) => addAddress(trx, { clock }, add))).toEqual({ ok: true });
  expect(await refund(nextDay)).toBe(0);
  expect([await owed(first), await owed(again)]).toEqual([price, price]);
});

test('P40: with ten seats free a sale to somebody else sells nothing again, and a smaller room neither', async () => {
  await open(12);
  const [first, second] = [await buy(early), await buy(early)];
  await cancel(first, late);
  await cancel(second, late);
  await buy(late);
  expect(await refund(nextDay)).toBe(0);
  await resize(1);
  // One was sold after both: that is one seat sold again, the first given back.
  expect(await refund(nextDay)).toBe(1);
  expect([await owed(first), await owed(second)]).toEqual([0, price]);
});

test('P40: lowering the capacity alone gives nothing back', async () => {
  await open(12);
  const [first] = [await buy(early), await buy(early)];
  await cancel(first, late);
  await resize(1);
  expect([await refund(nextDay), await owed(first)]).toEqual([0, price]);
});

test('P40: the job may come after the first day; a seat sold a third time is given back to its second holder', async () => {
  await open(1);
  const first = await buy(early);
  await cancel(first, late);
  const second = await buy(late);
  expect(await refund(nextDay)).toBe(1);
  await cancel(second, momentAt('2025-10-31T10:00'));
  await buy(momentAt('2025-10-31T11:00'));
  expect(await refund(momentAt('2025-11-06T09:00'))).toBe(1);
  expect([await owed(first), await owed(second)]).toEqual([0, 0]);
});

test('P39: a place that cannot be refunded is recorded, and the others are', async () => {
  await open(2);
  const [first, second] = [await buy(early), await buy(early)];
  await cancel(first, late);
  await cancel(second, late);
  await buy(late);
  await buy(late);
  const [bad] = first.places;
  // A session without the state that the ladder knows cannot be made; an invoice that lost its facts can.
  await database.db.updateTable('tax_invoices').set({ facts: '{}' }).where('enrolment_id', '=', first.id).execute();
  expect(await refund(nextDay)).toBe(1);
  expect(await owed(second)).toBe(0);
  expect(await database.db.selectFrom('job_faults').select(['job', 'item', 'times']).execute()).toEqual([
    { job: 'refund seats sold again', item: `place:${bad?.id}`, times: 1 },
  ]);
});
