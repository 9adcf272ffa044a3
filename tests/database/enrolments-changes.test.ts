import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import { addAttendee, changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import type { AttendeeWish, CourseChoice, Order } from '#app/features/enrolments/order.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { accountOf, documentOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { type Actor, theBuyer, theProgram } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { drawInTest } from '#tests/support/drawing.ts';
import {
  agreeToInvoices,
  attendee,
  makeCourseDate,
  momentAt,
  orderOf,
  seatIn,
  seatsLeftIn,
} from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { patientLimits } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

const opening = momentAt('2025-09-08T09:00');

let database: SharedDatabase;
const opened: Db[] = [];
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
});

const transaction = <T>(work: (trx: Trx) => Promise<T>, db = database.db) => db.transaction().execute(work);
async function placed(order: Order, moment: Moment = opening) {
  const result = await transaction((trx) => placeEnrolment(trx, order, moment));
  if (!result.ok) expect.unreachable(JSON.stringify(result));
  return readEnrolment(database.db, result.enrolmentId);
}
async function mailsTo(address: string) {
  const rows = await database.db
    .selectFrom('mails')
    .select(['kind', 'calendar', 'body_text', 'attachments'])
    .where('recipient', '=', address)
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
  return rows.map(({ calendar, ...row }) => ({
    ...row,
    calendar: calendar as { method: string; content: string } | null,
  }));
}
const line = (content: string, name: string) => content.match(new RegExp(`^${name}[:;].*$`, 'm'))?.[0].trim();

test.each([
  ['the last minute of the 14th day before', '2025-10-20T23:59', 'all'],
  ['midnight after it', '2025-10-21T00:00', 'half'],
  ['the last minute of the 7th day before', '2025-10-27T23:59', 'half'],
  ['midnight after it', '2025-10-28T00:00', 'nothing'],
] as const)(
  'P40: cancelled in %s (%s in Brisbane) %s comes back, of what is paid and of what is owed',
  async (_, when, part) => {
    const { db } = database;
    const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
    const { id: enrolmentId, places, reference } = await placed(await orderOf(db, [seatIn(courseDate)]));
    const [place] = places;
    const cents = place?.amountCents ?? 0;
    const back = { all: cents, half: Math.ceil(cents / 2), nothing: 0 }[part];
    const cancel = (shownCents: number) =>
      transaction((trx) =>
        cancelPlaces(trx, { enrolmentId, placeIds: [place?.id ?? 0], why: 'buyer', shownCents }, momentAt(when)),
      );
    expect(await cancel(back + 1)).toEqual({
      ok: false,
      reason: 'refund-changed',
      shownCents: back + 1,
      nowCents: back,
    });
    expect(await cancel(back)).toMatchObject({ ok: true, refundCents: 0, stillOwedCents: cents - back });
    expect(await cancel(back)).toEqual({ ok: false, reason: 'not-active' });
    expect(balanceOf(await accountOf(db, enrolmentId))).toBe(cents - back);
    expect(await seatsLeftIn(db, courseDate.id)).toBe(6);
    expect(reference).toMatch(/^BB-/);
  },
);

test('P40: transfers in opposite directions at once never wait for each other, and seats are sold once', async () => {
  const { db } = database;
  const pools = [db, createDb(database.connection, () => undefined, patientLimits)];
  opened.push(...pools.slice(1));
  const [here, there] = [
    await makeCourseDate(db, { capacity: 5 }),
    await makeCourseDate(db, { capacity: 5, startsOn: '2025-12-01' }),
  ];
  const order = (courseDate: typeof here) => orderOf(db, [seatIn(courseDate)]);
  const enrolments = await Promise.all(
    [here, there, here, there, here, there, here, there].map(async (courseDate) => ({
      to: courseDate === here ? there : here,
      enrolment: await placed(await order(courseDate)),
    })),
  );
  const results = await Promise.all(
    enrolments.map(({ enrolment, to }, at) =>
      transaction(
        (trx) =>
          transferPlace(
            trx,
            {
              enrolmentId: enrolment.id,
              placeId: enrolment.places[0]?.id ?? 0,
              toCourseDateId: to.id,
              actor: theBuyer,
            },
            opening,
          ),
        pools[at % pools.length],
      ),
    ),
  );
  const refused = results.filter(({ ok }) => !ok);
  expect(refused.map((result) => 'reason' in result && result.reason)).toEqual(refused.map(() => 'course-date-full'));
  expect(results.length - refused.length).toBeGreaterThanOrEqual(2);
  expect((await seatsLeftIn(db, here.id)) + (await seatsLeftIn(db, there.id))).toBe(2);
});

