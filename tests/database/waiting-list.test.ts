import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import { cancelCourseDate, resizeCourseDate } from '#app/features/course-dates/commands.server.ts';
import { timesOf } from '#app/features/course-dates/course-date-times.server.ts';
import { holdMs, setDraftHolds } from '#app/features/course-dates/draft-holds.server.ts';
import { readSeats } from '#app/features/course-dates/queries.server.ts';
import {
  cancelSeats,
  endHold,
  lockCourseDates,
  releaseExpiredHolds,
  sellSeats,
} from '#app/features/course-dates/seats.server.ts';
import { changeBuyerEmail } from '#app/features/enrolments/buyer.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readWaitingPage } from '#app/features/enrolments/waiting/board.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import {
  confirmEntry,
  followBuyer,
  joinWaitingList,
  leaveWaitingList,
  offeredCourseDates,
  type WaitingRequest,
  withdrawOffer,
} from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { makeWaitingToken } from '#app/features/enrolments/waiting/mails.server.ts';
import { moveCourseDateForAll } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import { acceptWaitingOffer, offerByHand, offerInTurn } from '#app/features/enrolments/waiting/offers.server.ts';
import { countWaiting, findWaitingEntry, readEntry } from '#app/features/enrolments/waiting/queries.server.ts';
import { waitingRecords } from '#app/features/enrolments/waiting/records.server.ts';
import { offerMs } from '#app/features/enrolments/waiting/rules.ts';
import { type StaffActor, theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { until } from '#scripts/support/until.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { mailLinks, withLinks } from '#tests/support/mail-links.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, patientLimits, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let db: Db;
let staff: StaffActor;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  ({ actor: staff } = await makeStaff(db, { name: 'Ada Byron', email: 'ada@academy.example' }, start.now));
});
afterAll(() => database.drop());

const start = momentAt('2025-09-08T09:00');
const hourMs = 3_600_000;
const later = (hours: number): Moment => {
  const at = new Date(start.now.getTime() + hours * hourMs);
  return { ...start, now: at, today: at.toISOString().slice(0, 10) };
};
const write = <T>(run: (trx: Trx) => Promise<T>, on: Db = db) => on.transaction().execute(run);

let people = 0;
const wishFor = (courseDate: { id: number | null; courseId: number }, seats = 1): WaitingRequest => ({
  courseId: courseDate.courseId,
  courseDateId: courseDate.id,
  seats,
  name: 'Mary Shelley',
  email: `waits${++people}@example.com`,
});
/** Joins and presses the button of the mailed link. */
async function join(courseDate: { id: number | null; courseId: number }, seats = 1, at = start): Promise<number> {
  const joined = await write((trx) => joinWaitingList(trx, wishFor(courseDate, seats), at));
  if (!joined.ok) throw new Error(joined.reason);
  await write((trx) => confirmEntry(trx, joined.entryId, at));
  return joined.entryId;
}
let places = 1_000_000;
/** Sells seats to places of nobody, as far as they are public. */
async function sell(courseDateId: number, seats: number, at = start): Promise<number[]> {
  return write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [courseDateId], at.now)).get(courseDateId);
    const ids = Array.from({ length: seats }, () => ++places);
    return courseDate && (await sellSeats(trx, courseDate, ids, at.now)).ok ? ids : [];
  });
}
async function giveBack(courseDateId: number, placeIds: number[], at = start): Promise<void> {
  await write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [courseDateId], at.now)).get(courseDateId);
    if (courseDate) await cancelSeats(trx, courseDate, placeIds, at.now);
  });
}
const fullCourseDate = async (capacity = 2, wish: Parameters<typeof makeCourseDate>[1] = {}) => {
  const courseDate = await makeCourseDate(db, { capacity, ...wish });
  const sold = await sell(courseDate.id, capacity);
  return { ...courseDate, sold };
};
const publicSeats = async (id: number) => (await readSeats(db, { since: '2025-09-01' })).get(id)?.left;
const entryOf = async (id: number) => {
  const entry = await readEntry(db, id);
  if (!entry) throw new Error(`no entry ${id}`);
  return entry;
};
/** The mail server takes what is queued. */
async function deliver(at: Moment, state: 'sent' | 'failed' | 'dropped' = 'sent'): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state, settled_at: at.now })
    .where('state', '=', 'queued')
    .where('kind', '=', 'waiting-offer')
    .execute();
}
/** An attempt at the message of an offer. */
async function attempted(entryId: number, outcome: 'deferred' | 'refused', { now }: Moment): Promise<void> {
  const { email } = await entryOf(entryId);
  const offers = db.selectFrom('mails').select('id').where('recipient', '=', email).where('kind', '=', 'waiting-offer');
  const { id } = await offers.orderBy('queued_at', 'desc').executeTakeFirstOrThrow();
  const attempt = { mail_id: id, number: 1, started_at: now, ended_at: now, outcome };
  await db.insertInto('mail_attempts').values(attempt).execute();
}
const mailsTo = async (entryId: number) => {
  const { email } = await entryOf(entryId);
  const rows = await db
    .selectFrom('mails')
    .select(['kind', 'subject', 'body_text'])
    .where('recipient', '=', email)
    .orderBy('queued_at')
    .execute();
  return rows;
};
/** Open offers, whose holds have to be open with as many seats, and ended ones, whose holds have ended. */
async function disagreeing(): Promise<number> {
  const rows = await db
    .selectFrom('waiting_offers')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .select(['waiting_offers.ended_at', 'seat_holds.ended_at as hold_ended', 'waiting_offers.seats', 'closed_at'])
    .select('seat_holds.seats as held')
    .execute();
  return rows.filter(
    (row) =>
      (row.ended_at === null) !== (row.hold_ended === null) ||
      row.seats !== row.held ||
      (row.ended_at === null && row.closed_at !== null),
  ).length;
}

type ModelEntry = {
  id: number;
  seats: number;
  state: 'waits' | 'offered' | 'paused' | 'closed';
  confirmed: boolean;
  until: number | null;
};
const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('join' as const), seats: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('confirm' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sell' as const), seats: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resize' as const), to: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), pick, seats: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decline' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 40, 72) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('job' as const) }) },
);

