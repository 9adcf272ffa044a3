import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { cancelSeats, holdSeats, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { readBoard, readWaitingPage } from '#app/features/enrolments/waiting/board.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import {
  confirmEntry,
  joinWaitingList,
  leaveWaitingList,
  resumeEntry,
  withdrawOffer,
} from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { acceptWaitingOffer, offerByHand } from '#app/features/enrolments/waiting/offers.server.ts';
import { readEntry } from '#app/features/enrolments/waiting/queries.server.ts';
import { expireWaitingDaily } from '#app/features/enrolments/waiting/records.server.ts';

import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import {
  attendee,
  makeCourseDate,
  miscountedCourseDates,
  momentAt,
  orderOf,
  placeIn,
  seatIn,
} from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

// Waiting lists of those who have a place already (P40, P48).
let database: SharedDatabase;
let staff: Awaited<ReturnType<typeof makeStaff>>['actor'];
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  ({ actor: staff } = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, start.now));
});

const start = momentAt('2025-09-08T09:00');
const course = 'crisc';
const write = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const at = (hour: number) => momentAt(`2025-09-0${8 + Math.floor(hour / 24)}T${String(hour % 24).padStart(2, '0')}:00`);

/** Places bought without a date, in one enrolment. */
async function waiting(places: number) {
  const { courseId } = await makeCourseDate(database.db, { course, startsOn: '2025-09-08' });
  const attendees = Array.from({ length: places }, () => attendee());
  const order = await orderOf(database.db, [{ courseId, way: 'next-date' }], { attendees });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) return expect.unreachable(placed.reason);
  await keepWaitingLists(database.db, start);
  return { enrolmentId: placed.enrolmentId, courseId };
}

/** The open entry of an enrolment's places. */
async function entryOf(enrolmentId: number) {
  const { id } = await database.db
    .selectFrom('waiting_entries')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  const entry = await readEntry(database.db, id);
  return entry ?? expect.unreachable();
}

const setDate = (startsOn: string, capacity = 6) => makeCourseDate(database.db, { course, startsOn, capacity });
const keep = (hour: number) => keepWaitingLists(database.db, at(hour));

test('declining one of two dates that were set together asks about the other', async () => {
  const { enrolmentId } = await waiting(1);
  const dates = [await setDate('2025-12-01'), await setDate('2026-02-02')];
  await keep(10);
  const first = await entryOf(enrolmentId);
  expect(first.offer?.courseDateId).toBe(dates[0]?.id);
  expect(await write((trx) => leaveWaitingList(trx, first.id, 'declined', at(11)))).toEqual({ ok: true });
  await keep(11);
  await keep(11);
  const second = await entryOf(enrolmentId);
  expect(second.offer?.courseDateId).toBe(dates[1]?.id);
  // The second one ends in silence: neither is offered again.
  expect(await write((trx) => leaveWaitingList(trx, second.id, 'declined', at(12)))).toEqual({ ok: true });
  await keep(12);
  await keep(12);
  expect((await entryOf(enrolmentId)).offer).toBeNull();
});

test('when some of a group took a date, the others are asked about it when a seat becomes free', async () => {
  const { enrolmentId } = await waiting(3);
  const date = await setDate('2025-12-01', 2);
  const { id: entryId } = await entryOf(enrolmentId);
  const by = { actor: theProgram, reason: 'The room has two seats.' };
  const wish = { entryId, courseDateId: date.id, seats: 2, by };
  expect(await write((trx) => offerByHand(trx, wish, at(10)))).toEqual({ ok: true });
  expect(await write((trx) => acceptWaitingOffer(trx, entryId, 'secret', at(11)))).toMatchObject({ ok: true });
  await keep(11);
  expect((await entryOf(enrolmentId)).offer).toBeNull();
  await database.db.updateTable('course_dates').set({ capacity: 3 }).where('id', '=', date.id).execute();
  await keep(12);
  expect((await entryOf(enrolmentId)).offer).toMatchObject({ courseDateId: date.id, seats: 1 });
});