test('P40: a place that was cancelled in another tab does not move', async () => {
  const [from, to] = [
    await makeCourseDate(database.db, { startsOn: '2025-11-03' }),
    await makeCourseDate(database.db, { startsOn: '2025-11-17' }),
  ];
  const { id: enrolmentId, places } = await placed(await orderOf(database.db, [seatIn(from)]));
  const placeId = places[0]?.id ?? 0;
  const cancellation = { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null } as const;
  expect(await transaction((trx) => cancelPlaces(trx, cancellation, opening))).toMatchObject({ ok: true });
  const move = { enrolmentId, placeId, toCourseDateId: to.id, actor: theBuyer };
  expect(await transaction((trx) => transferPlace(trx, move, opening))).toEqual({ ok: false, reason: 'not-active' });
});

test('P40: a place moves to a date that begins within twelve months, also over a leap day', async () => {
  const { db } = database;
  const from = await makeCourseDate(db, { startsOn: '2027-04-05' });
  // /terms: "begins within twelve months of the day on which you move it", so until 1 March 2028.
  const [just, late] = [
    await makeCourseDate(db, { startsOn: '2028-03-01' }),
    await makeCourseDate(db, { startsOn: '2028-03-02' }),
  ];
  const enrolment = await placed(await orderOf(db, [seatIn(from)]));
  const move = (toCourseDateId: number) =>
    transaction((trx) =>
      transferPlace(
        trx,
        { enrolmentId: enrolment.id, placeId: enrolment.places[0]?.id ?? 0, toCourseDateId, actor: theBuyer },
        momentAt('2027-03-01T09:00'),
      ),
    );
  expect(await move(late.id)).toEqual({ ok: false, reason: 'too-far' });
  expect(await move(just.id)).toMatchObject({ ok: true });
});