const orderHolds = (histories: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      // Enrolment ends long after every clock of the test.
      const courseDate = await makeCourseDate(db, { capacity: 4, startsOn: '2027-11-01' });
      let hours = 0;
      let capacity = 4;
      const sold: number[] = [];
      const entries: ModelEntry[] = [];
      const free = () =>
        capacity -
        sold.length -
        entries.filter(({ state }) => state === 'offered').reduce((sum, { seats }) => sum + seats, 0);
      const turns = () => {
        let rest = free();
        return entries.filter((entry) => {
          const fits = entry.state === 'waits' && entry.confirmed && entry.seats <= rest;
          if (fits) rest -= entry.seats;
          return fits;
        });
      };
      const open = () => free() - turns().reduce((sum, { seats }) => sum + seats, 0);
      const oneOf = (index: number, ...states: ModelEntry['state'][]) => {
        const some = entries.filter(({ state }) => states.includes(state));
        return some.length > 0 ? some[index % some.length] : undefined;
      };

      for (const doing of steps) {
        const now = later(hours);
        switch (doing.kind) {
          case 'join': {
            const wish = wishFor(courseDate, doing.seats);
            const joined = await write((trx) => joinWaitingList(trx, wish, now));
            const refused = doing.seats > capacity ? 'too-many' : open() >= doing.seats ? 'seats-free' : null;
            expect(joined.ok ? null : joined.reason).toBe(refused);
            if (joined.ok) {
              entries.push({ id: joined.entryId, seats: doing.seats, state: 'waits', confirmed: false, until: null });
            }
            break;
          }
          case 'confirm': {
            const entry = oneOf(doing.pick, 'waits', 'paused');
            if (!entry) break;
            expect(await write((trx) => confirmEntry(trx, entry.id, now))).toEqual({ ok: true });
            entry.confirmed = true;
            break;
          }
          case 'sell': {
            const ids = await sell(courseDate.id, doing.seats, now);
            expect(ids.length).toBe(doing.seats <= open() ? doing.seats : 0);
            sold.push(...ids);
            break;
          }
          case 'cancel': {
            const [place] = sold.splice(doing.pick % Math.max(1, sold.length), 1);
            if (place !== undefined) await giveBack(courseDate.id, [place], now);
            break;
          }
          case 'resize': {
            const taken = capacity - free();
            const result = await write(async (trx) => {
              const locked = (await lockCourseDates(trx, [courseDate.id], now.now)).get(courseDate.id);
              return locked && resizeCourseDate(trx, locked, doing.to, { ...now, actor: theProgram });
            });
            expect(result?.ok).toBe(doing.to >= taken);
            if (result?.ok) capacity = doing.to;
            break;
          }
          case 'accept': {
            const entry = oneOf(doing.pick, 'offered');
            if (!entry) break;
            const seats = Math.min(doing.seats, entry.seats);
            const held = (await entryOf(entry.id)).offer;
            const ids = Array.from({ length: seats }, () => ++places);
            await write(async (trx) => {
              const locked = (await lockCourseDates(trx, [courseDate.id], now.now)).get(courseDate.id);
              if (!locked || !held) throw new Error('nothing was held');
              expect(await endHold(trx, locked, held.holdId, 'sold', now.now)).toBe(true);
              expect((await sellSeats(trx, locked, ids, now.now)).ok).toBe(true);
            });
            sold.push(...ids);
            entry.state = 'closed';
            expect((await entryOf(entry.id)).closedWhy).toBe('bought');
            break;
          }
          case 'decline':
          case 'leave': {
            const entry =
              doing.kind === 'decline' ? oneOf(doing.pick, 'offered') : oneOf(doing.pick, 'waits', 'offered', 'paused');
            if (!entry) break;
            const why = doing.kind === 'decline' ? 'declined' : 'left';
            expect((await write((trx) => leaveWaitingList(trx, entry.id, why, now))).ok).toBe(true);
            entry.state = 'closed';
            break;
          }
          case 'withdraw': {
            const entry = oneOf(doing.pick, 'offered');
            if (!entry) break;
            const by = { actor: staff, reason: 'A mistake' };
            expect((await write((trx) => withdrawOffer(trx, entry.id, by, now))).ok).toBe(true);
            entry.state = 'paused';
            break;
          }
          case 'wait':
            hours += doing.hours;
            // Somebody locks the course date, or the job of holds comes round: what has run out is over.
            await releaseExpiredHolds(db, later(hours).now);
            for (const entry of entries) {
              if (entry.state === 'offered' && entry.until !== null && entry.until <= hours) entry.state = 'closed';
            }
            break;
          case 'job': {
            await keepWaitingLists(db, now);
            for (const entry of turns()) {
              entry.state = 'offered';
              entry.until = null;
            }
            await deliver(now);
            await keepWaitingLists(db, now);
            for (const entry of entries) if (entry.state === 'offered') entry.until ??= hours + 72;
            break;
          }
        }
        expect(await publicSeats(courseDate.id)).toBe(open());
        expect(await disagreeing()).toBe(0);
        const states = await Promise.all(
          entries.map(async ({ id }) => {
            const { closedAt, pausedAt, offer } = await entryOf(id);
            return closedAt ? 'closed' : offer ? 'offered' : pausedAt ? 'paused' : 'waits';
          }),
        );
        expect(states).toEqual(entries.map(({ state }) => state));
      }
    }),
    { numRuns: histories },
  );

test('P48: no seat is public that an entry fits, offers keep the order, and holds agree with offers', () =>
  orderHolds(3));

torture('P48: the order and the holds of offers are right over many histories', () => orderHolds(20));

