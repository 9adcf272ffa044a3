import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '#app/db/schema.ts';
import { takeInboundEmail } from '#app/features/inbox/email/take.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Cell } from '#app/features/reports/report.ts';
import { reportAt, reports } from '#app/features/reports/reports.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { academy, makeCourseDate, termsId } from '#tests/support/enrolments.ts';
import { anOwner, makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

const brisbane = (text: string) => new Date(`${text}:00+10:00`);
const now = brisbane('2027-03-20T09:00');

let database: TestDatabase;
let personId: number;
let staff: StaffActor;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  ({ id: personId, actor: staff } = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, now));
});
afterAll(() => database.drop());

const rowsOf = async (slug: string, from: string, end: string, at = now): Promise<readonly (readonly Cell[])[]> =>
  (await reportAt(slug)?.read(database.db, anOwner, { from, end }, at))?.rows ?? expect.unreachable();

test('P85: enrolments, places and revenue by week, course, track and source, of half open days in Brisbane', async () => {
  const { db } = database;
  const placed_at = brisbane('2025-09-14T23:59');
  const one = await writeEnrolment(db, [{ monday: '2025-10-13' }, { monday: '2025-10-13' }], { placed_at });
  const later = {
    placed_at: brisbane('2025-09-15T00:00'),
    payer: 'organisation',
    organisation: 'Analytical Engines',
    placed_by: personId,
  };
  await writeEnrolment(db, [], later);
  // Places are written at 9 am on 8 September.
  const on = (today: string) => ({ today, at: brisbane(`${today}T09:00`) });
  const { id: enrolmentId, places } = one;
  await db.transaction().execute(async (trx) => {
    await issueTaxInvoice(trx, { enrolmentId, placeIds: places, ...on('2025-09-14') });
    const credits = [{ placeId: places[0] ?? 0, cents: 100_001 }];
    await issueAdjustmentNotes(trx, { enrolmentId, credits, reason: 'Discount', ...on('2025-09-15') });
  });
  expect(await rowsOf('enrolments', '2025-09-08', '2025-09-22')).toEqual([
    ['2025-09-08', 1, 0, 2],
    ['2025-09-15', 1, 1, 0],
  ]);
  expect(await rowsOf('money', '2025-09-08', '2025-09-29')).toEqual([
    ['2025-09-08', 459_800, 0, 459_800, 0, 0, 0],
    ['2025-09-15', 0, -100_001, -100_001, 0, 0, 0],
    ['2025-09-22', 0, 0, 0, 0, 0, 0],
  ]);
  const { title } = await db
    .selectFrom('courses')
    .select('title')
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  expect(await rowsOf('courses', '2025-09-08', '2025-09-15')).toEqual([[title, 2, 459_800]]);
  expect(await rowsOf('courses', '2025-09-08', '2025-09-16')).toEqual([[title, 2, 359_799]]);
  expect(await rowsOf('courses', '2025-09-15', '2025-09-16')).toEqual([[title, 0, -100_001]]);
  const its = await db
    .selectFrom('tracks')
    .select('name')
    .where(sql<boolean>`slug = any((select tracks from courses where slug = 'cissp')::text[])`)
    .execute();
  const tracks = await rowsOf('tracks', '2025-09-08', '2025-09-16');
  const sold = tracks.filter(([, count]) => count !== 0);
  expect(sold.map(([name]) => name).toSorted()).toEqual(its.map(({ name }) => name).toSorted());
  for (const row of sold) expect(row.slice(1)).toEqual([2, 359_799]);
  expect(await rowsOf('sources', '2025-09-08', '2025-09-16')).toEqual([
    ['Our pages, private buyers', 1, 359_799],
    ['Our pages, organisations', 0, 0],
    ['By staff, private buyers', 0, 0],
    ['By staff, organisations', 1, 0],
  ]);
});

test('P85: the fill of a course date 8, 4, 2 and 1 weeks before comes from the times of the ledger', async () => {
  const { db } = database;
  const { id } = await makeCourseDate(db, { startsOn: '2027-03-01', capacity: 4 });
  const move = (kind: 'sale' | 'cancellation', place_id: number, at: string) =>
    db
      .insertInto('seat_movements')
      .values({ course_date_id: id, kind, seats: kind === 'sale' ? 1 : -1, place_id, at: brisbane(at) })
      .execute();
  // Eight weeks before the first of March is 4 January.
  await move('sale', 9001, '2027-01-03T23:59');
  await move('sale', 9002, '2027-01-04T00:00');
  await move('sale', 9003, '2027-01-20T12:00');
  await move('cancellation', 9001, '2027-02-10T12:00');
  await move('sale', 9004, '2027-02-28T12:00');
  const title = expect.any(String);
  const read = (at: Date) => rowsOf('fill', '2027-03-01', '2027-03-02', at);
  expect(await read(now)).toEqual([['2027-03-01', title, 4, 1, 3, 2, 2, 3, 0.75]]);
  // Days that have not come are empty.
  expect(await read(brisbane('2027-02-15T00:00'))).toEqual([['2027-03-01', title, 4, 1, 3, 2, null, 3, 0.75]]);
  expect(await read(brisbane('2027-02-14T23:59'))).toEqual([['2027-03-01', title, 4, 1, 3, null, null, 3, 0.75]]);
});

