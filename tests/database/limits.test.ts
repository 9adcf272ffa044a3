import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import { endDraftHolds, extendDraftHolds, setDraftHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { readSeats } from '#app/features/course-dates/queries.server.ts';
import { lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { forgetNetworks } from '#app/features/enrolments/limits.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { acceptWaitingOffer, offerByHand } from '#app/features/enrolments/waiting/offers.server.ts';
import { readEntry } from '#app/features/enrolments/waiting/queries.server.ts';
import { expireWaitingDaily } from '#app/features/enrolments/waiting/records.server.ts';
import { type Actor, theBuyer, theProgram } from '#app/features/people/actor.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, patientLimits, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
});
afterAll(() => database.drop());

const start = momentAt('2025-09-08T09:00');
const at = (minutes: number) => {
  const time = new Date(start.now.getTime() + minutes * 60_000);
  return { ...start, now: time, today: time.toISOString().slice(0, 10) };
};
const write = <T>(run: (trx: Trx) => Promise<T>, on = db) => on.transaction().execute(run);
const buyer = (email: string) => ({ name: 'Grace Hopper', email, phone: null });
let domains = 0;
const anybody = () => `grace@somebody${++domains}.example`;

type CourseDate = { id: number; courseId: number };
type Placing = { email?: string; network?: string | null; seats?: number; actor?: Actor };
async function place(
  courseDate: CourseDate,
  { email = anybody(), network = null, seats = 1, actor = theBuyer }: Placing,
  now = start,
  on = db,
) {
  const attendees = Array.from({ length: seats }, () => attendee());
  const order = await orderOf(db, [seatIn(courseDate)], { buyer: buyer(email), network, attendees, actor });
  return write((trx) => placeEnrolment(trx, order, now), on);
}

test('P28: six unpaid seats of a mail domain in a day, large public providers aside; the next day there are six more', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 100 });
  for (const name of ['a', 'b', 'c']) {
    expect(await place(courseDate, { email: `${name}@x${name}.catch-all.example`, seats: 2 })).toMatchObject({
      ok: true,
    });
  }
  expect(await place(courseDate, { email: 'd@catch-all.example' })).toEqual({
    ok: false,
    reason: 'too-many-unpaid',
    of: 'domain',
    unpaidSeats: 6,
    most: 6,
  });
  // Staff know whom they place, and theirs do not count for others.
  const { actor } = await makeStaff(db, { name: 'Ada Byron', email: 'ada@academy.example' }, start.now);
  expect(await place(courseDate, { email: 'd@catch-all.example', seats: 7, actor })).toMatchObject({ ok: true });
  for (const name of ['a', 'b', 'c', 'd']) {
    expect(await place(courseDate, { email: `${name}@bigpond.com`, seats: 2 })).toMatchObject({ ok: true });
  }
  expect(await place(courseDate, { email: 'e@catch-all.example' }, at(24 * 60 - 1))).toMatchObject({ of: 'domain' });
  expect(await place(courseDate, { email: 'e@catch-all.example' }, at(24 * 60 + 1))).toMatchObject({ ok: true });
  expect(await place(courseDate, { email: 'a@by-staff.example', network: 'n0', seats: 12, actor })).toMatchObject({
    ok: true,
  });
  expect(await place(courseDate, { email: 'b@by-staff.example', network: 'n0' })).toMatchObject({ ok: true });
});

test('P28: a place moved to another date is no new seat of its domain and network, whether it was placed today or before', async () => {
  const [from, to] = [await makeCourseDate(db, { capacity: 30 }), await makeCourseDate(db, { capacity: 30 })];
  const network = 'network of those who move';
  const [first, second] = ['a@movers.example', 'b@movers.example'];
  const placed = await place(from, { email: first, network, seats: 4 });
  if (!placed.ok) expect.unreachable(placed.reason);
  const { enrolmentId } = placed;
  const moveAll = async (toCourseDateId: number, now: typeof start) => {
    const { places } = await readEnrolment(db, enrolmentId);
    for (const { id, state } of places) {
      if (state !== 'active') continue;
      const transfer = { enrolmentId, placeId: id, toCourseDateId, actor: theProgram };
      expect(await write((trx) => transferPlace(trx, transfer, now))).toMatchObject({ ok: true });
    }
  };
  await moveAll(to.id, at(60));
  const three = { email: second, network, seats: 3 };
  expect(await place(from, three, at(120))).toMatchObject({ of: 'domain', unpaidSeats: 4 });
  await moveAll(from.id, at(2 * 24 * 60));
  expect(await place(from, three, at(2 * 24 * 60 + 60))).toMatchObject({ ok: true });
});

