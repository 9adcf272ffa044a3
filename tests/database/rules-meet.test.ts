import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import {
  cancelCourseDateAndAsk,
  moveCourseDateAndAsk,
  setJoiningDetailsAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { askForJoiningDetails } from '#app/features/enrolments/course-date-notices.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { recordTakenBack } from '#app/features/money/taken-back.server.ts';
import { type Actor, theBuyer, theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type ComboWay, placeCombo } from '#tests/support/combos.ts';
import { attendee, makeCourseDate, miscountedCourseDates, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');
const later = momentAt('2025-10-01T09:00');
const far = { startsOn: '2025-12-01' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
type Three = readonly [ComboWay, ComboWay, ComboWay];

/** A combo that was placed on the opening day, and what can be done to it. */
async function bought(ways: Three) {
  const { db } = database;
  // Those who wait for a date of other tests would have seats of these course dates reserved for them.
  await db.deleteFrom('waiting_entries').execute();
  const { enrolmentId } = await placeCombo(db, ways, opening);
  const places = async () =>
    (await readEnrolment(db, enrolmentId)).places.filter(({ cancelledWhy }) => cancelledWhy !== 'transfer');
  const ids = (await places()).map(({ id }) => id);
  const place = (at: number) => ids[at] ?? 0;
  return {
    id: enrolmentId,
    place,
    places,
    cancel: (placeIds: readonly number[], when: Moment = later, more: object = {}) =>
      transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null, ...more }, when)),
  };
}

