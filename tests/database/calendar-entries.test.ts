import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { confirmCourseDateAndTell } from '#app/features/enrolments/course-date-changes.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { calendarFaults, valuesOf } from '#tests/support/calendar-text.ts';
import { attendee, makeCourseDate, momentAt, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

/** The calendar entries that were mailed to an address, oldest first. */
async function entriesTo(email: string) {
  const mails = await database.db
    .selectFrom('mails')
    .select(['kind', 'subject', 'calendar'])
    .where('recipient', '=', email)
    .where('calendar', 'is not', null)
    .orderBy('queued_at')
    .orderBy('kind')
    .execute();
  return mails.map(({ kind, subject, calendar }) => {
    const { content } = calendar as { content: string };
    expect(calendarFaults(content)).toEqual([]);
    const [uid = '', status = '', sequence = ''] = ['UID', 'STATUS', 'SEQUENCE'].map(
      (name) => valuesOf(content, name)[0],
    );
    return { kind, subject, uid, status, sequence: Number(sequence) };
  });
}

test('P39: a tentative date is entered as that, and as confirmed when a sale of others reaches its minimum', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { minimum: 2, decidedBy: '2025-10-20' });
  await placeIn(db, courseDate, { attendees: [attendee({ email: 'first@example.com' })] });
  expect(await entriesTo('first@example.com')).toMatchObject([{ kind: 'place-given', status: 'TENTATIVE' }]);
  await placeIn(db, courseDate, { attendees: [attendee({ email: 'second@example.com' })] });
  const [given, confirmed, ...more] = await entriesTo('first@example.com');
  expect([confirmed?.kind, confirmed?.status, more]).toEqual(['place-course-date-confirmed', 'CONFIRMED', []]);
  expect(confirmed?.uid).toBe(given?.uid);
  expect(confirmed?.sequence).toBeGreaterThan(given?.sequence ?? 0);
  expect(await entriesTo('second@example.com')).toMatchObject([{ kind: 'place-given', status: 'CONFIRMED' }]);
});

test('P39: the earlier attendees of the enrolment that reaches the minimum get the new entry too', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { minimum: 2, decidedBy: '2025-10-20' });
  const { enrolmentId } = await placeIn(db, courseDate, { attendees: [attendee({ email: 'early@example.com' })] });
  const { price_cents } = await db
    .selectFrom('places')
    .select('price_cents')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const addition = {
    enrolmentId,
    choices: [seatIn(courseDate)],
    attendee: attendee({ email: 'late@example.com' }),
    shownCents: price_cents,
    actor: theBuyer,
  };
  expect(await transaction((trx) => addAttendee(trx, addition, momentAt('2025-09-09T09:00')))).toMatchObject({
    ok: true,
  });
  expect((await entriesTo('early@example.com')).map(({ status }) => status)).toEqual(['TENTATIVE', 'CONFIRMED']);
  expect((await entriesTo('late@example.com')).map(({ status }) => status)).toEqual(['CONFIRMED']);
});

test('P39: staff who confirm a date send the entry that says so; its subject names course and day', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { minimum: 3, decidedBy: '2025-10-20' });
  await placeIn(db, courseDate, { attendees: [attendee({ email: 'staff@example.com' })] });
  const at = momentAt('2025-10-01T09:00');
  expect(await transaction((trx) => confirmCourseDateAndTell(trx, courseDate.id, theProgram, at))).toEqual({
    ok: true,
  });
  const last = (await entriesTo('staff@example.com')).at(-1);
  expect(last).toMatchObject({ kind: 'place-course-date-confirmed', status: 'CONFIRMED', sequence: 1 });
  expect(last?.subject).toMatch(/^Confirmed: CISSP, 3 November \(BB-[A-Z0-9]{6}\)$/);
});

test('P31: the buyer is reminded in one mail of all whose address is not known', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-08' });
  const attendees = [
    attendee({ name: null }),
    attendee({ name: null }),
    attendee({ name: 'Mary', email: 'mary@example.com' }),
  ];
  const { enrolmentId } = await placeIn(db, courseDate, { attendees });
  const { email } = await db
    .selectFrom('enrolments')
    .select('email')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const remindersTo = async (recipient: string) => {
    const mails = db.selectFrom('mails').select(['subject', 'body_text']).where('recipient', '=', recipient);
    return mails.where('kind', '=', 'place-reminder').orderBy('queued_at').execute();
  };
  expect(await queuePlaceReminders(db, momentAt('2025-12-01T09:00'))).toBe(2);
  expect(await queuePlaceReminders(db, momentAt('2025-12-01T10:00'))).toBe(0);
  const [reminder, ...more] = await remindersTo(email);
  expect([reminder?.body_text?.includes('Who: 2 to be named'), more]).toEqual([true, []]);
  expect(reminder?.subject).toMatch(/^Reminder, in 7 days: CISSP, 8 December \(BB-/);
  expect(await remindersTo('mary@example.com')).toHaveLength(1);
  expect(await queuePlaceReminders(db, momentAt('2025-12-07T09:00'))).toBe(2);
});