test('P48: the 72 hours run from when the mail server took the message, never beyond the end of enrolment', async () => {
  const courseDate = await fullCourseDate(2);
  const first = await join(courseDate);
  const second = await join(courseDate);
  await giveBack(courseDate.id, courseDate.sold.slice(0, 1));
  expect(await publicSeats(courseDate.id)).toBe(0);
  await keepWaitingLists(db, later(1));
  expect((await entryOf(first)).offer).toMatchObject({ seats: 1, until: null });
  expect((await entryOf(second)).offer).toBeNull();
  // The mail server was away for ten days: no time was lost.
  await keepWaitingLists(db, later(240));
  await deliver(later(240));
  await keepWaitingLists(db, later(241));
  expect((await entryOf(first)).offer?.until).toEqual(new Date(later(240).now.getTime() + offerMs));
  const edge = later(240 + 72);
  await releaseExpiredHolds(db, new Date(edge.now.getTime() - 1));
  expect((await entryOf(first)).closedAt).toBeNull();
  await releaseExpiredHolds(db, edge.now);
  expect((await entryOf(first)).closedWhy).toBe('lapsed');
  expect(await publicSeats(courseDate.id)).toBe(0);
  await keepWaitingLists(db, edge);
  expect((await entryOf(second)).offer?.seats).toBe(1);
  expect((await mailsTo(first)).map(({ kind }) => kind)).toEqual(['waiting-joined', 'waiting-offer', 'waiting-over']);

  // Enrolment ends on 2 November, at midnight in Brisbane.
  const late = await fullCourseDate(1);
  const last = await join(late);
  await giveBack(late.id, late.sold);
  const evening = momentAt('2025-11-01T18:00');
  await keepWaitingLists(db, evening);
  const [, offered] = await mailsTo(last);
  expect(await withLinks(db, offered?.body_text, evening)).toContain(
    'Kept for you until: 2 Nov 2025, 11:59 PM, Brisbane time',
  );
  expect(offered?.body_text).toContain('Price of a seat: AU$5,499 incl. GST');
  await deliver(evening);
  await keepWaitingLists(db, evening);
  expect((await entryOf(last)).offer?.until).toEqual(new Date('2025-11-02T14:00:00Z'));
  const unserved = await join(late, 1, evening);
  await keepWaitingLists(db, momentAt('2025-11-03T00:00'));
  expect((await entryOf(unserved)).closedWhy).toBe('over');
  expect((await entryOf(last)).offer).toBeNull();
  expect((await mailsTo(unserved)).at(-1)?.body_text).toContain('Enrolment for this date has closed');
});

test('P48: once a mail domain let an offer lapse, others come before its further entries', async () => {
  const courseDate = await fullCourseDate(1);
  const at = async (email: string) => {
    const joined = await write((trx) => joinWaitingList(trx, { ...wishFor(courseDate), email }, start));
    if (!joined.ok) throw new Error(joined.reason);
    await write((trx) => confirmEntry(trx, joined.entryId, start));
    return joined.entryId;
  };
  const [first, second, honest] = [
    await at('a@catch.example'),
    await at('b@catch.example'),
    await at('c@fair.example'),
  ];
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, later(1));
  await deliver(later(1));
  await keepWaitingLists(db, later(2));
  await releaseExpiredHolds(db, later(74).now);
  await keepWaitingLists(db, later(74));
  expect((await entryOf(first)).closedWhy).toBe('lapsed');
  expect([(await entryOf(second)).offer, (await entryOf(honest)).offer?.seats]).toEqual([null, 1]);
});

test('P48: a message that was refused ends the offer, and the next is offered', async () => {
  const courseDate = await fullCourseDate(1);
  const first = await join(courseDate);
  const second = await join(courseDate);
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, later(1));
  await attempted(first, 'refused', later(1));
  await deliver(later(1), 'failed');
  await keepWaitingLists(db, later(1));
  expect((await entryOf(first)).closedWhy).toBe('undeliverable');
  expect((await entryOf(second)).offer?.seats).toBe(1);
  expect(await publicSeats(courseDate.id)).toBe(0);
});

test('P48: an offer that no mail server took waits 72 hours for staff to send it again, and its time runs from delivery', async () => {
  const courseDate = await fullCourseDate(2);
  const [first, second] = [await join(courseDate), await join(courseDate)];
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, later(1));
  for (const entry of [first, second]) await attempted(entry, 'deferred', later(24));
  await deliver(later(25), 'failed');
  await keepWaitingLists(db, later(25 + 71));
  const offers = [(await entryOf(first)).offer, (await entryOf(second)).offer];
  expect(offers.map((offer) => [offer?.seats, offer?.until])).toEqual([
    [1, null],
    [1, null],
  ]);
  // The first is sent again, and taken four days after it was made; its words have the time from then.
  const { email } = await entryOf(first);
  const its = db.selectFrom('mails').select(['id', 'body_text']).where('recipient', '=', email);
  const { id, body_text } = await its.where('kind', '=', 'waiting-offer').executeTakeFirstOrThrow();
  expect(await resendMail(db, id, later(96).now, mailLinks())).toEqual({ ok: true });
  expect(await withLinks(db, body_text, later(97))).toContain('Kept for you until: 15 Sept 2025, 9:59 AM');
  await deliver(later(97));
  await keepWaitingLists(db, later(25 + 72.1));
  expect((await entryOf(first)).offer?.until).toEqual(later(97 + 72).now);
  expect((await entryOf(second)).closedWhy).toBe('undeliverable');
  // Sending the message again does not offer a seat whose time is over.
  const unsent = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', (await entryOf(second)).email)
    .where('kind', '=', 'waiting-offer')
    .executeTakeFirstOrThrow();
  expect(await resendMail(db, unsent.id, later(98).now, mailLinks())).toEqual({ ok: false, reason: 'leads-nowhere' });
});

test('P48: an address has one open entry on a list; joining again answers with the first, also after leaving', async () => {
  const courseDate = await fullCourseDate(1);
  const wish = wishFor(courseDate);
  const [one, two] = await Promise.all(
    [wish, { ...wish, email: wish.email.toUpperCase(), seats: 1 }].map((sent) =>
      write((trx) => joinWaitingList(trx, sent, start)),
    ),
  );
  const ids = [one, two].map((joined) => (joined?.ok ? joined.entryId : 0));
  expect(new Set(ids).size).toBe(1);
  expect([one, two].map((joined) => joined?.ok && joined.repeat).toSorted()).toEqual([false, true]);
  const [id = 0] = ids;
  expect(await mailsTo(id)).toHaveLength(1);
  await write((trx) => leaveWaitingList(trx, id, 'left', start));
  await write((trx) => leaveWaitingList(trx, id, 'left', start));
  const again = await write((trx) => joinWaitingList(trx, wish, start));
  expect(again).toMatchObject({ ok: true, repeat: false });
  const open = await fullCourseDate(3);
  await giveBack(open.id, open.sold);
  expect(await write((trx) => joinWaitingList(trx, wishFor(open, 3), start))).toMatchObject({ reason: 'seats-free' });
  expect(await write((trx) => joinWaitingList(trx, wishFor(open, 4), start))).toMatchObject({ reason: 'too-many' });
});