test('P28: twelve unpaid seats of a network in a day; paid ones do not count', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 100 });
  const first = await place(courseDate, { network: 'n1', seats: 6 });
  await place(courseDate, { network: 'n1', seats: 6 });
  expect(await place(courseDate, { network: 'n1' })).toEqual({
    ok: false,
    reason: 'too-many-unpaid',
    of: 'network',
    unpaidSeats: 12,
    most: 12,
  });
  expect(await place(courseDate, { network: 'n2' })).toMatchObject({ ok: true });
  if (!first.ok) throw new Error(first.reason);
  const { total_cents } = await db
    .selectFrom('tax_invoices')
    .select('total_cents')
    .where('enrolment_id', '=', first.enrolmentId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('payments')
    .values({
      enrolment_id: first.enrolmentId,
      amount_cents: total_cents,
      method: 'bank',
      received_on: '2025-09-08',
      recorded_at: start.now,
      source: 'paid',
    })
    .execute();
  expect(await place(courseDate, { network: 'n1' })).toMatchObject({ ok: true });
});

torture('P28: simultaneous placings keep the limits by network, by domain and by both', async () => {
  const courseDates = [await makeCourseDate(db, { capacity: 60 }), await makeCourseDate(db, { capacity: 60 })];
  const pools = Array.from({ length: 8 }, () => createDb(database.connection, () => undefined, patientLimits));
  const networks = ['s1', 's2', 's3'];
  const mails = ['storm-a.example', 'storm-b.example', 'storm-c.example', 'storm-d.example'];
  const results = await Promise.all(
    Array.from({ length: 48 }, async (_, number) => {
      const courseDate = courseDates[number % 2];
      if (!courseDate) throw new Error('two course dates');
      const email = `b${number}@${mails[number % 4]}`;
      return place(courseDate, { email, network: networks[number % 3] ?? null }, start, pools[number % 8]);
    }),
  );
  await Promise.all(pools.map((pool) => pool.destroy()));
  const rows = await db
    .selectFrom('enrolments')
    .innerJoin('places', 'enrolment_id', 'enrolments.id')
    .select(['mail_domain', 'network'])
    .where('mail_domain', 'in', mails)
    .execute();
  const most = (key: 'mail_domain' | 'network') =>
    Math.max(...[...Map.groupBy(rows, (row) => row[key]).values()].map(({ length }) => length));
  expect(rows).toHaveLength(results.filter(({ ok }) => ok).length);
  // Four domains of six are 24, three networks of twelve 36: each domain can be had whole.
  expect([most('mail_domain'), rows.length]).toEqual([6, 24]);
  expect(most('network')).toBeLessThanOrEqual(12);
});

test('P28, P39: attendees added later count for the domain and the network as well', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 100 });
  const one = await place(courseDate, { email: 'a@adds.example', network: 'n-adds', seats: 3 });
  await place(courseDate, { email: 'b@adds.example', seats: 3 });
  if (!one.ok) throw new Error(one.reason);
  const { shownCents } = await orderOf(db, [seatIn(courseDate)]);
  const add = (by: Actor) =>
    write((trx) =>
      addAttendee(
        trx,
        { enrolmentId: one.enrolmentId, choices: [seatIn(courseDate)], attendee: attendee(), shownCents, actor: by },
        start,
      ),
    );
  expect(await add(theBuyer)).toMatchObject({ ok: false, reason: 'too-many-unpaid', of: 'domain' });
  const { actor } = await makeStaff(db, { name: 'Mary Shelley', email: 'mary@academy.example' }, start.now);
  expect(await add(actor)).toMatchObject({ ok: true });
  const two = await place(courseDate, { network: 'n-adds', seats: 3 });
  expect(two.ok).toBe(true);
  await place(courseDate, { network: 'n-adds', seats: 5 });
  if (!two.ok) throw new Error(two.reason);
  const added = await write((trx) =>
    addAttendee(
      trx,
      {
        enrolmentId: two.enrolmentId,
        choices: [seatIn(courseDate)],
        attendee: attendee(),
        shownCents,
        actor: theBuyer,
      },
      start,
    ),
  );
  expect(added).toMatchObject({ ok: false, of: 'network' });
});