/** A payment of all that is owed, taken back by the bank some days later, with what the receipts then say. */
test('P39: a payment that the bank took back is told so, not as a refund; the invoice is asked for again once', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-01' });
  const { enrolmentId } = await placeIn(db, courseDate);
  const { email, reference } = await db
    .selectFrom('enrolments')
    .select(['email', 'reference'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const { actor } = await makeStaff(db, { email: 'money@example.com', name: 'Ada Byron' }, opening.now);
  const tell = async (when: Moment) => {
    await queueReceipts(db, when);
    await queuePaymentReminders(db, when);
    const mails = await db
      .selectFrom('mails')
      .select(['kind', 'subject', 'body_text as text'])
      .where('recipient', '=', email)
      .where('kind', 'in', ['money-receipt', 'payment-reminder'])
      .orderBy('queued_at')
      .execute();
    return mails.map(({ kind, subject, text }) => ({ kind, subject, text: text ?? '' }));
  };
  const paid = momentAt('2025-09-15T09:00');
  await receive(db, enrolmentId, 549_900, paid);
  expect(await tell(paid)).toMatchObject([
    { kind: 'money-receipt', subject: `Payment received: CISSP (${reference})` },
  ]);
  const back = momentAt('2025-09-26T09:00');
  const { id: lineId } = await db
    .insertInto('bank_lines')
    .values({
      day: back.today,
      amount_cents: -549_900,
      cells: [],
      enrolment_id: enrolmentId,
      state: 'open',
      recorded_at: back.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(
    await transaction((trx) => recordTakenBack(trx, { lineId, refundSeen: null, actor, at: back.now })),
  ).toMatchObject({
    ok: true,
  });
  const [, told, reminder, ...more] = await tell(back);
  expect(told).toMatchObject({ kind: 'money-receipt', subject: `Payment taken back: CISSP (${reference})` });
  expect(told?.text).toContain('AU$5,499 was due on Monday 22 September 2025');
  expect(told?.text).not.toMatch(/refund/i);
  // It was due four days ago, and nobody has asked for it yet.
  expect([reminder?.kind, more]).toEqual(['payment-reminder', []]);
  expect(await tell(momentAt('2025-09-27T09:00'))).toHaveLength(3);
});

test('P39: a course date that is moved into a room two days before its first day has staff asked for the room', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-10', joiningLink: null });
  await placeIn(db, courseDate);
  const ask = (time: string) => askForJoiningDetails(db, momentAt(time));
  expect([await ask('2025-11-05T09:00'), await ask('2025-11-05T10:00')]).toEqual([1, 0]);
  const joiningDetails = { room: null, street: null, joiningLink: 'https://class.example/1' };
  await transaction((trx) =>
    setJoiningDetailsAndTell(
      trx,
      courseDate.id,
      { joiningDetails: joiningDetails, actor: theProgram },
      momentAt('2025-11-05T11:00'),
    ),
  );
  expect(await ask('2025-11-05T12:00')).toBe(0);
  const { instructor_slug: instructor } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const times = {
    startDate: '2025-11-10',
    endDate: '2025-11-14',
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: 60,
    delivery: 'in-person',
    venue: 'Brisbane',
    instructor,
    enrolmentEnds: '2025-11-09',
    decidedBy: null,
  } as const;
  const moved = momentAt('2025-11-08T09:00');
  expect(
    await transaction((trx) =>
      moveCourseDateAndAsk(trx, { courseDate: courseDate.id, times, actor: theProgram }, moved),
    ),
  ).toMatchObject({ ok: true });
  expect([await ask('2025-11-08T10:00'), await ask('2025-11-08T11:00')]).toEqual([1, 0]);
  const room = { room: 'Room 2', street: '1 Queen Street', joiningLink: null };
  await transaction((trx) =>
    setJoiningDetailsAndTell(
      trx,
      courseDate.id,
      { joiningDetails: room, actor: theProgram },
      momentAt('2025-11-08T12:00'),
    ),
  );
  expect(await ask('2025-11-08T13:00')).toBe(0);
  // Taken off again, it is missing again.
  await db.updateTable('course_dates').set({ room: null }).where('id', '=', courseDate.id).execute();
  expect([await ask('2025-11-08T14:00'), await ask('2025-11-08T15:00')]).toEqual([1, 0]);
});

test('P31, P49: a reminder that was not delivered yet is taken back when its place is cancelled or its date moves', async () => {
  const { db } = database;
  const [from, to, off] = [
    await makeCourseDate(db, { startsOn: '2025-11-17' }),
    await makeCourseDate(db, { startsOn: '2025-12-01' }),
    await makeCourseDate(db, { startsOn: '2025-11-17' }),
  ];
  const kate = attendee({ email: 'kate-r@example.com' });
  const attendees = [kate, attendee({ ...kate, email: 'mary-r@example.com' }), attendee(), attendee()];
  const { enrolmentId } = await placeIn(db, from, { attendees });
  const other = await placeIn(db, off, { attendees: [attendee(), attendee()] });
  const when = momentAt('2025-11-11T09:00');
  await queuePlaceReminders(db, when);
  const reminders = async () => {
    const rows = await db
      .selectFrom('mails')
      .select(['recipient', 'state', 'dedupe_key'])
      .where('kind', '=', 'place-reminder')
      .orderBy('recipient')
      .execute();
    const about = (id: number) => rows.filter(({ dedupe_key: key }) => key?.includes(`:buyer:${id}:`));
    const states = (of: typeof rows) => of.map(({ state }) => state);
    return {
      attendees: rows.filter(({ recipient }) => /^(kate|mary)-r@/.test(recipient)).map(({ state }) => state),
      buyers: [states(about(enrolmentId)), states(about(other.enrolmentId))],
    };
  };
  expect(await reminders()).toEqual({ attendees: ['queued', 'queued'], buyers: [['queued'], ['queued']] });
  const ids = (await readEnrolment(db, enrolmentId)).places.map(({ id }) => id);
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  const cancel = (placeId: number) =>
    transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null }, when));
  // Kate's was refused: staff could send it again.
  await db
    .updateTable('mails')
    .set({ state: 'failed', settled_at: when.now })
    .where('recipient', '=', 'kate-r@example.com')
    .where('kind', '=', 'place-reminder')
    .execute();
  await cancel(first);
  await cancel(third);
  expect(await reminders()).toEqual({ attendees: ['dropped', 'queued'], buyers: [['queued'], ['queued']] });
  await transaction((trx) =>
    transferPlace(trx, { enrolmentId, placeId: second, toCourseDateId: to.id, actor: theBuyer }, when),
  );
  await cancel(fourth);
  await transaction((trx) => cancelCourseDateAndAsk(trx, off.id, theProgram, when));
  expect(await reminders()).toEqual({ attendees: ['dropped', 'dropped'], buyers: [['dropped'], ['dropped']] });
});