test('P48: two processes at once offer each entry once, and each seat', async () => {
  const others = Array.from({ length: 3 }, () => createDb(database.connection, () => undefined, patientLimits));
  try {
    const courseDates = [];
    for (let at = 0; at < 2; at++) courseDates.push(await fullCourseDate(3, { course: 'cisa' }));
    const [first] = courseDates;
    if (!first) throw new Error('no course date');
    const list = { id: null, courseId: first.courseId };
    const entries = [await join(list), await join(list, 2), await join(list), await join(list, 2)];
    for (const { id, sold } of courseDates) await giveBack(id, sold);
    expect(await Promise.all(courseDates.map(({ id }) => publicSeats(id)))).toEqual([0, 0]);
    const runs = [db, ...others].map((process) => keepWaitingLists(process, later(1)));
    // Meanwhile others want the same seats.
    const buyers = courseDates.map(async ({ id }) => sell(id, 1, later(1)));
    await Promise.all([...runs, ...buyers]);
    const offers = await db
      .selectFrom('waiting_offers')
      .select(['entry_id', 'seats'])
      .where('entry_id', 'in', entries)
      .where('ended_at', 'is', null)
      .orderBy('entry_id')
      .execute();
    expect(offers.map(({ entry_id }) => entry_id)).toEqual(entries);
    expect(offers.reduce((sum, { seats }) => sum + seats, 0)).toBe(6);
    expect((await Promise.all(buyers)).flat()).toEqual([]);
    // Left and accepted at the same moment: one of both, and the seat is not lost.
    const [id = 0] = entries;
    await Promise.all([
      write((trx) => acceptWaitingOffer(trx, id, 'secret', later(2))),
      write((trx) => leaveWaitingList(trx, id, 'left', later(2)), others[0]),
    ]);
    expect((await entryOf(id)).closedWhy).toBe('left');
    expect(await disagreeing()).toBe(0);
  } finally {
    await Promise.all(others.map((other) => other.destroy()));
  }
});

test('P48: accepting leads to a draft with the offer’s seats for its own time; fewer may be bought', async () => {
  const courseDate = await fullCourseDate(3);
  const group = await join(courseDate, 3);
  const next = await join(courseDate, 1);
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, start);
  await deliver(start);
  await keepWaitingLists(db, start);
  const [first, again] = [
    await write((trx) => acceptWaitingOffer(trx, group, 'secret', later(1))),
    await write((trx) => acceptWaitingOffer(trx, group, 'secret', later(70))),
  ];
  expect(first).toEqual(again);
  const { draft_id: draftId, expires_at } = await db
    .selectFrom('seat_holds')
    .select(['draft_id', 'expires_at'])
    .where('id', '=', (await entryOf(group)).offer?.holdId ?? 0)
    .executeTakeFirstOrThrow();
  expect(expires_at).toEqual(new Date(start.now.getTime() + offerMs));
  if (draftId === null) throw new Error('no draft');
  const wanted = (seats: number) => [{ courseDateId: courseDate.id, seats }];
  const { now: at, today } = later(70);
  const held = (seats: number) => write((trx) => setDraftHolds(trx, { draftId, wanted: wanted(seats), at, today }));
  expect(await held(4)).toMatchObject({ ok: false, refused: [{ reason: 'course-date-full', left: 3 }] });
  expect(await held(2)).toEqual({ ok: true, expiresAt: expires_at, pauses: [] });
  await releaseExpiredHolds(db, new Date(at.getTime() + holdMs));
  const order = await orderOf(db, [seatIn(courseDate)], { draftId, attendees: [attendee(), attendee()] });
  expect(await write((trx) => placeEnrolment(trx, order, later(70)))).toMatchObject({ ok: true });
  expect((await entryOf(group)).closedWhy).toBe('bought');
  // The third seat is the next person's.
  expect(await publicSeats(courseDate.id)).toBe(0);
  await keepWaitingLists(db, later(70));
  expect((await entryOf(next)).offer?.seats).toBe(1);
  expect(await write((trx) => acceptWaitingOffer(trx, group, 'secret', later(70)))).toEqual({
    ok: false,
    reason: 'over',
  });
});

test('P48: a person who accepts in the last second has the seats for as long as any buyer in the steps, once', async () => {
  const courseDate = await fullCourseDate(1);
  const entry = await join(courseDate, 1);
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, start);
  await deliver(start);
  await keepWaitingLists(db, start);
  const last = { ...later(71), now: new Date(start.now.getTime() + offerMs - 1000) };
  const endOf = async () => (await entryOf(entry)).offer?.until;
  expect(await write((trx) => acceptWaitingOffer(trx, entry, 'secret', last))).toMatchObject({ ok: true });
  expect(await endOf()).toEqual(new Date(last.now.getTime() + holdMs));
  const again = { ...last, now: new Date(last.now.getTime() + holdMs - 1000) };
  await write((trx) => acceptWaitingOffer(trx, entry, 'secret', again));
  expect(await endOf()).toEqual(new Date(last.now.getTime() + holdMs));
  await releaseExpiredHolds(db, new Date(last.now.getTime() + holdMs));
  expect((await entryOf(entry)).closedWhy).toBe('lapsed');
});