let waiting = 0;
async function join(courseDate: CourseDate, seats: number, now = start) {
  const wish = {
    courseId: courseDate.courseId,
    courseDateId: courseDate.id,
    seats,
    name: 'Mary',
    email: `w${++waiting}@example.com`,
  };
  return write((trx) => joinWaitingList(trx, wish, now));
}
const idOf = (joined: Awaited<ReturnType<typeof join>>) => {
  if (!joined.ok) throw new Error(joined.reason);
  return joined.entryId;
};
let places = 5_000_000;
async function sell(courseDate: CourseDate, seats: number) {
  await write(async (trx) => {
    const locked = (await lockCourseDates(trx, [courseDate.id], start.now)).get(courseDate.id);
    if (!locked) throw new Error('no course date');
    const ids = Array.from({ length: seats }, () => ++places);
    expect(await sellSeats(trx, locked, ids, start.now)).toEqual({ ok: true });
  });
}
const left = async ({ id }: CourseDate) => (await readSeats(db, { since: '2025-09-01' })).get(id)?.left;
async function draft(now = start) {
  const { id } = await db
    .insertInto('enrolment_drafts')
    .values({ token_hash: crypto.randomUUID(), created_at: now.now, changed_at: now.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const hold = (draftId: number, courseDate: CourseDate, seats: number, visitor: string, now = start) =>
  write((trx) =>
    setDraftHolds(trx, {
      draftId,
      wanted: seats > 0 ? [{ courseDateId: courseDate.id, seats }] : [],
      visitor,
      at: now.now,
      today: now.today,
    }),
  );

test('P48: an entry reserves nothing before its address is confirmed, then has the turn of when it joined', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 4 });
  await sell(courseDate, 2);
  const [early, late] = [idOf(await join(courseDate, 3)), idOf(await join(courseDate, 3, at(1)))];
  await db.updateTable('course_dates').set({ capacity: 5 }).where('id', '=', courseDate.id).execute();
  expect(await left(courseDate)).toBe(3);
  await keepWaitingLists(db, at(2));
  expect((await readEntry(db, early))?.offer).toBeNull();
  // The later one first: the earlier one is skipped until it is confirmed itself, and then comes before it.
  await write((trx) => confirmEntry(trx, late, at(3)));
  expect(await left(courseDate)).toBe(0);
  await write((trx) => confirmEntry(trx, early, at(4)));
  await keepWaitingLists(db, at(5));
  expect([(await readEntry(db, early))?.offer?.seats, (await readEntry(db, late))?.offer]).toEqual([3, null]);
});

test('P48: nobody joins while unsold seats are enough, however many are held; offered seats count as taken', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 6 });
  await sell(courseDate, 3);
  await hold(await draft(), courseDate, 3, 'somebody');
  expect(await join(courseDate, 3)).toEqual({ ok: false, reason: 'seats-held', left: 0, held: 3 });
  const entry = idOf(await join(courseDate, 4));
  await write((trx) => confirmEntry(trx, entry, start));
  // The held seats ran out and one more was added: all four are offered, so the next may wait for as few as one.
  await db.updateTable('course_dates').set({ capacity: 7 }).where('id', '=', courseDate.id).execute();
  await keepWaitingLists(db, at(16));
  await write((trx) => lockCourseDates(trx, [courseDate.id], at(16).now));
  await keepWaitingLists(db, at(17));
  expect((await readEntry(db, entry))?.offer?.seats).toBe(4);
  expect(await join(courseDate, 1, at(18))).toMatchObject({ ok: true });
});