test('P32, P40, P49: buyer and attendee are told of each change, the attendee never of money; calendars follow by one UID', async () => {
  const { db } = database;
  const [courseDate, later] = [await makeCourseDate(db), await makeCourseDate(db, { startsOn: '2025-12-01' })];
  const attendees = [attendee({ email: 'ada@example.com' })];
  const payer = { kind: 'organisation', organisation: 'Analytical Engines', abn: null, address: null } as const;
  const order = await orderOf(db, [seatIn(courseDate)], {
    attendees,
    payer: { ...payer, purchaseOrder: 'PO-1', accountsEmail: 'accounts@example.com' },
  });
  const enrolment = await placed(order);
  // Nothing about money goes to an address before somebody there agreed to it.
  expect((await mailsTo('accounts@example.com')).map(({ kind }) => kind)).toEqual(['accounts-address']);
  await agreeToInvoices(db, 'accounts@example.com');
  const { id: enrolmentId } = enrolment;
  const [place] = enrolment.places;
  if (!place) expect.unreachable();
  const move = (placeId: number, toCourseDateId: number) =>
    transaction((trx) => transferPlace(trx, { enrolmentId, placeId, toCourseDateId, actor: theBuyer }, opening));
  const moved = await move(place.id, later.id);
  if (!moved.ok) expect.unreachable(moved.reason);
  expect(await move(moved.placeId, courseDate.id)).toEqual({ ok: false, reason: 'moved-before' });
  const rename = {
    enrolmentId,
    attendeeId: place.attendee.id,
    attendee: attendee({ name: 'Mary', email: 'mary@example.com' }),
    actor: theBuyer,
  } as const;
  expect(await transaction((trx) => changeAttendee(trx, rename, opening))).toEqual({ ok: true, changed: true });
  expect(await transaction((trx) => changeAttendee(trx, rename, opening))).toEqual({ ok: true, changed: false });
  await transaction((trx) =>
    cancelPlaces(trx, { enrolmentId, placeIds: [moved.placeId], why: 'buyer', shownCents: null }, opening),
  );

  const buyers = await mailsTo(order.buyer.email);
  expect(buyers.map(({ kind }) => kind)).toEqual([
    'enrolment-placed',
    'place-moved',
    'place-attendee-changed',
    'place-cancelled',
  ]);
  expect(buyers[0]?.body_text).toContain(
    'Until Monday 20 October: AU$5,499\nUntil Monday 27 October: AU$2,749.50\nFrom Tuesday 28 October: Nothing\n',
  );
  expect((await mailsTo('accounts@example.com')).map(({ kind }) => kind)).toEqual([
    'accounts-address',
    'accounts-documents',
    'adjustment-note',
  ]);
  const [first, then, last] = await mailsTo('ada@example.com');
  const [given, gone] = await mailsTo('mary@example.com');
  const entries = [first, then, last, given, gone].map((mail) => {
    expect(mail?.body_text).not.toMatch(/AU\$|invoice/i);
    const { method = '', content = '' } = mail?.calendar ?? {};
    return {
      kind: mail?.kind,
      method,
      uid: line(content, 'UID'),
      sequence: Number(line(content, 'SEQUENCE')?.slice(9)),
    };
  });
  const row = db.selectFrom('places').select('calendar_id').where('id', '=', place.id);
  // The place was moved: its entry keeps the id of the first.
  const { calendar_id } = await row.executeTakeFirstOrThrow();
  const uid = `UID:place-${calendar_id}@bowerbird-academy`;
  expect(entries).toEqual([
    { kind: 'place-given', method: 'REQUEST', uid, sequence: 0 },
    { kind: 'place-moved', method: 'REQUEST', uid, sequence: 1 },
    { kind: 'place-other-person', method: 'CANCEL', uid, sequence: 2 },
    { kind: 'place-given', method: 'REQUEST', uid, sequence: 2 },
    { kind: 'place-cancelled', method: 'CANCEL', uid, sequence: 3 },
  ]);
  expect(line(first?.calendar?.content ?? '', 'RRULE')).toBe('RRULE:FREQ=DAILY;COUNT=5');
  const token = (await withLinks(db, given?.body_text)).match(/\/place\/([0-9a-f]{48})/)?.[1] ?? '';
  expect(await findLink(db, token)).toEqual({ enrolmentId, attendeeId: place.attendee.id, managerId: null });
  // The person who had the place before is sent no link to it any more.
  expect(await withLinks(db, first?.body_text)).not.toContain('/place/');
  for (const { attachments } of buyers) {
    for (const { document } of attachments as { document: string }[]) {
      const drawn = await documentOf(db, document, drawInTest);
      expect(drawn.ok && Buffer.from(drawn.bytes).toString('latin1', 0, 5)).toBe('%PDF-');
      expect(await documentOf(db, document, drawInTest)).toEqual(drawn);
    }
  }
});

test('P40, P49: an address that is corrected or taken off keeps its person: the old one reads that the place stays, and no entry is cancelled', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db);
  const enrolment = await placed(
    await orderOf(db, [seatIn(courseDate)], { attendees: [attendee({ email: 'lee@old.example' })] }),
  );
  const [place] = enrolment.places;
  if (!place) expect.unreachable();
  const change = (wish: Partial<AttendeeWish>) =>
    transaction((trx) =>
      changeAttendee(
        trx,
        { enrolmentId: enrolment.id, attendeeId: place.attendee.id, attendee: attendee(wish), actor: theBuyer },
        opening,
      ),
    );
  const lastTo = async (address: string) => (await mailsTo(address)).at(-1);
  expect(await change({ email: 'lee@new.example' })).toEqual({ ok: true, changed: true });
  const old = await lastTo('lee@old.example');
  expect([old?.kind, old?.calendar]).toEqual(['place-other-address', null]);
  expect(old?.body_text).toContain('The place stays as it is.');
  expect(old?.body_text).not.toMatch(/cancel|no longer have/i);
  expect((await lastTo('lee@new.example'))?.calendar?.method).toBe('REQUEST');

  expect(await change({ email: null })).toEqual({ ok: true, changed: true });
  expect((await lastTo('lee@new.example'))?.kind).toBe('place-other-address');
  expect(await change({ email: 'lee@new.example' })).toEqual({ ok: true, changed: true });
  expect(await change({ name: 'Mary', email: 'mary@new.example' })).toEqual({ ok: true, changed: true });
  const gone = await lastTo('lee@new.example');
  expect([gone?.kind, gone?.calendar?.method]).toEqual(['place-other-person', 'CANCEL']);
  expect(gone?.body_text).toContain('it goes to somebody else');
  expect(gone?.body_text).not.toContain('Cancelled');
  expect(await change({ name: null, email: null })).toEqual({ ok: true, changed: true });
  expect((await lastTo('mary@new.example'))?.kind).toBe('place-other-person');
});