test('P48: a buyer who takes another date with the offer’s draft is off the list, and the seats go to the next', async () => {
  const courseDate = await fullCourseDate(1);
  const other = await makeCourseDate(db, { capacity: 5 });
  const first = await join(courseDate);
  const second = await join(courseDate);
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, start);
  await write((trx) => acceptWaitingOffer(trx, first, 'secret', start));
  const { draft_id: draftId } = await db
    .selectFrom('seat_holds')
    .select('draft_id')
    .where('id', '=', (await entryOf(first)).offer?.holdId ?? 0)
    .executeTakeFirstOrThrow();
  const order = await orderOf(db, [seatIn(other)], { draftId });
  expect(await write((trx) => placeEnrolment(trx, order, start))).toMatchObject({ ok: true });
  expect((await entryOf(first)).closedWhy).toBe('bought');
  await keepWaitingLists(db, start);
  expect((await entryOf(second)).offer?.seats).toBe(1);
});

test('P38: places bought without a date are offered one, and get date and invoice by accepting', async () => {
  const course = 'cism';
  // A date with seats that there was before is not the next one.
  const { id: before, courseId } = await makeCourseDate(db, { course, startsOn: '2025-10-06' });
  await db
    .updateTable('course_dates')
    .set({ made_at: later(-1).now })
    .where('id', '=', before)
    .execute();
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees: [attendee(), attendee()] });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const { enrolmentId } = placed;
  const entriesOf = () =>
    db
      .selectFrom('waiting_entries')
      .select(['id', 'seats', 'closed_why'])
      .where('enrolment_id', '=', enrolmentId)
      .orderBy('id')
      .execute();
  await keepWaitingLists(db, start);
  await keepWaitingLists(db, start);
  expect(await entriesOf()).toEqual([{ id: expect.any(Number), seats: 2, closed_why: null }]);
  const behind = await join({ id: null, courseId }, 1, later(1));
  // Staff set a date: it is offered, and declined for the next one.
  const courseDates = [];
  for (let at = 0; at < 2; at++) courseDates.push(await makeCourseDate(db, { course, capacity: 3 }));
  const [one, two] = courseDates;
  if (!one || !two) throw new Error('no course date');
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', '=', two.id).execute();
  expect(await publicSeats(one.id)).toBe(0);
  await keepWaitingLists(db, later(2));
  const [waiting] = await entriesOf();
  expect((await entryOf(waiting?.id ?? 0)).offer).toMatchObject({ courseDateId: one.id, seats: 2 });
  expect((await entryOf(behind)).offer).toMatchObject({ courseDateId: one.id, seats: 1 });
  expect(await write((trx) => leaveWaitingList(trx, waiting?.id ?? 0, 'left', later(2)))).toMatchObject({
    reason: 'bought',
  });
  expect((await write((trx) => leaveWaitingList(trx, waiting?.id ?? 0, 'declined', later(2)))).ok).toBe(true);
  // The same date is not offered again; its seats are public.
  await keepWaitingLists(db, later(3));
  await keepWaitingLists(db, later(3));
  expect(await entriesOf()).toMatchObject([{ closed_why: 'declined' }, { seats: 2, closed_why: null }]);
  expect(await publicSeats(one.id)).toBe(2);
  const three = await makeCourseDate(db, { course, capacity: 3, startsOn: '2025-12-01' });
  await keepWaitingLists(db, later(4));
  const [, again] = await entriesOf();
  expect((await entryOf(again?.id ?? 0)).offer).toMatchObject({ courseDateId: three.id });
  // P31: they see what accepting binds them to.
  const page = await readWaitingPage(db, await entryOf(again?.id ?? 0), later(4));
  expect(page.offer?.refund).toBe('until 17 November AU$4,799 back, until 24 November AU$2,399.50, then nothing');
  const invoices = () =>
    db.selectFrom('tax_invoices').select('total_cents').where('enrolment_id', '=', enrolmentId).execute();
  expect(await invoices()).toEqual([]);
  const accept = () => write((trx) => acceptWaitingOffer(trx, again?.id ?? 0, 'secret', later(5)));
  const [accepted, repeated] = await Promise.all([accept(), accept()]);
  expect([accepted.ok, repeated.ok].toSorted()).toEqual([false, true]);
  expect(await invoices()).toEqual([{ total_cents: order.shownCents }]);
  const places = db.selectFrom('places').select(['way', 'course_date_id']).where('enrolment_id', '=', enrolmentId);
  expect(await places.execute()).toEqual(Array(2).fill({ way: 'date', course_date_id: three.id }));
  expect((await entryOf(again?.id ?? 0)).closedWhy).toBe('bought');
  expect(await publicSeats(three.id)).toBe(1);
  await keepWaitingLists(db, later(6));
  expect(await entriesOf()).toHaveLength(2);
});

test('P48: an offer of fewer seats than places wait dates that many; the others wait on in their turn', async () => {
  const { id: before, courseId } = await makeCourseDate(db, { course: 'crisc', startsOn: '2025-10-06' });
  await db
    .updateTable('course_dates')
    .set({ made_at: later(-1).now })
    .where('id', '=', before)
    .execute();
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], {
    attendees: [attendee(), attendee(), attendee()],
  });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const { enrolmentId } = placed;
  await keepWaitingLists(db, start);
  const entries = () =>
    db
      .selectFrom('waiting_entries')
      .select(['id', 'seats', 'joined_at', 'closed_why'])
      .where('enrolment_id', '=', enrolmentId)
      .orderBy('id')
      .execute();
  const [first] = await entries();
  const entryId = first?.id ?? 0;
  const courseDate = await makeCourseDate(db, { course: 'crisc', capacity: 2, startsOn: '2025-12-01' });
  const by = { actor: theProgram, reason: 'The room has two seats.' };
  const wish = { entryId, courseDateId: courseDate.id, seats: 2, by };
  expect(await write((trx) => offerByHand(trx, wish, later(1)))).toEqual({ ok: true });
  expect((await readWaitingPage(db, await entryOf(entryId), later(1))).offer).toMatchObject({ seats: 2, wait: 1 });
  expect(await write((trx) => acceptWaitingOffer(trx, entryId, 'secret', later(2)))).toMatchObject({ ok: true });
  const places = await db
    .selectFrom('places')
    .select(['way', 'course_date_id'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  const dated = { way: 'date', course_date_id: courseDate.id };
  expect(places).toEqual([dated, dated, { way: 'next-date', course_date_id: null }]);
  const invoices = db.selectFrom('tax_invoices').select('total_cents').where('enrolment_id', '=', enrolmentId);
  expect(await invoices.execute()).toEqual([{ total_cents: (order.shownCents / 3) * 2 }]);
  const since = first?.joined_at;
  expect(await entries()).toEqual([
    { id: entryId, seats: 3, joined_at: since, closed_why: 'bought' },
    { id: expect.any(Number), seats: 1, joined_at: since, closed_why: null },
  ]);
  await keepWaitingLists(db, later(3));
  expect(await entries()).toHaveLength(2);
  expect(await disagreeing()).toBe(0);

  // Staff give one of several places a date; here it is the last.
  const last = await makeCourseDate(db, { course: 'crisc', capacity: 2, startsOn: '2026-02-02' });
  const { id: onlyPlace } = await db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .where('way', '=', 'next-date')
    .executeTakeFirstOrThrow();
  const date = { enrolmentId, courseId, courseDateId: last.id, actor: theProgram, onlyPlace };
  expect(await write((trx) => datePlaces(trx, date, later(4)))).toEqual({ ok: true, places: 1 });
  expect((await entries()).map(({ closed_why }) => closed_why)).toEqual(['bought', 'bought']);
});