test('staff who give one place of a group a date leave the others the seats that they are offered', async () => {
  const { enrolmentId, courseId } = await waiting(3);
  const [offered, other] = [await setDate('2025-12-01'), await setDate('2026-02-02')];
  await keep(10);
  const before = await entryOf(enrolmentId);
  expect(before.offer).toMatchObject({ courseDateId: offered.id, seats: 3 });
  const { places } = await readEnrolment(database.db, enrolmentId);
  const give = (place: number, courseDateId: number) => {
    const wish = { enrolmentId, courseId, courseDateId, actor: staff, onlyPlace: places[place]?.id ?? 0 };
    return write((trx) => datePlaces(trx, wish, at(11)));
  };
  expect(await give(0, other.id)).toEqual({ ok: true, places: 1 });
  expect(await entryOf(enrolmentId)).toMatchObject({
    id: before.id,
    seats: 2,
    offer: { courseDateId: offered.id, seats: 2 },
  });
  // Of a full date the place takes one of the seats that are kept for the group.
  await write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [offered.id], at(11).now)).get(offered.id);
    if (courseDate) await sellSeats(trx, courseDate, [1_000_001, 1_000_002, 1_000_003, 1_000_004], at(11).now);
  });
  expect(await give(1, offered.id)).toEqual({ ok: true, places: 1 });
  expect(await entryOf(enrolmentId)).toMatchObject({
    id: before.id,
    seats: 1,
    offer: { courseDateId: offered.id, seats: 1 },
  });
  expect(await write((trx) => acceptWaitingOffer(trx, before.id, 'secret', at(12)))).toEqual({
    ok: true,
    draftToken: null,
  });
  expect(await miscountedCourseDates(database.db)).toEqual([]);
});

test('P28: seats of a date that is accepted count among the six that may be unpaid; staff may give more', async () => {
  const { enrolmentId, courseId } = await waiting(2);
  const date = await setDate('2025-12-01', 10);
  const { buyerName: name, email } = await readEnrolment(database.db, enrolmentId);
  const five = Array.from({ length: 5 }, () => attendee());
  await placeIn(database.db, date, { buyer: { name, email, phone: null }, attendees: five });
  await keep(10);
  const { id } = await entryOf(enrolmentId);
  const accepted = await write((trx) => acceptWaitingOffer(trx, id, 'secret', at(11)));
  expect(accepted).toEqual({ ok: false, reason: 'too-many-unpaid', of: 'buyer', unpaidSeats: 5, most: 6 });
  expect((await entryOf(enrolmentId)).offer).toMatchObject({ seats: 2 });
  const given = { enrolmentId, courseId, courseDateId: date.id, actor: staff };
  expect(await write((trx) => datePlaces(trx, given, at(12)))).toMatchObject({ ok: true });
});

test('an offer that staff withdrew from a bought place is made again when they let it have its turn', async () => {
  const { enrolmentId } = await waiting(1);
  await setDate('2025-12-01');
  await keep(10);
  const { id } = await entryOf(enrolmentId);
  const by = { actor: staff, reason: 'The wrong date' };
  expect(await write((trx) => withdrawOffer(trx, id, by, at(11)))).toEqual({ ok: true });
  await keep(11);
  expect((await entryOf(enrolmentId)).offer).toBeNull();
  expect(await write((trx) => resumeEntry(trx, id, by, at(12)))).toEqual({ ok: true });
  await keep(12);
  expect((await entryOf(enrolmentId)).offer).not.toBeNull();
});

test('the list for staff says whose turn it is as the program offers seats', async () => {
  const { enrolmentId } = await waiting(1);
  const date = await setDate('2025-12-01');
  await keep(10);
  const { id } = await entryOf(enrolmentId);
  await write((trx) => leaveWaitingList(trx, id, 'declined', at(11)));
  await keep(11);
  const { slug } = await database.db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', date.id)
    .executeTakeFirstOrThrow();
  const board = await readBoard(database.db, staff, slug, { today: start.today, at: at(11).now });
  expect(board?.entries.map(({ why }) => why)).toEqual([
    'Not offered: this date was offered and not taken. It waits for another date.',
    expect.stringContaining('Declined the offer'),
  ]);
  expect(board?.gains).toEqual([]);
});

/** A place on one date, and its buyer on the waiting list of another, full one. */
async function placeAndWish(seats = 1, { starts = '2025-12-01', spelled = (email: string) => email } = {}) {
  const from = await setDate('2025-11-03');
  const to = await setDate(starts, 2);
  const sold = [2_000_001, 2_000_002];
  const locked = async <T>(
    act: (trx: Trx, courseDate: NonNullable<Awaited<ReturnType<typeof lockTo>>>) => Promise<T>,
  ) => write(async (trx) => act(trx, (await lockTo(trx)) ?? expect.unreachable()));
  const lockTo = async (trx: Trx) => (await lockCourseDates(trx, [to.id], start.now)).get(to.id);
  await locked((trx, courseDate) => sellSeats(trx, courseDate, sold, start.now));
  const attendees = Array.from({ length: seats }, () => attendee());
  const { enrolmentId } = await placeIn(database.db, from, { attendees });
  const { email, places } = await readEnrolment(database.db, enrolmentId);
  const wish = { courseId: to.courseId, courseDateId: to.id, seats, name: 'Mary Shelley', email: spelled(email) };
  const joined = await write((trx) => joinWaitingList(trx, wish, at(10)));
  if (!joined.ok) return expect.unreachable(joined.reason);
  await write((trx) => confirmEntry(trx, joined.entryId, at(10)));
  const free = (count: number) =>
    locked((trx, courseDate) => cancelSeats(trx, courseDate, sold.slice(0, count), at(11).now));
  return { enrolmentId, placeIds: places.map(({ id }) => id), to, entryId: joined.entryId, free };
}