test('P16, P17, P38: a combo is placed at its discount; the course without a date is invoiced when it has one', async () => {
  const { db } = database;
  const combo = await db
    .selectFrom('combos')
    .select(['id', 'discount_percent'])
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const courses = await db
    .selectFrom('combo_courses')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['courses.id', 'courses.slug', 'courses.price_cents'])
    .where('combo_id', '=', combo.id)
    .orderBy('combo_courses.position')
    .execute();
  const [dated, ...undated] = courses;
  if (!dated) expect.unreachable();
  const courseDate = await makeCourseDate(db, { course: dated.slug });
  const sum = courses.reduce((cents, { price_cents }) => cents + price_cents, 0);
  const shownCents = Math.floor((sum * (100 - combo.discount_percent)) / 10_000) * 100;
  const choices = [seatIn(courseDate), ...undated.map(({ id }) => ({ courseId: id, way: 'next-date' as const }))];
  const enrolment = await placed(await orderOf(db, choices, { comboId: combo.id, shownCents }));
  const amounts = enrolment.places.map(({ amountCents }) => amountCents);
  expect(amounts.reduce((cents, amount) => cents + amount, 0)).toBe(shownCents);
  expect(balanceOf(await accountOf(db, enrolment.id))).toBe(amounts[0]);
  const waiting = await db.selectFrom('waiting_entries').select(['course_id', 'closed_why']).execute();
  expect(waiting).toEqual(undated.map(({ id }) => ({ course_id: id, closed_why: null })));
  for (const { id, slug } of undated) {
    const next = await makeCourseDate(db, { course: slug, startsOn: '2026-02-02' });
    const date = { enrolmentId: enrolment.id, courseId: id, courseDateId: next.id, actor: theProgram };
    expect(await transaction((trx) => datePlaces(trx, date, opening))).toEqual({ ok: true, places: 1 });
    expect(await transaction((trx) => datePlaces(trx, date, opening))).toEqual({ ok: false, reason: 'none-waiting' });
  }
  expect(balanceOf(await accountOf(db, enrolment.id))).toBe(shownCents);
});

test('P99, P100: the academy cancels a date of a combo: buyer and attendee are told, and that course is chosen for alone', async () => {
  const { db } = database;
  const combo = await db
    .selectFrom('combos')
    .select(['id', 'discount_percent'])
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const courses = await db
    .selectFrom('combo_courses')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['slug', 'price_cents'])
    .where('combo_id', '=', combo.id)
    .execute();
  const courseDates = await Promise.all(
    courses.map(({ slug }) => makeCourseDate(db, { course: slug, startsOn: '2025-11-03' })),
  );
  const sum = courses.reduce((cents, { price_cents }) => cents + price_cents, 0);
  const order = await orderOf(db, courseDates.map(seatIn), {
    comboId: combo.id,
    shownCents: Math.floor((sum * (100 - combo.discount_percent)) / 10_000) * 100,
    attendees: [attendee({ email: 'ada@example.com' })],
  });
  const { id: enrolmentId } = await placed(order);
  const late = momentAt('2025-10-30T09:00');
  const cancel = (ids: number[]) =>
    transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds: ids, why: 'buyer', shownCents: null }, late));
  const [{ id: courseDateId } = { id: 0 }] = courseDates;
  expect(await transaction((trx) => cancelCourseDateAndAsk(trx, courseDateId, theProgram, late))).toEqual({ ok: true });
  expect((await mailsTo(order.buyer.email)).at(-1)?.body_text).toContain(
    'You can have a full refund at once; if you don’t choose by Sunday 2 November 2025, we refund everything.',
  );
  const told = (await mailsTo('ada@example.com')).at(-1);
  expect(told?.calendar?.method).toBe('CANCEL');
  expect(told?.body_text).toMatch(/We have asked the person who enrolled you to choose another date or a refund/);
  const [changed] = (await readEnrolment(db, enrolmentId)).places.filter(
    ({ courseDate }) => courseDate?.id === courseDateId,
  );
  expect(await cancel([changed?.id ?? 0])).toMatchObject({ ok: true, refundCents: 0 });
  expect(balanceOf(await accountOf(db, enrolmentId))).toBe(order.shownCents - (changed?.amountCents ?? 0));
});