test('P48: an offer follows its buyer to another address: the former one can accept nothing, and the turn stays', async () => {
  const { id: before, courseId } = await makeCourseDate(db, { course: 'cdpse', startsOn: '2025-10-06' });
  await db
    .updateTable('course_dates')
    .set({ made_at: later(-1).now })
    .where('id', '=', before)
    .execute();
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees: [attendee()] });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const { enrolmentId } = placed;
  await keepWaitingLists(db, start);
  const { id: entryId, joined_at } = await db
    .selectFrom('waiting_entries')
    .select(['id', 'joined_at'])
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  await makeCourseDate(db, { course: 'cdpse', capacity: 3, startsOn: '2025-12-01' });
  await keepWaitingLists(db, later(1));
  const token = await write((trx) => makeWaitingToken(trx, entryId));
  await deliver(later(1));
  await keepWaitingLists(db, later(1));
  expect((await entryOf(entryId)).offer?.until).toEqual(expect.any(Date));
  const email = 'right@example.org';
  await write(async (trx) => {
    expect(await changeBuyerEmail(trx, { enrolmentId, email }, later(2).now)).toBe(true);
    await followBuyer(trx, { enrolmentId, email, courseDates: await offeredCourseDates(trx, enrolmentId) }, later(2));
  });
  expect(await findWaitingEntry(db, token)).toBeNull();
  const entry = await entryOf(entryId);
  expect(entry).toMatchObject({ email, joinedAt: joined_at, closedAt: null, offer: { seats: 1, until: null } });
  expect((await mailsTo(entryId)).map(({ kind }) => kind)).toEqual(['waiting-offer']);
  // Its time runs from when the new address has it.
  await deliver(later(5));
  await keepWaitingLists(db, later(5));
  expect((await entryOf(entryId)).offer?.until).toEqual(later(5 + 72).now);
  expect(await disagreeing()).toBe(0);
});

test('P48: an entry that has a former address of its buyer gets the one of today, and its open offer is mailed there', async () => {
  const { courseId } = await makeCourseDate(db, { course: 'cdpse', startsOn: '2025-10-06' });
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees: [attendee()] });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  await keepWaitingLists(db, start);
  await makeCourseDate(db, { course: 'cdpse', capacity: 3, startsOn: '2025-12-01' });
  await keepWaitingLists(db, later(1));
  await deliver(later(1));
  const { id: entryId } = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('enrolment_id', '=', placed.enrolmentId)
    .executeTakeFirstOrThrow();
  const token = await write((trx) => makeWaitingToken(trx, entryId));
  // As it was corrected before entries followed their buyers.
  await db
    .updateTable('enrolments')
    .set({ email: 'right@example.org', mailbox: 'right@example.org' })
    .where('id', '=', placed.enrolmentId)
    .execute();
  await keepWaitingLists(db, later(2));
  expect(await findWaitingEntry(db, token)).toBeNull();
  expect(await entryOf(entryId)).toMatchObject({ email: 'right@example.org', closedAt: null, offer: { until: null } });
  const told = await mailsTo(entryId);
  await keepWaitingLists(db, later(3));
  expect(await mailsTo(entryId)).toEqual(told);
  expect(told.at(-1)?.kind).toBe('waiting-offer');
  expect(await disagreeing()).toBe(0);
});

test('P48: a moved date is told to people who wait for it or were offered its seats', async () => {
  const courseDate = await fullCourseDate(2);
  const [waits, offered] = [await join(courseDate, 2), await join(courseDate)];
  const asked = await write((trx) => joinWaitingList(trx, wishFor(courseDate), start));
  const unproved = asked.ok ? asked.entryId : 0;
  await giveBack(courseDate.id, courseDate.sold.slice(0, 1));
  await keepWaitingLists(db, start);
  const move = (times: Partial<CourseDateTimes>) =>
    write(async (trx) => {
      const locked = (await lockCourseDates(trx, [courseDate.id], start.now)).get(courseDate.id);
      if (!locked) throw new Error('there is no such course date');
      const changed = { ...(await timesOf(trx, locked)), ...times };
      return moveCourseDateForAll(trx, { courseDate: locked, times: changed, actor: theProgram }, start);
    });
  const told = async (entryId: number) => (await mailsTo(entryId)).filter(({ kind }) => kind === 'waiting-over');
  expect(await move({ startTime: '10:00' })).toMatchObject({ ok: true });
  expect(await told(waits)).toEqual([]);
  expect(await move({ startDate: '2025-11-10', endDate: '2025-11-14', enrolmentEnds: '2025-11-09' })).toMatchObject({
    ok: true,
  });
  for (const id of [waits, offered]) {
    const [mail, ...more] = await told(id);
    expect(more).toEqual([]);
    expect(mail?.subject).toContain('Date moved');
    expect(mail?.body_text).toMatch(/10 to 14 November 2025[\s\S]*still on the waiting list/);
  }
  expect(await told(unproved)).toEqual([]);
});