test('a person who is offered a seat of another date of their course moves their place to it', async () => {
  const { enrolmentId, placeIds, to, entryId, free } = await placeAndWish(2);
  const [first = 0, second = 0] = placeIds;
  const move = (placeId: number) =>
    write((trx) => transferPlace(trx, { enrolmentId, placeId, toCourseDateId: to.id, actor: theBuyer }, at(12)));
  expect(await move(first)).toMatchObject({ ok: false, reason: 'course-date-full' });
  await free(2);
  await keep(11);
  const entry = (await readEntry(database.db, entryId)) ?? expect.unreachable();
  const page = await readWaitingPage(database.db, entry, at(11));
  expect(page.offer?.movable.map(({ placeId }) => placeId)).toEqual(placeIds);
  expect(await move(first)).toMatchObject({ ok: true });
  expect((await readEntry(database.db, entryId))?.offer).toMatchObject({ seats: 1 });
  expect(await move(second)).toMatchObject({ ok: true });
  expect(await readEntry(database.db, entryId)).toMatchObject({ closedWhy: 'bought', offer: null });
  expect(await miscountedCourseDates(database.db)).toEqual([]);
});

test.each([
  ['somebody whose address is spelled otherwise', { spelled: (email: string) => email.toUpperCase() }],
  ['a date that begins in more than twelve months', { starts: '2026-12-07' }],
])('P40, P48: no place is moved by an offer to %s', async (_, parts) => {
  const { enrolmentId, placeIds, to, entryId, free } = await placeAndWish(1, parts);
  await free(2);
  await keep(11);
  const entry = (await readEntry(database.db, entryId)) ?? expect.unreachable();
  const page = await readWaitingPage(database.db, entry, at(11));
  expect(page.offer).toMatchObject({ movable: [] });
  const move = { enrolmentId, placeId: placeIds[0] ?? 0, toCourseDateId: to.id, actor: theBuyer };
  await write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [to.id], at(11).now)).get(to.id);
    if (courseDate && courseDate.left > 0) await sellSeats(trx, courseDate, [3_000_001], at(11).now);
  });
  expect(await write((trx) => transferPlace(trx, move, at(12)))).toMatchObject({ ok: false });
});

test('seats that are offered to one address are not free for the places of another', async () => {
  const { to, free } = await placeAndWish();
  const from = await setDate('2025-11-10');
  const buyer = { name: 'Percy Shelley', email: 'percy@example.net', phone: null };
  const { enrolmentId } = await placeIn(database.db, from, { buyer });
  await free(1);
  await keep(11);
  const [place] = (await readEnrolment(database.db, enrolmentId)).places;
  const move = { enrolmentId, placeId: place?.id ?? 0, toCourseDateId: to.id, actor: theBuyer };
  expect(await write((trx) => transferPlace(trx, move, at(12)))).toMatchObject({
    ok: false,
    reason: 'course-date-full',
  });
});

test('P48: seats that are offered to a place without a date are not for another place of its buyer', async () => {
  const { enrolmentId } = await waiting(1);
  const from = await setDate('2025-11-03');
  const { buyerName: name, email } = await readEnrolment(database.db, enrolmentId);
  const { enrolmentId: dated } = await placeIn(database.db, from, { buyer: { name, email, phone: null } });
  await database.db.updateTable('course_dates').set({ capacity: 1 }).where('id', '=', from.id).execute();
  const to = await setDate('2025-12-01', 1);
  await keep(10);
  expect((await entryOf(enrolmentId)).offer).toMatchObject({ courseDateId: to.id });
  const [place] = (await readEnrolment(database.db, dated)).places;
  const move = { enrolmentId: dated, placeId: place?.id ?? 0, toCourseDateId: to.id, actor: theBuyer };
  expect(await write((trx) => transferPlace(trx, move, at(11)))).toMatchObject({
    ok: false,
    reason: 'course-date-full',
  });
});

