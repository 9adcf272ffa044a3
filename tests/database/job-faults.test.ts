import { type RawBuilder, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { Busy } from '#app/db/connection-failure.server.ts';
import { openDatabaseTime } from '#app/db/database-time.server.ts';
import { holdSeats, lockCourseDates, releaseExpiredHolds } from '#app/features/course-dates/seats.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { queueReminders } from '#app/features/inbox/bookings/mails.server.ts';
import { queueConversationMails } from '#app/features/inbox/conversations/mails.server.ts';
import { endCheckouts } from '#app/features/money/card/end-checkouts.server.ts';
import { sendCardRefunds } from '#app/features/money/card/send-refunds.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import { countCardTroubles } from '#app/features/money/card/troubles.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { forgetStaffForms } from '#app/features/people/staff-act.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem, eachPart, forgetFault, recordFault } from '#app/jobs/each-item.server.ts';
import { tellFaults } from '#app/outbox/tell-faults.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { startJobs } from '#server/jobs.ts';
import { attendee, makeCourseDate, momentAt, orderOf, placeIn, seatsLeftIn } from '#tests/support/enrolments.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
});
afterAll(() => database.drop());
afterEach(() => sql`delete from job_faults`.execute(db));

const start = momentAt('2025-09-08T09:00');
const { academy } = start;
const later = (minutes: number) => new Date(start.now.getTime() + minutes * 60_000);
const laterIn = (minutes: number): Moment => ({ ...start, now: later(minutes) });
const faults = () => db.selectFrom('job_faults').select(['job', 'item', 'times']).orderBy('item').execute();

/** From now on no statement can write a row of a table for which a condition holds; `cure` ends that. */
async function poison(table: string, when: string): Promise<{ cure(): Promise<unknown> }> {
  await sql`create or replace function poisoned() returns trigger language plpgsql as
    $$ begin raise exception 'a row that cannot be written'; end $$`.execute(database.owner);
  await sql
    .raw(
      `create trigger poisoned before ${when.includes('old.') ? 'update' : 'insert'} on ${table}
        for each row when (${when}) execute function poisoned()`,
    )
    .execute(database.owner);
  return { cure: () => sql.raw(`drop trigger poisoned on ${table}`).execute(database.owner) };
}

/** Places so many seats of a course without a date; returns the enrolment and its entry. */
async function waitFor(courseId: number, seats = 1): Promise<{ enrolmentId: number; entryId: number }> {
  const attendees = Array.from({ length: seats }, () => attendee());
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees, actor: theBuyer });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, start));
  if (!placed.ok) throw new Error(placed.reason);
  const { id } = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('enrolment_id', '=', placed.enrolmentId)
    .executeTakeFirstOrThrow();
  return { enrolmentId: placed.enrolmentId, entryId: id };
}
const offersOf = (entryId: number) =>
  db
    .selectFrom('waiting_offers')
    .select(['id', 'ended', 'mailed_at', 'told_at'])
    .where('entry_id', '=', entryId)
    .orderBy('id')
    .execute();