test('P48: an offer that the end of enrolment cut short has its 72 hours when the date moves on, and ends with an earlier end', async () => {
  const late = await fullCourseDate(1);
  const last = await join(late);
  await giveBack(late.id, late.sold);
  // Enrolment ends on 2 November at midnight in Brisbane: 30 hours later.
  const evening = momentAt('2025-11-01T18:00');
  await keepWaitingLists(db, evening);
  await deliver(evening);
  await keepWaitingLists(db, evening);
  const until = async () => (await entryOf(last)).offer?.until;
  expect(await until()).toEqual(new Date('2025-11-02T14:00:00Z'));
  const move = (times: Partial<CourseDateTimes>) =>
    write(async (trx) => {
      const locked = (await lockCourseDates(trx, [late.id], evening.now)).get(late.id);
      if (!locked) throw new Error('there is no such course date');
      const changed = { ...(await timesOf(trx, locked)), ...times };
      return moveCourseDateForAll(trx, { courseDate: locked, times: changed, actor: theProgram }, evening);
    });
  const weekLater = { startDate: '2025-11-10', endDate: '2025-11-14', enrolmentEnds: '2025-11-09' };
  expect(await move(weekLater)).toMatchObject({ ok: true });
  expect(await until()).toEqual(new Date('2025-11-04T08:00:00Z'));
  // Nobody who enrolled is told of another last day of enrolment, but nothing can be bought after it.
  expect(await move({ enrolmentEnds: '2025-11-03' })).toMatchObject({ ok: true });
  expect(await until()).toEqual(new Date('2025-11-03T14:00:00Z'));
});