test('P85: cancellations are by whose choice, without moves', async () => {
  const { db } = database;
  const { places } = await writeEnrolment(
    db,
    Array.from({ length: 4 }, () => ({})),
  );
  const cancel = (at: number, cancelled_why: DB['places']['cancelled_why'], day: string) =>
    db
      .updateTable('places')
      .set({ state: 'cancelled', cancelled_at: brisbane(day), cancelled_why })
      .where('id', '=', places[at] ?? 0)
      .execute();
  await cancel(0, 'buyer', '2026-01-05T00:00');
  await cancel(1, 'date', '2026-01-05T10:00');
  await cancel(2, 'transfer', '2026-01-05T10:00');
  await cancel(3, 'buyer', '2026-01-06T00:00');
  expect(await rowsOf('cancellations', '2026-01-05', '2026-01-06')).toEqual([
    ['The buyer', 1],
    ['Staff', 0],
    ['The academy: it cancelled or moved a date', 1],
  ]);
});

test('P85: waiting lists count who joined, was offered seats and took them', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2026-06-01' });
  const join = async (at: string, name: string, confirmed = true) => {
    const { id } = await db
      .insertInto('waiting_entries')
      .values({
        ...{ reference: newReference(), course_date_id: courseDate.id, course_id: courseDate.courseId, seats: 1, name },
        ...{ email: `${name}@example.com`, mailbox: `${name}@example.com`, joined_at: brisbane(at) },
        confirmed_at: confirmed ? brisbane(at) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const offer = async (entry_id: number, ended: DB['waiting_offers']['ended']) => {
    const made_at = brisbane('2026-02-20T09:00');
    const its = { course_date_id: courseDate.id, seats: 1, made_at };
    const hold = { ...its, purpose: 'waiting-offer', ended: 'released', ended_at: made_at } as const;
    const { id: hold_id } = await db.insertInto('seat_holds').values(hold).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('waiting_offers')
      .values({ ...its, hold_id, entry_id, ended, ended_at: made_at })
      .execute();
  };
  const ada = await join('2026-02-02T09:00', 'ada');
  const mary = await join('2026-02-03T09:00', 'mary');
  await join('2026-02-08T23:59', 'jane');
  await join('2026-02-04T09:00', 'unconfirmed', false);
  await join('2026-02-09T00:00', 'grace');
  await offer(ada, 'lapsed');
  await offer(ada, 'accepted');
  await offer(mary, 'declined');
  expect(await rowsOf('waiting', '2026-02-02', '2026-02-16')).toEqual([
    ['2026-02-02', 3, 2, 1],
    ['2026-02-09', 1, 0, 0],
  ]);
});

test('P85: first answers are measured against the promise of one business day', async () => {
  const { db } = database;
  const enquire = async (came: string, answered?: string, more: { corrects?: string; state?: 'closed' } = {}) => {
    const { id, reference } = await db
      .insertInto('enquiries')
      .values({
        ...{ reference: newReference(), kind: 'contact', idempotency_key: crypto.randomUUID(), details: '{}' },
        ...{ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', message: 'Hello' },
        ...{ marketing_consent: false, created_at: brisbane(came), ...more },
      })
      .returning(['id', 'reference'])
      .executeTakeFirstOrThrow();
    if (!answered) return reference;
    const by = { person_id: personId, created_at: brisbane(answered) };
    await db
      .insertInto('enquiry_acts')
      .values({ enquiry_id: id, kind: 'answer', body: 'Hello', ...by })
      .execute();
    return reference;
  };
  // From Friday to Monday evening, 73 hours; to Tuesday morning, 89 hours; and never.
  await enquire('2026-03-13T16:00', '2026-03-16T17:00');
  await enquire('2026-03-13T16:00', '2026-03-17T09:00');
  await enquire('2026-03-13T16:00');
  // Nobody answers what is no question.
  await enquire('2026-03-13T16:00', undefined, { state: 'closed' });
  // The correction was answered, 73 hours after the message that it corrects, which staff then closed.
  const corrects = await enquire('2026-03-13T16:00', undefined, { state: 'closed' });
  await enquire('2026-03-14T09:00', '2026-03-16T17:00', { corrects });
  const read = (at?: Date) => rowsOf('answers', '2026-03-13', '2026-03-15', at);
  expect(await read()).toEqual([
    ['Messages', 5, 3, 2, 2, 1, 73],
    ['Emails', 0, 0, 0, 0, 0, null],
    ['Chats', 0, 0, 0, 0, 0, null],
  ]);
  // On Monday morning nothing is late yet but what was answered later.
  expect((await read(brisbane('2026-03-16T09:00')))[0]?.slice(0, 5)).toEqual(['Messages', 5, 3, 2, 1]);
});

test('P85: an answer counts for each email that it answers, and emails that programs wrote wait for none', async () => {
  const { db } = database;
  const arrive = (came: string, more: { answers?: string; automatic?: boolean } = {}) => {
    const messageId = `<${crypto.randomUUID()}@example.com>`;
    const address = { name: 'Grace Hopper', address: 'grace@example.com' };
    const email = {
      ...{
        messageId,
        answers: more.answers ? [more.answers] : [],
        from: address,
        replyTo: null,
        subject: 'A question',
      },
      ...{
        text: 'Hello',
        date: '',
        receivedAt: null,
        files: [],
        automatic: more.automatic ?? false,
        invitation: null,
        copies: [],
        report: null,
      },
    };
    const taken = { email, source: new Uint8Array(), envelopeSender: address.address };
    const at = brisbane(came);
    return db
      .transaction()
      .execute((trx) => takeInboundEmail(trx, taken, { now: at, ourAddress: academy.email }))
      .then(() => messageId);
  };
  const first = await arrive('2026-04-13T10:00');
  const second = await arrive('2026-04-13T11:00', { answers: first });
  await arrive('2026-04-13T12:00', { automatic: true });
  const { reference } = await db
    .selectFrom('enquiries')
    .innerJoin('inbound_emails', 'enquiry_id', 'enquiries.id')
    .select('reference')
    .where('message_id', '=', second)
    .executeTakeFirstOrThrow();
  const acting = { reference, actor: staff, at: brisbane('2026-04-13T14:00'), seen: 0, academy };
  const answered = await db
    .transaction()
    .execute((trx) => actOnEnquiry(trx, { kind: 'answer', body: 'Hello, Grace.' }, acting));
  expect(answered).toEqual({ ok: true });
  // Four hours and three hours after they came.
  expect(await rowsOf('answers', '2026-04-13', '2026-04-14', brisbane('2026-05-01T09:00'))).toEqual([
    ['Messages', 0, 0, 0, 0, 0, null],
    ['Emails', 2, 2, 2, 0, 0, 3.5],
    ['Chats', 0, 0, 0, 0, 0, null],
  ]);
});

test('P85: a period without anything shows zeros, and who may not read reports gets none', async () => {
  for (const { slug, read } of reports) {
    for (const row of await rowsOf(slug, '2031-01-01', '2031-04-01')) {
      for (const cell of row.slice(1)) expect([0, null], slug).toContain(cell);
    }
    const editor = staffActor(anOwner.person, 'editor');
    const period = { from: '2031-01-01', end: '2031-04-01' };
    await expect(read(database.db, editor, period, now), slug).rejects.toThrow(NotPermitted);
  }
  expect((await rowsOf('enrolments', '2031-01-01', '2031-04-01')).length).toBe(14);
});

test('P118: quotes by month: made, sent and accepted, each in its own month', async () => {
  const { db } = database;
  const { id } = await writeEnrolment(db, [], { placed_at: brisbane('2028-04-01T00:00') });
  const made = { name: 'Ada', email: 'ada@quotes.example', mailbox: 'ada@quotes.example', people: 1 };
  const quote = {
    ...made,
    terms_id: await termsId(db),
    last_day: '2028-04-30',
    total_cents: 549_900,
    made_at: brisbane('2028-02-29T23:59'),
  };
  const sent = { number: 1, state: 'accepted' as const, sent_at: brisbane('2028-03-01T00:00'), facts: '{}' };
  await db
    .insertInto('offers')
    .values([quote, { ...quote, ...sent, ended_at: brisbane('2028-04-01T00:00'), enrolment_id: id }])
    .execute();
  expect(await rowsOf('quotes', '2028-02-01', '2028-05-01')).toEqual([
    ['February 2028', 2, 0, 0, 0],
    ['March 2028', 0, 1, 0, 0],
    ['April 2028', 0, 0, 1, 549_900],
  ]);
});