const courseId = async (slug: string) =>
  (await db.selectFrom('courses').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id;

test('a lost connection puts the whole job off: it is no fault of an item, and the others are not tried', async () => {
  const tried: number[] = [];
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  const items = { job: 'remind of payments', items: [1, 2], keyOf: (id: number) => `enrolment:${id}`, at: start.now };
  const job = eachItem(db, items, async (_, id) => {
    tried.push(id);
    throw lost;
  });
  await expect(job).rejects.toBe(lost);
  expect([tried, await faults()]).toEqual([[1], []]);
});

test('an item whose statement takes too long, or waits for a lock, is recorded like any other, and the rest is done', async () => {
  const held = await makeCourseDate(db);
  const holding = await db.startTransaction().execute();
  await holding.updateTable('course_dates').set({ capacity: 7 }).where('id', '=', held.id).execute();
  const done: string[] = [];
  const slow: Record<string, RawBuilder<unknown>> = {
    'course-date:1': sql`select pg_sleep(5)`,
    'course-date:2': sql`select from course_dates where id = ${held.id} for update`,
  };
  const items = {
    job: 'sweep',
    items: ['course-date:1', 'course-date:2', 'course-date:3'],
    keyOf: String,
    at: start.now,
  };
  const sweep = () =>
    eachItem(db, items, async (trx, item) => {
      await sql`select set_config('statement_timeout', '100', true), set_config('lock_timeout', '50', true)`.execute(
        trx,
      );
      await slow[item]?.execute(trx);
      done.push(item);
      return true;
    });
  const part = async () => {
    throw new Error('canceled', { cause: Object.assign(new Error('statement timeout'), { code: '57014' }) });
  };
  try {
    expect(await sweep()).toBe(1);
    await eachPart(db, 'sweep', start.now, { slow: part, last: async () => done.push('last part') });
  } finally {
    await holding.rollback().execute();
  }
  expect(done).toEqual(['course-date:3', 'last part']);
  expect((await faults()).map(({ item }) => item)).toEqual(['course-date:1', 'course-date:2', 'part:slow']);
});

test('a pool without a free connection puts the whole job off: the next item would get none either', async () => {
  const full = new Busy('all connections are in use');
  const items = { job: 'sweep', items: [1, 2], keyOf: (id: number) => `course-date:${id}`, at: start.now };
  await expect(eachItem(db, items, () => Promise.reject(full))).rejects.toBe(full);
  expect(await faults()).toEqual([]);
});

test('P27: a hold that cannot be given back is recorded once, and does not keep the others’ seats', async () => {
  const courseDates = [await makeCourseDate(db), await makeCourseDate(db)];
  const [ill, well] = courseDates.map(({ id }) => id);
  for (const { id } of courseDates) {
    await db.transaction().execute(async (trx) => {
      const courseDate = (await lockCourseDates(trx, [id], start.now)).get(id);
      if (!courseDate) throw new Error('no course date');
      await holdSeats(trx, { courseDate, seats: 2, purpose: 'enrolment', at: start.now, expiresAt: later(15) });
    });
  }
  const { cure } = await poison('seat_holds', `old.course_date_id = ${ill} and new.ended_at is not null`);
  expect(await releaseExpiredHolds(db, later(15))).toBe(1);
  expect(await releaseExpiredHolds(db, later(16))).toBe(0);
  expect([await seatsLeftIn(db, ill ?? 0), await seatsLeftIn(db, well ?? 0)]).toEqual([4, 6]);
  expect(await faults()).toEqual([{ job: 'give back seats', item: `course-date:${ill}`, times: 2 }]);
  await cure();
  expect(await releaseExpiredHolds(db, later(17))).toBe(1);
  expect(await faults()).toEqual([]);
});

test('P48: an entry that cannot be offered seats is recorded, and the next on the same list is offered', async () => {
  const course = 'cism';
  const ill = await waitFor(await courseId(course));
  const well = await waitFor(await courseId(course));
  await makeCourseDate(db, { course, capacity: 3 });
  const { cure } = await poison('waiting_offers', `new.entry_id = ${ill.entryId}`);
  await keepWaitingLists(db, start);
  expect([(await offersOf(ill.entryId)).length, (await offersOf(well.entryId)).length]).toEqual([0, 1]);
  expect(await faults()).toEqual([{ job: 'keep waiting lists', item: `waiting-entry:${ill.entryId}`, times: 1 }]);
  await cure();
  await keepWaitingLists(db, start);
  expect(await offersOf(ill.entryId)).toHaveLength(1);
  expect(await faults()).toEqual([]);

  // Their messages are taken; the time of one cannot be written.
  const [first] = await offersOf(ill.entryId);
  await db.updateTable('mails').set({ state: 'sent', settled_at: start.now }).where('state', '=', 'queued').execute();
  const unsent = await poison('waiting_offers', `old.id = ${first?.id}`);
  await keepWaitingLists(db, start);
  expect((await offersOf(well.entryId))[0]?.mailed_at).toEqual(start.now);
  expect(await faults()).toMatchObject([{ item: `waiting-offer:${first?.id}` }]);
  await unsent.cure();
  await keepWaitingLists(db, start);

  // Both run out; of one nobody can be told.
  const over = 72 * 60;
  await releaseExpiredHolds(db, later(over));
  const untold = await poison('waiting_offers', `old.id = ${first?.id} and new.told_at is not null`);
  await keepWaitingLists(db, laterIn(over));
  expect((await offersOf(ill.entryId))[0]).toMatchObject({ ended: 'lapsed', told_at: null });
  expect((await offersOf(well.entryId))[0]).toMatchObject({ ended: 'lapsed', told_at: later(over) });
  await untold.cure();
  await keepWaitingLists(db, laterIn(over));
  expect((await offersOf(ill.entryId))[0]?.told_at).toEqual(later(over));
  expect(await faults()).toEqual([]);
});

test('P48: an entry of a cancelled date that cannot be closed does not keep the others on the list', async () => {
  const [one, other] = [await makeCourseDate(db), await makeCourseDate(db)];
  const entryOn = async (courseDate: { id: number; courseId: number }, email: string) => {
    const { id } = await db
      .insertInto('waiting_entries')
      .values({
        reference: `BB-${email.toUpperCase()}`,
        course_date_id: courseDate.id,
        course_id: courseDate.courseId,
        seats: 1,
        name: 'Mary Shelley',
        email: `${email}@example.com`,
        mailbox: `${email}@example.com`,
        joined_at: start.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const ill = await entryOn(one, 'aaaaa2');
  const well = await entryOn(other, 'aaaaa3');
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', 'in', [one.id, other.id]).execute();
  const { cure } = await poison('waiting_entries', `old.id = ${ill}`);
  await keepWaitingLists(db, start);
  const closed = () =>
    db
      .selectFrom('waiting_entries')
      .select(['id', 'closed_why'])
      .where('id', 'in', [ill, well])
      .orderBy('id')
      .execute();
  expect(await closed()).toEqual([
    { id: ill, closed_why: null },
    { id: well, closed_why: 'over' },
  ]);
  await cure();
  await keepWaitingLists(db, start);
  expect(await closed()).toMatchObject([{ closed_why: 'over' }, { closed_why: 'over' }]);
});

test('P38: twenty-one people who wait for a next date are on the list, as staff entered them or as they were added', async () => {
  const course = await courseId('cisa');
  const placed = await waitFor(course, 21);
  const grown = await waitFor(course);
  // One more joined without the list being told.
  await sql`insert into places (enrolment_id, attendee_id, course_id, way, price_cents, placed_at)
    select enrolment_id, attendee_id, course_id, way, price_cents, placed_at
      from places, generate_series(1, 20) where enrolment_id = ${grown.enrolmentId}`.execute(db);
  const ill = await waitFor(course);
  await sql`update places set state = 'cancelled', cancelled_at = placed_at, cancelled_why = 'staff'
    where enrolment_id = ${ill.enrolmentId}`.execute(db);
  const elsewhere = await waitFor(await courseId('oscp-pen-200'));
  await makeCourseDate(db, { course: 'oscp-pen-200' });
  const { cure } = await poison('waiting_entries', `old.id = ${ill.entryId}`);
  await keepWaitingLists(db, start);
  const seats = await db
    .selectFrom('waiting_entries')
    .select('seats')
    .where('id', 'in', [placed.entryId, grown.entryId])
    .execute();
  expect(seats).toEqual([{ seats: 21 }, { seats: 21 }]);
  expect(await faults()).toMatchObject([{ item: `waiting-entry:${ill.entryId}` }]);
  expect(await offersOf(elsewhere.entryId)).toHaveLength(1);
  await cure();
});

test('a part of a job that fails as a whole does not keep the others from being done', async () => {
  const done: string[] = [];
  let broken = true;
  const run = () =>
    eachPart(db, 'sweep', start.now, {
      first: async () => {
        if (broken) throw new Error('broken');
      },
      second: async () => done.push('second'),
    });
  await run();
  expect(done).toEqual(['second']);
  expect(await faults()).toEqual([{ job: 'sweep', item: 'part:first', times: 1 }]);
  broken = false;
  await run();
  expect(await faults()).toEqual([]);
});

test('P20: an appointment that cannot be reminded of does not keep the others from it', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into bookings (reference, kind, adviser, starts_at, ends_at, occupied, name, email, mailbox, created_at, changed_at)
    select 'BB-AAABB' || adviser, 'career-counseling', adviser, ${later(60)}, ${later(90)},
      tstzrange(${later(60)}, ${later(90)}), 'Ada', 'ada@example.com', 'ada@example.com', ${later(-3000)}, ${later(-3000)}
    from generate_series(2, 3) adviser returning id`.execute(db);
  const { cure } = await poison('bookings', `old.id = ${rows[0]?.id}`);
  expect(await queueReminders(db, academy, start.now)).toBe(1);
  expect(await faults()).toEqual([{ job: 'remind of bookings', item: `booking:${rows[0]?.id}`, times: 1 }]);
  await cure();
  expect(await queueReminders(db, academy, start.now)).toBe(1);
  expect(await queueReminders(db, academy, start.now)).toBe(0);
});

torture('a hundred items that fail each time do not keep the hundred and first from its turn', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into bookings (reference, kind, adviser, starts_at, ends_at, occupied, name, email, mailbox, created_at, changed_at)
    select 'BB-CCC' || translate(n::text, '01', 'XY'), 'career-counseling', n, starts_at, ${later(90)},
      tstzrange(starts_at, ${later(90)}), 'Ada', 'ada@example.com', 'ada@example.com', ${later(-3000)}, ${later(-3000)}
    from generate_series(201, 301) n, lateral (select ${later(60)}::timestamptz + n * interval '1 second') as its (starts_at)
    returning id`.execute(db);
  const well = rows.at(-1)?.id;
  const { cure } = await poison('bookings', `old.id >= ${rows[0]?.id} and old.id < ${well}`);
  expect(await queueReminders(db, academy, start.now)).toBe(0);
  expect(await queueReminders(db, academy, start.now)).toBe(1);
  await cure();
  expect(await queueReminders(db, academy, start.now)).toBe(100);
});

test('an item that fails with NUL in its message is recorded, and the others go on', async () => {
  const items = { job: 'sweep', items: ['a:1', 'b:2'], keyOf: String, at: start.now };
  const done = await eachItem(db, items, async (_, item) => {
    if (item === 'a:1') throw new Error('bad \0 text');
    return true;
  });
  expect(done).toBe(1);
  expect(await db.selectFrom('job_faults').select(['item', 'message']).execute()).toEqual([
    { item: 'a:1', message: 'bad  text' },
  ]);
});

test('P20: a chat whose email cannot be queued does not stop the emails of others', async () => {
  const { id: staffId } = await makeStaff(db, { name: 'Ada Byron', email: 'ada@academy.example' }, start.now);
  const { rows } = await sql<{ id: number }>`
    insert into conversations (name, email, mailbox, state, state_at, created_at, last_at, visitor_at)
    select 'Ada', 'chat' || n || '@example.com', 'chat' || n || '@example.com',
      case when n < 2 then 'answered' else 'waiting' end, ${start.now}, ${start.now}, ${start.now}, ${start.now}
    from generate_series(0, 3) n returning id`.execute(db);
  const [ill, well, illWaiting, wellWaiting] = rows.map(({ id }) => id);
  await sql`insert into conversation_messages (conversation_id, kind, body, person_id, form_hash, created_at)
    select id, 'answer', 'Yes.', ${staffId}, 'form ' || id, ${start.now} from conversations where id in (${ill}, ${well})`.execute(
    db,
  );
  const { cure } = await poison('conversations', `old.id in (${ill}, ${illWaiting})`);
  await queueConversationMails(db, academy, later(5));
  const told = await db
    .selectFrom('conversations')
    .select('id')
    .where((row) => row.or([row('told_at', 'is not', null), row('noticed_at', 'is not', null)]))
    .orderBy('id')
    .execute();
  expect(told.map(({ id }) => id)).toEqual([well, wellWaiting]);
  expect(await faults()).toMatchObject([{ item: `conversation:${ill}` }, { item: `conversation:${illWaiting}` }]);
  await cure();
});

test('P24: a visitor whose last email has the time of a clock a day ahead gets an email about the next answer', async () => {
  const { id: staffId } = await makeStaff(db, { name: 'Eve Moss', email: 'eve@academy.example' }, start.now);
  const { rows } = await sql<{ id: number }>`
    insert into conversations (name, email, mailbox, state, state_at, created_at, last_at, visitor_at, told_at)
    select 'Eve', 'eve' || told || '@example.com', 'eve' || told || '@example.com', 'answered', ${start.now}, ${start.now},
      ${start.now}, ${start.now}, ${start.now}::timestamptz + make_interval(mins => told)
    from unnest(array[1440, 2]) told returning id`.execute(db);
  const [ahead, withinTheHour] = rows.map(({ id }) => id);
  await sql`insert into conversation_messages (conversation_id, kind, body, person_id, form_hash, created_at)
    select id, 'answer', 'Yes.', ${staffId}, 'form ' || id, ${start.now} from conversations
      where id in (${ahead}, ${withinTheHour})`.execute(db);
  await queueConversationMails(db, academy, later(5));
  const told = await db.selectFrom('conversations').select('id').where('told_at', '=', later(5)).orderBy('id', 'desc');
  expect(await told.execute()).toContainEqual({ id: ahead });
  expect(await told.execute()).not.toContainEqual({ id: withinTheHour });
});

const stripe = (parts: Partial<Stripe>) => parts as Stripe;

test('P29: a card payment that cannot be ended, or a refund that cannot be sent, does not keep the others', async () => {
  const enrolments = [];
  for (let at = 0; at < 3; at++) enrolments.push(await placeIn(db, await makeCourseDate(db)));
  const ids = enrolments.map(({ enrolmentId }) => enrolmentId);
  await sql`insert into card_checkouts (key, enrolment_id, amount_cents, stripe_id, state, made_at, expires_at)
    select gen_random_uuid(), id, 1, 'cs_' || id, 'open', ${start.now}, ${later(60)} from enrolments where id in (${sql.join(ids)})`.execute(
    db,
  );
  const ill = `cs_${ids[0]}`;
  let odd = true;
  const expiring = stripe({
    async expireCheckout(stripeId) {
      if (odd && stripeId === ill) throw new Error('an answer that nobody expects');
      return { ok: true };
    },
  });
  await endCheckouts(db, expiring, start.now);
  const states = () => db.selectFrom('card_checkouts').select('state').orderBy('enrolment_id').execute();
  expect(await states()).toMatchObject([{ state: 'open' }, { state: 'expired' }, { state: 'expired' }]);
  expect(await faults()).toMatchObject([
    { job: 'end card payments', item: expect.stringMatching(/^card-checkout:\d+$/) },
  ]);
  // What Stripe never told of is asked for some time after its end.
  odd = false;
  await sql`update card_checkouts set state = 'open'`.execute(db);
  const { cure } = await poison('card_checkouts', `old.stripe_id = '${ill}'`);
  await endCheckouts(db, expiring, later(71));
  expect(await states()).toMatchObject([{ state: 'open' }, { state: 'expired' }, { state: 'expired' }]);
  await cure();
  await endCheckouts(db, expiring, later(71));
  expect(await faults()).toEqual([]);

  for (const [at, id] of ids.entries()) {
    await sql`with payment as (
        insert into payments (enrolment_id, amount_cents, received_on, method, source, recorded_at)
        values (${id}, 100, '2025-09-08', 'card', ${`pi_${at}`}, ${start.now}) returning id)
      insert into refunds (payment_id, enrolment_id, amount_cents, state, reason, source, recorded_at, sent_on)
        select id, ${id}, 100, 'sent', 'Asked', ${`refund ${at}`}, ${start.now}, '2025-09-08' from payment`.execute(db);
  }
  const sent: string[] = [];
  const refunding = stripe({
    async refund({ source, paymentIntent }) {
      if (source === 'refund 0') throw new Error('an answer that nobody expects');
      sent.push(paymentIntent);
      return { ok: false, refused: false, message: 'Busy' };
    },
  });
  await sendCardRefunds(db, refunding, start.now);
  expect(sent).toEqual(['pi_1', 'pi_2']);
  expect(await faults()).toMatchObject([{ job: 'send card refunds', item: expect.stringMatching(/^refund:\d+$/) }]);
  // A clock that was a year ahead tried one of them; the right one does not wait for that year to pass.
  await sql`update card_refunds set tried_at = ${later(365 * 24 * 60)}
    where refund_id = (select id from refunds where source = 'refund 1')`.execute(db);
  await sendCardRefunds(db, refunding, later(1));
  const tried = await db.selectFrom('card_refunds').select('tried_at').execute();
  expect(tried).toEqual(Array(3).fill({ tried_at: later(1) }));

  // The job takes twenty at a time; staff are told of all.
  await sql`with payment as (
      insert into payments (enrolment_id, amount_cents, received_on, method, source, recorded_at)
      select ${ids[0]}, 100, '2025-09-08', 'card', 'pi_many_' || number, ${start.now}
      from generate_series(1, 30) as number returning id)
    insert into refunds (payment_id, enrolment_id, amount_cents, state, reason, source, recorded_at, sent_on)
      select id, ${ids[0]}, 100, 'sent', 'Asked', 'many ' || id, ${start.now}, '2025-09-08' from payment`.execute(db);
  expect(await countCardTroubles(db, anOwner, later(2 * 24 * 60))).toBe(33);
});

test('a fault is logged once, mailed once and at most once an hour, and forgotten when its item is gone', async () => {
  const logged: object[] = [];
  const log = { error: (fields: object) => logged.push(fields) };
  const fail = (item: string, minutes: number) =>
    recordFault(db, { job: 'sweep', item, error: new Error('broken'), at: later(minutes) });
  const tell = (minutes: number) => tellFaults(db, { academy, at: later(minutes), log });
  const mails = async () => {
    const rows = await db.selectFrom('mails').select('body_text').where('kind', '=', 'job-fault').execute();
    return rows.map(({ body_text }) => body_text ?? '');
  };
  await fail('place:1', 0);
  await Promise.all([tell(1), tell(1)]);
  await fail('place:1', 2);
  await fail('place:2', 2);
  await tell(3);
  expect(logged).toEqual([
    { job: 'sweep', item: 'place:1', message: 'broken' },
    { job: 'sweep', item: 'place:2', message: 'broken' },
  ]);
  expect(await mails()).toHaveLength(1);
  await tell(61);
  const [, second] = await mails();
  expect(second).toContain('place:2');
  expect(second).not.toContain('place:1');
  await tell(200);
  expect(await mails()).toHaveLength(2);
  // Two days later the job has not come across them again.
  await fail('place:2', 60);
  await tell(2 + 48 * 60 + 1);
  expect(await faults()).toMatchObject([{ item: 'place:2' }]);
});

test('P14: a zone that no clock knows cannot be stored: it would stop the reminders of all places', async () => {
  const { id } = await makeCourseDate(db, { startsOn: '2025-09-15' });
  for (const zone of ['Mars/Olympus', 'AEST', '']) {
    await expect(db.updateTable('course_dates').set({ zone }).where('id', '=', id).execute()).rejects.toThrow(
      /time zone|course_dates_zone/,
    );
  }
});

test('P31: a place that cannot be reminded of does not keep the others from their reminder', async () => {
  const courseDate = await makeCourseDate(db, { startsOn: '2025-09-15' });
  const [ill, well] = [await placeIn(db, courseDate), await placeIn(db, courseDate)];
  await sql`update places set placed_at = '2025-09-01T09:00:00+10:00' where course_date_id = ${courseDate.id}`.execute(
    db,
  );
  const address = async ({ enrolmentId }: { enrolmentId: number }) =>
    (await db.selectFrom('enrolments').select('email').where('id', '=', enrolmentId).executeTakeFirstOrThrow()).email;
  const { cure } = await poison('mails', `new.recipient = '${await address(ill)}'`);
  expect(await queuePlaceReminders(db, start)).toBe(1);
  expect(await faults()).toMatchObject([{ job: 'remind of places', item: expect.stringMatching(/^place:\d+$/) }]);
  await cure();
  expect([await queuePlaceReminders(db, start), await queuePlaceReminders(db, start)]).toEqual([1, 0]);
  expect(await faults()).toEqual([]);
  const reminded = await db.selectFrom('mails').select('recipient').where('kind', '=', 'place-reminder').execute();
  expect(reminded.map(({ recipient }) => recipient).sort()).toEqual([await address(ill), await address(well)].sort());
});

test('a fault that comes and goes is mailed at most once in an hour', async () => {
  const log = { error: () => undefined };
  const count = async () => {
    const rows = await db.selectFrom('mails').select('id').where('kind', '=', 'job-fault').execute();
    return rows.length;
  };
  const before = await count();
  // Some days later, so that no other test has told anything in these hours.
  const days = 5 * 24 * 60;
  for (const minute of [1, 3, 5, 7]) {
    const at = later(days + minute);
    await recordFault(db, { job: 'sweep', item: 'place:7', error: new Error('broken'), at });
    await Promise.all([tellFaults(db, { academy, at, log }), tellFaults(db, { academy, at, log })]);
    await forgetFault(db, 'sweep', 'place:7');
  }
  expect((await count()) - before).toBe(1);
  await recordFault(db, { job: 'sweep', item: 'place:7', error: new Error('broken'), at: later(days + 9) });
  await tellFaults(db, { academy, at: later(days + 62), log });
  expect((await count()) - before).toBe(2);
});

test('a clock that was a year ahead, and told of a fault then, does not keep the others from being told', async () => {
  const log = { error: () => undefined };
  const day = 24 * 60;
  await recordFault(db, { job: 'sweep', item: 'place:8', error: new Error('broken'), at: later(365 * day) });
  await tellFaults(db, { academy, at: later(365 * day), log });
  await recordFault(db, { job: 'sweep', item: 'place:9', error: new Error('broken'), at: later(20 * day) });
  await tellFaults(db, { academy, at: later(20 * day), log });
  const told = db.selectFrom('job_faults').select('told_at').where('item', '=', 'place:9');
  expect(await told.execute()).toEqual([{ told_at: later(20 * day) }]);
});

test('the faults of items that a job has not come across for two days are forgotten', async () => {
  const log = { error: () => undefined };
  const days = 10 * 24 * 60;
  await recordFault(db, { job: 'sweep', item: 'place:7', error: new Error('broken'), at: later(days) });
  await tellFaults(db, { academy, at: later(days + 49 * 60), log });
  expect(await faults()).toEqual([]);
});

test('keys of forms of staff are forgotten after 30 days', async () => {
  const day = 24 * 60;
  const [old, young] = [crypto.randomUUID(), crypto.randomUUID()];
  await db
    .insertInto('submitted_staff_forms')
    .values([
      { key: old, submitted_at: later(-31 * day) },
      { key: young, submitted_at: later(-29 * day) },
    ])
    .execute();
  expect(await forgetStaffForms(db, start.now)).toBe(1);
  expect(await forgetStaffForms(db, start.now)).toBeNull();
  expect(await db.selectFrom('submitted_staff_forms').select('key').execute()).toEqual([{ key: young }]);
});

test('a job that fails as a whole is logged once until it works again', async () => {
  const logged: unknown[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let broken = true;
  let done = 0;
  const keep = async () => {
    if (broken) throw new Error('disk full');
    done += 1;
  };
  const times = async () => {
    const item = 'part:all of it';
    const faults = db.selectFrom('job_faults').select('times').where('job', '=', 'keep numbers given out');
    const [row] = await faults.where('item', '=', item).execute();
    return row?.times ?? 0;
  };
  const data = temporaryFolder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const needs = {
    db,
    withoutLimits: <T>(work: (own: typeof db) => Promise<T>) => work(db),
    time: await openDatabaseTime(db),
    mailFolder: data.folder,
    academy: () => academy,
    stripe: null,
    numbers: { keep },
    storeNumbers: null,
    backups: null,
    badges: { origin: null, do: () => expect.unreachable(), verify: () => expect.unreachable() },
    visits: { answered: () => undefined, store: async () => undefined },
    sendLinks: async () => 0,
    forgetSignIns: async () => undefined,
  };
  const jobs = await startJobs({ ...needs, clock: { now: () => start.now, aheadMs: 0 } }, log);
  const secondPasses = () => vi.advanceTimersByTime(1000);
  const failures = () => logged.filter((line) => (line as { msg: string }).msg === 'job failed');
  try {
    // A second that passes while a run is under way begins none.
    await until(async () => {
      const failed = await times();
      secondPasses();
      return failed >= 3;
    });
    expect(failures()).toMatchObject([{ job: 'keep numbers given out' }]);
    broken = false;
    await until(() => {
      secondPasses();
      return done > 0;
    });
    await until(async () => (await times()) === 0);
    broken = true;
    await until(() => {
      secondPasses();
      return failures().length > 1;
    });
  } finally {
    await jobs.stop();
    vi.useRealTimers();
    data.remove();
  }
});