test('P48: places that get a date are not offered another one at the same moment', async () => {
  const course = 'cism';
  const { id: given, courseId } = await makeCourseDate(db, { course, capacity: 1 });
  await db
    .updateTable('course_dates')
    .set({ made_at: later(-1).now })
    .where('id', '=', given)
    .execute();
  const order = await orderOf(db, [{ courseId, way: 'next-date' }]);
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const { enrolmentId } = placed;
  const { id: entryId } = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const { id: other } = await makeCourseDate(db, { course, capacity: 1, startsOn: '2026-02-02' });
  const one = createDb(database.connection, () => undefined, patientLimits);
  const dating = () =>
    one
      .transaction()
      .execute((trx) => datePlaces(trx, { enrolmentId, courseId, courseDateId: given, actor: theProgram }, start));
  const waitsForALock = async () => {
    const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where datname = current_database() and locktype = 'advisory' and not granted`.execute(db);
    return rows.length > 0;
  };
  // The job has offered the other date, and has not committed yet, when staff give this one.
  const run: { dated?: Awaited<ReturnType<typeof dating>> } = {};
  const giving = await write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [other], start.now)).get(other);
    expect(courseDate && (await offerInTurn(trx, courseDate, entryId, start))).toBe(true);
    const asked = dating().then((dated) => Object.assign(run, { dated }));
    await until(async () => run.dated !== undefined || (await waitsForALock()));
    return { asked };
  });
  await giving.asked;
  expect(run.dated).toEqual({ ok: false, reason: 'meanwhile' });
  expect(await disagreeing()).toBe(0);
  expect(await dating()).toEqual({ ok: true, places: 1 });
  expect(await disagreeing()).toBe(0);
  expect((await entryOf(entryId)).closedWhy).toBe('bought');
  await one.destroy();
});

test('P48: a cancelled date closes its list and tells it; the course’s list waits on', async () => {
  const course = 'ccsp';
  const courseDate = await fullCourseDate(2, { course });
  const waits = await join(courseDate);
  const forAny = await join({ id: null, courseId: courseDate.courseId });
  await giveBack(courseDate.id, courseDate.sold);
  await keepWaitingLists(db, start);
  expect([(await entryOf(waits)).offer?.seats, (await entryOf(forAny)).offer?.seats]).toEqual([1, 1]);
  await write(async (trx) => {
    const locked = (await lockCourseDates(trx, [courseDate.id], start.now)).get(courseDate.id);
    if (locked) await cancelCourseDate(trx, locked, { ...start, actor: theProgram });
  });
  expect(await disagreeing()).toBe(0);
  await keepWaitingLists(db, start);
  expect((await entryOf(waits)).closedWhy).toBe('over');
  expect(await entryOf(forAny)).toMatchObject({ closedAt: null, pausedAt: null, offer: null });
  for (const id of [waits, forAny]) {
    const mails = await mailsTo(id);
    expect(mails.map(({ kind }) => kind)).toEqual(['waiting-joined', 'waiting-offer', 'waiting-over']);
    expect(mails.at(-1)?.subject).toContain('Date cancelled');
  }
});

test('P48: the list of a course that is retired closes, and tells each person on it once', async () => {
  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'comptia-linux-plus')
    .executeTakeFirstOrThrow();
  const list = { id: null, courseId };
  const waits = await join(list);
  const unconfirmed = await write((trx) => joinWaitingList(trx, wishFor(list), start));
  const elsewhere = await join(await fullCourseDate(2, { course: 'comptia-network-plus' }));
  await keepWaitingLists(db, start);
  expect((await entryOf(waits)).closedAt).toBeNull();
  expect(await countWaiting(db, 'comptia-linux-plus')).toBe(1);

  await db.updateTable('courses').set({ retired_at: start.now }).where('id', '=', courseId).execute();
  await keepWaitingLists(db, start);
  await keepWaitingLists(db, later(1));
  expect((await entryOf(waits)).closedWhy).toBe('over');
  const mails = await mailsTo(waits);
  expect(mails.map(({ kind }) => kind)).toEqual(['waiting-joined', 'waiting-over']);
  expect(mails.at(-1)?.subject).toContain('Course ended');
  expect(mails.at(-1)?.body_text).toMatch(/no further date[\s\S]*\/courses\n/);
  // Nobody showed that this address is theirs.
  if (!unconfirmed.ok) throw new Error(unconfirmed.reason);
  expect((await entryOf(unconfirmed.entryId)).closedWhy).toBe('over');
  expect((await mailsTo(unconfirmed.entryId)).map(({ kind }) => kind)).toEqual(['waiting-joined']);
  expect((await entryOf(elsewhere)).closedAt).toBeNull();
});

test('P48: staff offer out of turn and withdraw; the withdrawn entry is not offered again automatically, its seats are', async () => {
  const courseDate = await fullCourseDate(1);
  const first = await join(courseDate);
  const second = await join(courseDate);
  const by = { actor: staff, reason: 'A mistake' };
  const offer = (entryId: number) =>
    write((trx) => offerByHand(trx, { entryId, courseDateId: courseDate.id, seats: 1, by }, start));
  expect(await offer(second)).toEqual({ ok: false, reason: 'course-date-full', free: 0 });
  await giveBack(courseDate.id, courseDate.sold);
  expect(await offer(second)).toEqual({ ok: true });
  expect(await offer(second)).toEqual({ ok: false, reason: 'offered' });
  await keepWaitingLists(db, start);
  expect((await entryOf(first)).offer).toBeNull();
  expect(await write((trx) => withdrawOffer(trx, second, by, start))).toEqual({ ok: true });
  await keepWaitingLists(db, start);
  expect((await entryOf(first)).offer?.seats).toBe(1);
  expect(await entryOf(second)).toMatchObject({ closedAt: null, offer: null, pausedAt: start.now });
  // Offered by hand again, it is in its turn again as well.
  await db.updateTable('course_dates').set({ capacity: 2 }).where('id', '=', courseDate.id).execute();
  expect(await offer(second)).toEqual({ ok: true });
  expect((await entryOf(second)).pausedAt).toBeNull();
});

test('P48: the people ahead on a list are those who get its seats before, from the list of the course as well', async () => {
  const courseDate = await fullCourseDate(1, { course: 'csslp' });
  const others = db.updateTable('course_dates').where('id', '!=', courseDate.id);
  await others.set({ state: 'cancelled' }).where('course_id', '=', courseDate.courseId).execute();
  const next = { id: null, courseId: courseDate.courseId };
  await db
    .updateTable('course_dates')
    .set({ made_at: later(1).now })
    .where('id', '=', courseDate.id)
    .execute();
  const before = await join(next);
  const own = await join(courseDate, 1, later(2));
  const set = await join(next, 1, later(3));
  const last = await join(courseDate, 1, later(4));
  const ahead = async (id: number) => (await readWaitingPage(db, await entryOf(id), later(5))).ahead;
  // Who joined the list of the course after the date was set is offered later dates only.
  expect(await Promise.all([before, own, set, last].map(ahead))).toEqual([0, 1, 1, 2]);
  await db
    .updateTable('waiting_entries')
    .set({ paused_at: later(4).now })
    .where('id', '=', own)
    .execute();
  expect(await Promise.all([before, set, last].map(ahead))).toEqual([0, 1, 1]);
  await giveBack(courseDate.id, courseDate.sold, later(5));
  await keepWaitingLists(db, later(5));
  expect((await entryOf(before)).offer).toMatchObject({ courseDateId: courseDate.id });
  expect(await ahead(last)).toBe(0);
});

test('P48: staff offer places that were bought together as many seats as they type, at most one for each', async () => {
  const courseDate = await makeCourseDate(db, { course: 'cisa', capacity: 4 });
  const choice = { courseId: courseDate.courseId, way: 'next-date' } as const;
  const order = await orderOf(db, [choice], { attendees: [attendee(), attendee()] });
  const placed = await write((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const entries = db.selectFrom('waiting_entries').select('id').where('enrolment_id', '=', placed.enrolmentId);
  const { id: entryId } = await entries.executeTakeFirstOrThrow();
  const offered = async (seats: number) => {
    const by = { actor: staff, reason: 'Rang us' };
    expect(await write((trx) => offerByHand(trx, { entryId, courseDateId: courseDate.id, seats, by }, start))).toEqual({
      ok: true,
    });
    const { offer } = await entryOf(entryId);
    await write((trx) => withdrawOffer(trx, entryId, by, start));
    return offer?.seats;
  };
  expect([await offered(1), await offered(3)]).toEqual([1, 2]);
});

test('P48: the list of a date that may be booked after its first day is over with that day', async () => {
  const courseDate = await fullCourseDate(1, { startsOn: '2025-09-15' });
  await db
    .updateTable('course_dates')
    .set({ enrolment_ends_on: '2025-09-19' })
    .where('id', '=', courseDate.id)
    .execute();
  const waits = await join(courseDate);
  await keepWaitingLists(db, momentAt('2025-09-15T23:59'));
  expect((await entryOf(waits)).closedWhy).toBeNull();
  await keepWaitingLists(db, momentAt('2025-09-16T00:00'));
  expect((await entryOf(waits)).closedWhy).toBe('over');
});

test('P27, P48: seats freed by a cancellation are never sold past the list, and erasing gives offered seats back', async () => {
  const courseDate = await makeCourseDate(db, { capacity: 1 });
  const placed = await write(async (trx) => placeEnrolment(trx, await orderOf(db, [seatIn(courseDate)]), start));
  if (!placed.ok) throw new Error(placed.reason);
  const first = await join(courseDate);
  const { id: placeId } = await db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', placed.enrolmentId)
    .executeTakeFirstOrThrow();
  await write((trx) =>
    cancelPlaces(
      trx,
      { enrolmentId: placed.enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null },
      later(1),
    ),
  );
  const order = await orderOf(db, [seatIn(courseDate)]);
  expect(await write((trx) => placeEnrolment(trx, order, later(1)))).toMatchObject({
    reason: 'course-date-full',
    left: 0,
  });
  await keepWaitingLists(db, later(1));
  const { email, offer } = await entryOf(first);
  expect(offer?.seats).toBe(1);
  expect(await waitingRecords.read(db, await findHeldPerson(db, email))).toMatchObject([
    { email, offers: [{ seats: 1 }] },
  ]);
  expect(
    await write(async (trx) => waitingRecords.erase(trx, await findHeldPerson(trx, email.toUpperCase()), new Date())),
  ).toEqual({ count: 1 });
  expect(await publicSeats(courseDate.id)).toBe(1);
});
