import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { holdSeats, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import type { Order } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn, seatsLeftIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, patientLimits, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');

let database: TestDatabase;
const opened: Db[] = [];
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
  await database.drop();
});

const place = (order: Order, moment = opening, db = database.db) =>
  db.transaction().execute((trx) => placeEnrolment(trx, order, moment));
async function placed(order: Order, moment = opening) {
  const result = await place(order, moment);
  if (!result.ok) expect.unreachable(JSON.stringify(result));
  return result;
}
async function draftWith(courseDateId: number, seats: number): Promise<number> {
  const { db } = database;
  const { id } = await db
    .insertInto('enrolment_drafts')
    .values({ token_hash: crypto.randomUUID(), created_at: opening.now, changed_at: opening.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [courseDateId], opening.now)).get(courseDateId);
    if (!courseDate) throw new Error('no such course date');
    const expiresAt = new Date(opening.now.getTime() + 15 * 60_000);
    const held = await holdSeats(trx, {
      courseDate,
      seats,
      purpose: 'enrolment',
      draftId: id,
      at: opening.now,
      expiresAt,
    });
    expect(held.ok).toBe(true);
  });
  return id;
}

test('P27, P28: places seats that the draft held, and answers a repeat with the first result (P25)', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { capacity: 2 });
  const draftId = await draftWith(courseDate.id, 2);
  const stranger = await orderOf(db, [seatIn(courseDate)]);
  expect(await place(stranger)).toMatchObject({ ok: false, reason: 'course-date-full', left: 0 });
  const attendees = [attendee(), attendee({ name: null })];
  const order = await orderOf(db, [seatIn(courseDate)], { draftId, attendees });
  const first = await placed(order);
  expect(await seatsLeftIn(db, courseDate.id)).toBe(0);
  const again = await placed(order);
  expect(again).toMatchObject({ enrolmentId: first.enrolmentId, reference: first.reference, repeat: true });
  expect(again.token).not.toBe(first.token);
  const enrolment = await readEnrolment(db, first.enrolmentId);
  expect(enrolment.places.map(({ state, attendee: { name } }) => [state, name])).toEqual([
    ['active', 'Ada Byron'],
    ['active', null],
  ]);
  const holds = await db.selectFrom('seat_holds').select('ended').execute();
  expect(holds).toEqual([{ ended: 'sold' }]);
  const mails = await db.selectFrom('mails').select(['kind', 'recipient', 'attachments']).execute();
  expect(mails).toEqual([
    {
      kind: 'enrolment-placed',
      recipient: order.buyer.email,
      attachments: [{ filename: 'INV-00001.pdf', document: expect.stringMatching(/^tax-invoice:\d+$/) }],
    },
  ]);
});

test('P28, P38, P39: refuses what cannot be placed, says why, and writes nothing', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { capacity: 8 });
  const order = (parts: Partial<Order> = {}) => orderOf(db, [seatIn(courseDate)], parts);
  const cents = (await order()).shownCents;
  expect(await place(await order({ shownCents: cents - 100 }))).toEqual({
    ok: false,
    reason: 'price-changed',
    shownCents: cents - 100,
    nowCents: cents,
  });
  expect(await place(await order(), momentAt('2025-11-03T09:00'))).toMatchObject({ reason: 'course-date-closed' });
  const buyer = { name: 'Grace', email: 'grace@example.com', phone: null };
  const three = { buyer, attendees: [attendee(), attendee(), attendee()] };
  await placed(await order(three));
  const more = await order({ ...three, buyer: { ...buyer, email: 'Grace+more@example.com' } });
  const five = { ...more, attendees: [...more.attendees, attendee()], shownCents: 4 * cents };
  expect(await place(five)).toEqual({ ok: false, reason: 'too-many-unpaid', of: 'buyer', unpaidSeats: 3, most: 6 });
  const guaranteed = await db
    .selectFrom('courses')
    .select('id')
    .where('category_slug', '=', 'job-guarantee')
    .executeTakeFirstOrThrow();
  const later = await orderOf(db, [{ courseId: guaranteed.id, way: 'next-date' }]);
  expect(await place(later)).toEqual({ ok: false, reason: 'agreement-first', courseId: guaranteed.id });
  const guided = await orderOf(db, [{ courseId: guaranteed.id, way: 'guided', from: '2025-09-15' }]);
  expect(await place(guided)).toMatchObject({ ok: false, reason: 'not-guided' });
  await db.updateTable('courses').set({ guided: true }).where('id', '=', courseDate.courseId).execute();
  for (const from of ['2025-09-16', '2025-12-08', '2025-09-01']) {
    const wrong = await orderOf(db, [{ courseId: courseDate.courseId, way: 'guided', from }]);
    expect(await place(wrong)).toMatchObject({ ok: false, reason: 'no-such-monday' });
  }
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', '=', courseDate.id).execute();
  expect(await place(await order())).toMatchObject({ reason: 'course-date-cancelled' });
  await db.updateTable('courses').set({ retired_at: opening.now }).where('id', '=', courseDate.courseId).execute();
  expect(await place(await order())).toEqual({ ok: false, reason: 'not-offered' });
  expect(await seatsLeftIn(db, courseDate.id)).toBe(5);
});

test('P27: thirty buyers for six seats through several pools: six are sold, the others told that none is left', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { capacity: 6 });
  const pools = [db, ...[1, 2].map(() => createDb(database.connection, () => undefined, patientLimits))];
  opened.push(...pools.slice(1));
  const orders = await Promise.all(Array.from({ length: 30 }, () => orderOf(db, [seatIn(courseDate)])));
  const results = await Promise.all(orders.map((order, at) => place(order, opening, pools[at % pools.length])));
  expect(results.filter(({ ok }) => ok)).toHaveLength(6);
  const full = {
    ok: false,
    reason: 'course-date-full',
    courseId: courseDate.courseId,
    courseDateId: courseDate.id,
    left: 0,
  };
  expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 24 }, () => full));
  expect(await seatsLeftIn(db, courseDate.id)).toBe(0);
});

test('P30: a buyer with a full discount is not asked to pay', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'grace@example.com', name: 'Grace Hopper' }, opening.now);
  const order = { ...(await orderOf(db, [seatIn(await makeCourseDate(db))])), actor };
  const discount = { cents: order.shownCents, reason: 'A partner of ours' };
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, { ...order, discount }, opening));
  expect(placed).toMatchObject({ ok: true });
  const { body_text: text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'enrolment-placed')
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(text).toContain('You owe nothing');
  expect(text).toContain('The tax invoice is attached.');
  expect(text).not.toContain('when you pay');
});