test('P48: accepting an offer confirms; joining again before confirming replaces the wish; after a week it is deleted', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 2 });
  await sell(courseDate, 2);
  const wish = { courseId: courseDate.courseId, courseDateId: courseDate.id, name: 'Mary', email: 'again@example.com' };
  const first = idOf(await write((trx) => joinWaitingList(trx, { ...wish, seats: 2 }, start)));
  expect(idOf(await write((trx) => joinWaitingList(trx, { ...wish, seats: 1 }, at(1))))).toBe(first);
  expect(await readEntry(db, first)).toMatchObject({ seats: 1, confirmed: false, joinedAt: start.now });
  const [asked, confirmed] = [idOf(await join(courseDate, 1)), idOf(await join(courseDate, 1))];
  await write((trx) => confirmEntry(trx, confirmed, at(2)));
  await db.updateTable('course_dates').set({ capacity: 4 }).where('id', '=', courseDate.id).execute();
  const { actor } = await makeStaff(db, { name: 'Percy', email: 'percy@academy.example' }, start.now);
  const by = { actor, reason: 'Rang us' };
  const offered = await write((trx) =>
    offerByHand(trx, { entryId: asked, courseDateId: courseDate.id, seats: 1, by }, at(3)),
  );
  expect(offered).toEqual({ ok: true });
  expect(await write((trx) => acceptWaitingOffer(trx, asked, 'secret', at(4)))).toMatchObject({ ok: true });
  expect((await readEntry(db, asked))?.confirmed).toBe(true);
  await expireWaitingDaily(db, at(7 * 24 * 60 - 1).now);
  expect(await readEntry(db, first)).not.toBeNull();
  await expireWaitingDaily(db, at(8 * 24 * 60).now);
  expect([await readEntry(db, first), (await readEntry(db, confirmed))?.id]).toEqual([null, confirmed]);
});

test('P48: the week to confirm counts from the last email, which a second joining sends', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 1 });
  await sell(courseDate, 1);
  const days = (count: number) => at(count * 24 * 60);
  const wish = {
    courseId: courseDate.courseId,
    courseDateId: courseDate.id,
    name: 'Mary',
    email: 'late@example.com',
    seats: 1,
  };
  const entry = idOf(await write((trx) => joinWaitingList(trx, wish, start)));
  expect(idOf(await write((trx) => joinWaitingList(trx, wish, days(6))))).toBe(entry);
  await expireWaitingDaily(db, days(12).now);
  expect(await readEntry(db, entry)).toMatchObject({ confirmed: false, joinedAt: start.now });
  await expireWaitingDaily(db, days(14).now);
  expect(await readEntry(db, entry)).toBeNull();
});

test('P48: a draft with an offer buys fewer seats of it, and never more, also while others are free', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 2 });
  await sell(courseDate, 2);
  const entryId = idOf(await join(courseDate, 2));
  await db.updateTable('course_dates').set({ capacity: 6 }).where('id', '=', courseDate.id).execute();
  const { actor } = await makeStaff(db, { name: 'Mary', email: 'mary@academy.example' }, start.now);
  const offer = { entryId, courseDateId: courseDate.id, seats: 2, by: { actor, reason: 'Rang us' } };
  expect(await write((trx) => offerByHand(trx, offer, at(1)))).toEqual({ ok: true });
  expect(await write((trx) => acceptWaitingOffer(trx, entryId, 'secret', at(2)))).toMatchObject({ ok: true });
  const held = db.selectFrom('seat_holds').select('draft_id').where('course_date_id', '=', courseDate.id);
  const { draft_id: draftId } = await held.where('purpose', '=', 'waiting-offer').executeTakeFirstOrThrow();
  expect(await left(courseDate)).toBe(2);
  expect(await hold(draftId ?? 0, courseDate, 3, 'waiting', at(3))).toEqual({
    ok: false,
    reason: 'refused',
    refused: [{ courseDateId: courseDate.id, reason: 'course-date-full', left: 2 }],
  });
  expect(await hold(draftId ?? 0, courseDate, 1, 'waiting', at(4))).toMatchObject({ ok: true });
});