test('P48: a place that staff give an offered seat leaves the offer one seat smaller, although more wait', async () => {
  const { enrolmentId, courseId } = await waiting(3);
  const date = await setDate('2025-12-01', 2);
  const { id: entryId } = await entryOf(enrolmentId);
  const by = { actor: theProgram, reason: 'The room has two seats.' };
  expect(await write((trx) => offerByHand(trx, { entryId, courseDateId: date.id, seats: 2, by }, at(10)))).toEqual({
    ok: true,
  });
  const { places } = await readEnrolment(database.db, enrolmentId);
  const give = { enrolmentId, courseId, courseDateId: date.id, actor: staff, onlyPlace: places[0]?.id ?? 0 };
  expect(await write((trx) => datePlaces(trx, give, at(11)))).toEqual({ ok: true, places: 1 });
  expect((await entryOf(enrolmentId)).offer).toMatchObject({ courseDateId: date.id, seats: 1 });
  expect(await miscountedCourseDates(database.db)).toEqual([]);
});

test('seats that are held for a quote are sold for it although others wait', async () => {
  const { db } = database;
  const date = await setDate('2025-12-01', 2);
  const hold = await write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [date.id], start.now)).get(date.id) ?? expect.unreachable();
    return holdSeats(trx, { courseDate, seats: 2, purpose: 'quote', at: start.now, expiresAt: null });
  });
  const wish = { courseId: date.courseId, courseDateId: date.id, seats: 1, name: 'Mary', email: 'mary@example.com' };
  const joined = await write((trx) => joinWaitingList(trx, wish, start));
  if (!joined.ok) return expect.unreachable(joined.reason);
  await write((trx) => confirmEntry(trx, joined.entryId, start));
  const order = await orderOf(db, [seatIn(date)], { attendees: [attendee(), attendee()] });
  const byStaff = { ...order, draftId: null, actor: staff };
  const place = (quoteHoldId?: number) =>
    write((trx) => placeEnrolment(trx, { ...byStaff, ...(quoteHoldId && { quoteHoldIds: [quoteHoldId] }) }, start));
  expect(await place()).toMatchObject({ ok: false, reason: 'course-date-full', left: 0 });
  expect(await place(hold.ok ? hold.holdId : 0)).toMatchObject({ ok: true });
  expect(await miscountedCourseDates(db)).toEqual([]);
});

test('P48: places that were bought stay on the list, whose entry nobody has to confirm; closed ones stay as long as promised', async () => {
  const { enrolmentId } = await waiting(1);
  const { id } = await entryOf(enrolmentId);
  const days = (count: number) => new Date(start.now.getTime() + count * 24 * 60 * 60 * 1000);
  await expireWaitingDaily(database.db, days(20));
  expect(await readEntry(database.db, id)).not.toBeNull();
  await database.db
    .updateTable('waiting_entries')
    .set({ closed_at: start.now, closed_why: 'left' })
    .where('id', '=', id)
    .execute();
  const { enquiryMonths } = await readRetention(database.db);
  await expireWaitingDaily(database.db, days(30 * enquiryMonths - 10));
  expect(await readEntry(database.db, id)).not.toBeNull();
  await expireWaitingDaily(database.db, days(31 * enquiryMonths + 1));
  expect(await readEntry(database.db, id)).toBeNull();
});

test('P48: an entry that waits on in its turn comes before later ones', async () => {
  const { enrolmentId, courseId } = await waiting(2);
  const date = await setDate('2025-12-01', 1);
  const { id: entryId } = await entryOf(enrolmentId);
  const by = { actor: theProgram, reason: 'The room has one seat.' };
  const wish = { entryId, courseDateId: date.id, seats: 1, by };
  expect(await write((trx) => offerByHand(trx, wish, at(10)))).toEqual({ ok: true });
  const meanwhile = { courseId, courseDateId: null, seats: 1, name: 'Mary', email: 'mary@meanwhile.example' };
  const joined = await write((trx) => joinWaitingList(trx, meanwhile, at(10)));
  if (!joined.ok) return expect.unreachable(joined.reason);
  await write((trx) => confirmEntry(trx, joined.entryId, at(10)));
  expect(await write((trx) => acceptWaitingOffer(trx, entryId, 'secret', at(11)))).toMatchObject({ ok: true });
  const next = await setDate('2026-02-02', 1);
  await keep(12);
  expect((await entryOf(enrolmentId)).offer).toMatchObject({ courseDateId: next.id });
  expect((await readEntry(database.db, joined.entryId))?.offer ?? null).toBeNull();
});