test('P40: only a move that its buyer asked for is said to limit a later refund', async () => {
  const { db } = database;
  const [own, other] = [await makeCourseDate(db), await makeCourseDate(db, { startsOn: '2025-11-17' })];
  const { enrolmentId } = await placeIn(db, own);
  const { email } = await db
    .selectFrom('enrolments')
    .select('email')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const move = async (toCourseDateId: number, actor: Actor) => {
    const [place] = (await readEnrolment(db, enrolmentId)).places.filter(({ state }) => state === 'active');
    const transfer = { enrolmentId, placeId: place?.id ?? 0, toCourseDateId, actor };
    expect(await transaction((trx) => transferPlace(trx, transfer, later))).toMatchObject({ ok: true });
    const { text } = await db
      .selectFrom('mails')
      .select('body_text as text')
      .where('recipient', '=', email)
      .where('kind', '=', 'place-moved')
      .orderBy('queued_at', 'desc')
      .executeTakeFirstOrThrow();
    return text ?? '';
  };
  expect(await move(other.id, theBuyer)).toContain('it gives back at most');
  expect(await move(own.id, theProgram)).not.toContain('it gives back at most');
  // The academy cancels the date: a buyer who takes another one loses nothing by it.
  await transaction((trx) => cancelCourseDateAndAsk(trx, own.id, theProgram, later));
  expect(await move(other.id, theBuyer)).not.toContain('it gives back at most');
});

test('P23: a buyer is shown all that is kept of their money and reminders; seats that erasing gives back are counted', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-08', capacity: 2 });
  const { enrolmentId } = await placeIn(db, courseDate);
  const { email } = await db
    .selectFrom('enrolments')
    .select('email')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  await transaction(async (trx) => {
    const money = { actor: theProgram, at: opening.now };
    const paid = { enrolmentId, amountCents: 300_000, receivedOn: opening.today, method: 'bank' } as const;
    const { paymentId } = await recordPayment(trx, { ...money, ...paid, idempotencyKey: 'paid' });
    await recordRefund(trx, { ...money, paymentId, amountCents: 10_000, reason: 'Too much', idempotencyKey: 'back' });
    const credits = [{ placeId: place?.id ?? 0, cents: 5_000 }];
    const when = { today: opening.today, at: opening.now };
    await issueAdjustmentNotes(trx, { enrolmentId, credits, reason: 'The projector failed', ...when });
    await trx
      .insertInto('bank_lines')
      .values({
        day: opening.today,
        amount_cents: -10_000,
        cells: [],
        words: 'REFUND ADA',
        enrolment_id: enrolmentId,
        state: 'dismissed',
        recorded_at: opening.now,
      })
      .execute();
  });
  expect(await queuePaymentReminders(db, momentAt('2025-09-19T09:00'))).toBeGreaterThan(0);
  expect(await enrolmentRecords.read(db, await findHeldPerson(db, email))).toMatchObject([
    {
      as: 'buyer',
      invoices: [{ total_cents: 549_900 }],
      notes: [{ total_cents: 5_000, reason: 'The projector failed' }],
      payments: [{ amount_cents: 300_000 }],
      refunds: [{ amount_cents: 10_000, reason: 'Too much' }],
      reminders: [{ step: -3, sent_on: '2025-09-19' }],
      bankLines: [{ words: 'REFUND ADA', state: 'dismissed' }],
    },
  ]);
  // The last seat is offered to someone who is then erased.
  await db
    .insertInto('waiting_entries')
    .values({
      reference: 'BB-WWWWWW',
      course_id: courseDate.courseId,
      course_date_id: courseDate.id,
      seats: 1,
      name: 'Mo',
      email: 'mo@example.com',
      mailbox: 'mo@example.com',
      joined_at: opening.now,
      confirmed_at: opening.now,
    })
    .execute();
  await keepWaitingLists(db, opening);
  const offered = async () => {
    const rows = await db
      .selectFrom('course_date_seats')
      .selectAll()
      .where('course_date_id', '=', courseDate.id)
      .execute();
    return rows.map(({ sold, held, offered: count }) => [sold, held, count]);
  };
  expect(await offered()).toEqual([[1, 0, 1]]);
  await db.deleteFrom('waiting_entries').where('email', '=', 'mo@example.com').execute();
  expect([await offered(), await miscountedCourseDates(db)]).toEqual([[[1, 0, 0]], []]);
});