test('P31, P39: reminders go out once; those of money not while a course date is tentative, nor from its first day on', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { minimum: 2, decidedBy: '2025-10-20' });
  const order = () => orderOf(db, [seatIn(courseDate)], { attendees: [attendee({ email: 'ada@example.com' })] });
  await placed(await order());
  const remind = async (when: string) => {
    const moment = momentAt(when);
    return [await queuePlaceReminders(db, moment), await queuePaymentReminders(db, moment)];
  };
  expect(await remind('2025-10-10T09:00')).toEqual([0, 0]);
  await placed(await order(), momentAt('2025-10-10T10:00'));
  const confirmed = await db
    .selectFrom('mails')
    .select('kind')
    .where('kind', '=', 'place-course-date-confirmed')
    .execute();
  // The first buyer and the attendee; the buyer who reached the minimum has it in their own mail.
  expect(confirmed).toHaveLength(2);
  expect(await remind('2025-10-13T09:00')).toEqual([0, 1]);
  expect(await remind('2025-10-13T15:00')).toEqual([0, 0]);
  expect(await remind('2025-10-27T09:00')).toEqual([2, 2]);
  expect(await remind('2025-11-02T09:00')).toEqual([2, 0]);
  expect(await remind('2025-11-02T21:00')).toEqual([0, 0]);
  // Ten days after the second invoice was due.
  expect(await remind('2025-11-03T00:00')).toEqual([0, 0]);
});

test('P39: no reminder goes out on the day of the invoice; it has the payment reference of the invoice', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const order = await orderOf(db, [seatIn(courseDate)]);
  // Due on Thursday 30 October: three business days after Monday the 27th, which is also three days before.
  const { reference } = await placed(order, momentAt('2025-10-27T09:00'));
  expect(await queuePaymentReminders(db, momentAt('2025-10-27T16:00'))).toBe(0);
  expect(await queuePaymentReminders(db, momentAt('2025-10-28T09:00'))).toBe(1);
  const reminder = (await mailsTo(order.buyer.email)).find(({ kind }) => kind === 'payment-reminder');
  expect(reminder?.body_text).toContain('due by Thursday 30 October 2025');
  expect(reminder?.body_text).toContain(`Payment reference: INV00001 ${reference.replace('-', '')}`);
});

torture('P23: an export has all about a person, who is erased when no place is to come; invoices stay', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2099-11-02' });
  const buyer = { name: 'Zebrina Quagga', email: 'zebrina@example.com', phone: '+61755500099' };
  const attendees = [attendee({ name: 'Zora', email: 'zora@example.com', needs: 'A ramp' })];
  const { id: enrolmentId, places } = await placed(await orderOf(db, [seatIn(courseDate)], { buyer, attendees }));
  expect(await exportPerson(db, 'Zora@example.com')).toMatchObject({
    enrolments: [{ as: 'attendee', needs: 'A ramp' }],
  });
  expect(await erasePerson(db, 'zebrina@example.com', { dataDir: '/nowhere', at: new Date() })).toMatchObject({
    counts: { enrolments: 0, people: 0 },
  });
  expect(await exportPerson(db, 'zebrina@example.com')).toMatchObject({
    enrolments: [{ as: 'buyer', buyer_name: 'Zebrina Quagga', invoices: [{ number: 1 }], places: [{}] }],
  });
  const placeIds = places.map(({ id }) => id);
  await transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null }, opening));
  expect(await erasePerson(db, 'zora@example.com', { dataDir: '/nowhere', at: new Date() })).toMatchObject({
    counts: { enrolments: 1, people: 1 },
  });
  expect(await erasePerson(db, 'zebrina@example.com', { dataDir: '/nowhere', at: new Date() })).toMatchObject({
    counts: { enrolments: 1, people: 1 },
  });
  const rest = await readEnrolment(db, enrolmentId);
  expect(JSON.stringify(rest)).not.toMatch(/Zebrina|Zora|zebrina|zora|ramp|755500099/);
  expect(await db.selectFrom('private_links').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('tax_invoices').select('number').execute()).toEqual([{ number: 1 }]);
});