test('P27: seats that ran out are not held again by the draft or its network for half an hour while few are left', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 12 });
  await sell(courseDate, 4);
  const [one, other] = [await draft(), await draft()];
  expect(await hold(one, courseDate, 2, 'net')).toMatchObject({ pauses: [] });
  // At 15 minutes it ran out, though nobody looked before minute 20.
  const until = at(45).now;
  expect(await hold(one, courseDate, 3, 'net', at(20))).toMatchObject({
    ok: true,
    pauses: [{ courseDateId: courseDate.id, until }],
  });
  expect(await hold(other, courseDate, 3, 'net', at(21))).toMatchObject({
    pauses: [{ courseDateId: courseDate.id, until }],
  });
  expect(await left(courseDate)).toBe(8);
  // Two more leave six to others, which is not few; and another network never held any.
  expect(await hold(one, courseDate, 2, 'net', at(22))).toMatchObject({ pauses: [] });
  expect(await hold(await draft(), courseDate, 6, 'another net', at(23))).toMatchObject({ pauses: [] });
  expect(await hold(other, courseDate, 1, 'net', at(80))).toMatchObject({ pauses: [] });
});

test('P27: seats that were bought cause no pause, however long they were held before', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 6 });
  for (const begins of [0, 20]) {
    const buying = await draft();
    await hold(buying, courseDate, 1, 'office', at(begins));
    await write(async (trx) => {
      const courseDates = await lockCourseDates(trx, [courseDate.id], at(begins + 14).now);
      await endDraftHolds(trx, courseDates, 'sold', { draftId: buying, at: at(begins + 14).now });
    });
  }
  expect(await hold(await draft(), courseDate, 1, 'office', at(35))).toMatchObject({ pauses: [] });
});

test('P27: giving seats back and taking them again in a loop comes to the same pause, and keeping them ends after an hour', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 6 });
  const id = await draft();
  await hold(id, courseDate, 1, 'loop');
  await hold(id, courseDate, 0, 'loop', at(8));
  expect(await hold(id, courseDate, 1, 'loop', at(8))).toMatchObject({ pauses: [] });
  await hold(id, courseDate, 0, 'loop', at(16));
  expect(await hold(id, courseDate, 1, 'loop', at(16))).toMatchObject({ pauses: [{ until: at(46).now }] });
  expect(await hold(await draft(), courseDate, 1, 'loop', at(17))).toMatchObject({ pauses: [{ until: at(46).now }] });

  const kept = await draft();
  const keep = (minute: number) => write((trx) => extendDraftHolds(trx, { draftId: kept, at: at(minute).now }));
  await hold(kept, courseDate, 1, 'kept');
  // To the hour, and no further.
  for (const minute of [14, 28, 42, 45]) expect(await keep(minute)).toMatchObject({ ok: true });
  // Another number of seats does not begin the hour anew.
  await hold(kept, courseDate, 2, 'kept', at(46));
  expect(await keep(46)).toEqual({ ok: false, reason: 'few-left' });
  expect(await hold(kept, courseDate, 1, 'kept', at(60))).toMatchObject({ pauses: [{ until: at(90).now }] });
});

test('networks are forgotten: of holds two hours after they ended, of enrolments after a week', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 60 });
  const id = await draft();
  await hold(id, courseDate, 1, 'forget');
  await hold(id, courseDate, 0, 'forget', at(10));
  await place(courseDate, { network: 'forget' });
  const kept = async () => {
    const holds = await db.selectFrom('seat_holds').select('id').where('network', '=', 'forget').execute();
    const enrolments = await db.selectFrom('enrolments').select('id').where('network', '=', 'forget').execute();
    return [holds.length, enrolments.length];
  };
  await forgetNetworks(db, at(129).now);
  expect(await kept()).toEqual([1, 1]);
  await forgetNetworks(db, at(131).now);
  expect(await kept()).toEqual([0, 1]);
  await forgetNetworks(db, at(7 * 24 * 60 + 1).now);
  expect(await kept()).toEqual([0, 0]);
});