test('P39: an amount that waited for a decision is due from the day on which the place left that course date', async () => {
  const { db } = database;
  // Printed as due on 22 September, two weeks after its issue.
  const waiting = { startsOn: '2025-12-01', minimum: 3, decidedBy: '2025-11-10' };
  const dueDays = async (enrolmentId: number) => (await openInvoices(db, enrolmentId)).map(({ dueOn }) => dueOn);
  const active = async (enrolmentId: number) =>
    (await readEnrolment(db, enrolmentId)).places.filter(({ state }) => state === 'active');
  const october = momentAt('2025-10-20T09:00');

  const moved = await placeIn(db, await makeCourseDate(db, waiting));
  expect(await dueDays(moved.enrolmentId)).toEqual([null]);
  const to = await makeCourseDate(db, { startsOn: '2025-12-08' });
  const [place] = await active(moved.enrolmentId);
  const transfer = {
    enrolmentId: moved.enrolmentId,
    placeId: place?.id ?? 0,
    toCourseDateId: to.id,
    actor: theBuyer,
  } as const;
  expect(await transaction((trx) => transferPlace(trx, transfer, october))).toMatchObject({ ok: true });
  expect(await dueDays(moved.enrolmentId)).toEqual(['2025-10-20']);
  const { text } = await db
    .selectFrom('mails')
    .innerJoin('enrolments', 'email', 'recipient')
    .select('body_text as text')
    .where('enrolments.id', '=', moved.enrolmentId)
    .where('kind', '=', 'place-moved')
    .executeTakeFirstOrThrow();
  expect(text).toContain('AU$5,499 is due by Monday 20 October 2025');
  await queuePaymentReminders(db, october);
  const told = db.selectFrom('payment_reminders').select('step').where('enrolment_id', '=', moved.enrolmentId);
  // The first step, not that of ten days after the due day.
  expect(await told.execute()).toEqual([{ step: -3 }]);

  // The academy cancels a date that it had confirmed; the buyer takes another one on the last day of the choice.
  const [confirmed, later] = [
    await makeCourseDate(db, { startsOn: '2025-12-01' }),
    await makeCourseDate(db, { startsOn: '2026-02-02' }),
  ];
  const asked = await placeIn(db, confirmed);
  expect(await dueDays(asked.enrolmentId)).toEqual(['2025-09-22']);
  await transaction((trx) => cancelCourseDateAndAsk(trx, confirmed.id, theProgram, october));
  const [left] = await active(asked.enrolmentId);
  const taken = { enrolmentId: asked.enrolmentId, placeId: left?.id ?? 0, toCourseDateId: later.id, actor: theBuyer };
  const lastDay = momentAt('2025-11-03T20:00');
  expect(await transaction((trx) => transferPlace(trx, taken, lastDay))).toMatchObject({ ok: true });
  expect(await dueDays(asked.enrolmentId)).toEqual(['2025-11-03']);
  const toldOf = await db
    .selectFrom('mails')
    .innerJoin('enrolments', 'email', 'recipient')
    .select('body_text')
    .where('enrolments.id', '=', asked.enrolmentId)
    .where('kind', '=', 'place-moved')
    .executeTakeFirstOrThrow();
  expect(toldOf.body_text).toContain('AU$5,499 is due by Monday 3 November 2025');

  // A combo of which one course waits for the decision, and is refunded by staff before it.
  const combo = await bought([far, waiting, far]);
  expect(await dueDays(combo.id)).toEqual([null]);
  await combo.cancel([combo.place(1)], october, { why: 'staff', actor: theProgram, inFull: { reason: 'Illness' } });
  expect(await dueDays(combo.id)).toEqual(['2025-10-20']);

  // The academy cancels it undecided: nothing is due while the buyer chooses, then since the day of the choice.
  const second = await bought([far, waiting, far]);
  const [, undecided] = await second.places();
  await transaction((trx) => cancelCourseDateAndAsk(trx, undecided?.courseDate?.id ?? 0, theProgram, october));
  expect(await dueDays(second.id)).toEqual([null]);
  await second.cancel([second.place(1)], momentAt('2025-10-27T09:00'));
  expect(await dueDays(second.id)).toEqual(['2025-10-27']);

  // A date that was confirmed: what else is on its invoice keeps its day, while its buyer chooses and afterwards.
  const third = await bought([far, far, far]);
  const printed = await dueDays(third.id);
  const [, sure] = await third.places();
  await transaction((trx) => cancelCourseDateAndAsk(trx, sure?.courseDate?.id ?? 0, theProgram, october));
  expect(await dueDays(third.id)).toEqual(printed);
  await third.cancel([third.place(1)], momentAt('2025-10-27T09:00'));
  expect(await dueDays(third.id)).toEqual(printed);
});