torture('P28, P38: a buyer adds six people an hour, at most twenty for one next date; staff add more', async () => {
  const { db } = database;
  const row = (slug: string) =>
    db.selectFrom('courses').select(['id', 'price_cents']).where('slug', '=', slug).executeTakeFirstOrThrow();
  const add = async (enrolmentId: number, choice: CourseChoice, minute: number, actor: Actor = theBuyer) => {
    const { price_cents: shownCents } = await db
      .selectFrom('courses')
      .select('price_cents')
      .where('id', '=', choice.courseId)
      .executeTakeFirstOrThrow();
    const at = new Date(opening.now.getTime() + minute * 60_000);
    const addition = { enrolmentId, choices: [choice], attendee: attendee(), shownCents, actor };
    const result = await transaction((trx) => addAttendee(trx, addition, { ...opening, now: at }));
    return result.ok ? 'added' : result.reason;
  };

  const { id: guidedId } = await row('cissp');
  const guided = { courseId: guidedId, way: 'guided', from: '2025-09-15' } as const;
  const learner = await placed(await orderOf(db, [guided]));
  for (let minute = 1; minute <= 6; minute++) expect(await add(learner.id, guided, minute)).toBe('added');
  expect(await add(learner.id, guided, 60)).toBe('too-many-added');
  expect(await add(learner.id, guided, 61)).toBe('added');
  expect(await add(learner.id, guided, 61)).toBe('too-many-added');

  const { id: courseId } = await row('cism');
  const [from, to] = [await makeCourseDate(db), await makeCourseDate(db, { startsOn: '2025-12-01' })];
  const mover = await placed(await orderOf(db, [seatIn(from)], { attendees: [attendee(), attendee(), attendee()] }));
  const moved = { ...opening, now: new Date(opening.now.getTime() + 60_000) };
  for (const { id: placeId } of mover.places) {
    const transfer = { enrolmentId: mover.id, placeId, toCourseDateId: to.id, actor: theBuyer };
    expect(await transaction((trx) => transferPlace(trx, transfer, moved))).toMatchObject({ ok: true });
  }
  for (let minute = 2; minute <= 4; minute++) expect(await add(mover.id, seatIn(from), minute)).toBe('added');
  for (let minute = 5; minute <= 7; minute++) expect(await add(mover.id, guided, minute)).toBe('added');
  expect(await add(mover.id, guided, 8)).toBe('too-many-added');

  const waits = { courseId, way: 'next-date' } as const;
  const group = await placed(await orderOf(db, [waits], { attendees: Array.from({ length: 6 }, () => attendee()) }));
  for (let added = 0; added < 14; added++) expect(await add(group.id, waits, 10 + added * 10)).toBe('added');
  expect(await add(group.id, waits, 1000)).toBe('too-many-without-date');
  const { actor } = await makeStaff(db, { name: 'Ada Byron', email: 'ada@academy.example' }, opening.now);
  expect(await add(group.id, waits, 1000, actor)).toBe('added');
  await keepWaitingLists(db, opening);
  const entries = () => db.selectFrom('waiting_entries').select(['seats', 'closed_at']).execute();
  expect(await entries()).toEqual([{ seats: 21, closed_at: null }]);
  expect(await db.selectFrom('job_faults').selectAll().execute()).toEqual([]);
});
