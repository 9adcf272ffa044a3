import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { holdAnyway } from '#app/features/course-dates/commands.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import {
  confirmCourseDateAndTell,
  moveCourseDateAndAsk,
  setJoiningDetailsAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { askForJoiningDetails, tellBelowMinimum } from '#app/features/enrolments/course-date-notices.server.ts';
import {
  courseDatesBelowMinimum,
  courseDatesWithoutJoiningDetails,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const notices = async () => {
  const rows = await database.db
    .selectFrom('mails')
    .select(['subject', 'body_text', 'recipient'])
    .where('kind', '=', 'course-date-notice')
    .orderBy('queued_at')
    .execute();
  return rows;
};
const cancel = async (enrolmentId: number, day: string) => {
  const rows = await database.db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .where('state', '=', 'active')
    .execute();
  const placeIds = rows.map(({ id }) => id);
  const cancellation = { enrolmentId, placeIds, why: 'buyer', shownCents: null } as const;
  expect(await transaction((trx) => cancelPlaces(trx, cancellation, momentAt(`${day}T09:00`)))).toMatchObject({
    ok: true,
  });
};

test('P39: staff are told once when a course date that sales confirmed falls below its minimum, and again after it has recovered', async () => {
  const { db } = database;
  const tell = (day: string) => tellBelowMinimum(db, momentAt(`${day}T09:00`));
  const below = async (day: string) =>
    (await courseDatesBelowMinimum(db, day)).filter(({ confirmedOn }) => confirmedOn !== null).length;
  const courseDate = await makeCourseDate(db, { minimum: 2, decidedBy: '2025-10-20' });
  // Confirmed by staff before its minimum: they know.
  const known = await makeCourseDate(db, { minimum: 3, decidedBy: '2025-10-20' });
  await placeIn(db, known);
  await transaction((trx) => confirmCourseDateAndTell(trx, known.id, theProgram, momentAt('2025-09-09T09:00')));
  const first = await placeIn(db, courseDate);
  expect([await tell('2025-09-09'), await below('2025-09-09')]).toEqual([0, 0]);
  await placeIn(db, courseDate);
  expect([await tell('2025-09-09'), await below('2025-09-09')]).toEqual([0, 0]);

  await cancel(first.enrolmentId, '2025-09-10');
  expect(await below('2025-09-10')).toBe(1);
  expect(await Promise.all([tell('2025-09-10'), tell('2025-09-10')])).toContain(1);
  expect(await tell('2025-09-11')).toBe(0);
  const [notice, ...others] = await notices();
  expect(others).toEqual([]);
  expect(notice?.recipient).toBe('hello@academy.example');
  expect(notice?.subject).toMatch(/^Below its minimum: .*3 to 7 November 2025$/);
  expect(notice?.body_text).toContain('1 of at least 2 people are left in it');
  expect(notice?.body_text).toContain('/staff/course-dates/course-date-');
  const state = () => db.selectFrom('course_dates').select('state').where('id', '=', courseDate.id).executeTakeFirst();
  expect(await state()).toEqual({ state: 'confirmed' });

  const again = await placeIn(db, courseDate);
  expect([await tell('2025-09-12'), await below('2025-09-12')]).toEqual([0, 0]);
  await cancel(again.enrolmentId, '2025-09-13');
  expect(await tell('2025-09-13')).toBe(1);
  expect(await notices()).toHaveLength(2);

  const at = momentAt('2025-09-14T09:00').now;
  await transaction(async (trx) => {
    const locked = (await lockCourseDates(trx, [courseDate.id], at)).get(courseDate.id);
    expect(locked && (await holdAnyway(trx, locked, { actor: theProgram, at }))).toBe(true);
  });
  expect([await tell('2025-09-14'), await below('2025-09-14')]).toEqual([0, 0]);
  await db
    .updateTable('course_dates')
    .set({ state: 'cancelled' })
    .where('id', 'in', [courseDate.id, known.id])
    .execute();
});

test('P39: a confirmed date that nobody booked is a task two weeks before its first day, until staff decide', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-15', minimum: 2 });
  const below = async (day: string) => (await courseDatesBelowMinimum(db, day)).map(({ id }) => id);
  expect(await below('2025-11-30')).toEqual([]);
  expect(await below('2025-12-01')).toEqual([courseDate.id]);
  await placeIn(db, courseDate);
  await placeIn(db, courseDate);
  expect(await below('2025-12-01')).toEqual([]);
});

test('P39: no reminder leaves without the way in; staff are asked for it three business days before, once a first day', async () => {
  const { db } = database;
  const email = 'reminded@example.com';
  // From Tuesday 4 November 2025: three business days before is Thursday 30 October.
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-04', joiningLink: null });
  // Nobody is in this one.
  await makeCourseDate(db, { startsOn: '2025-11-04', joiningLink: null });
  await placeIn(db, courseDate, { attendees: [attendee({ email })] });
  const ask = (text: string) => askForJoiningDetails(db, momentAt(text));
  const remind = (text: string) => queuePlaceReminders(db, momentAt(text));
  const before = (await notices()).length;
  expect(await remind('2025-10-28T09:00')).toBe(0);
  expect([await ask('2025-10-29T23:00'), (await courseDatesWithoutJoiningDetails(db, '2025-10-29')).length]).toEqual([
    0, 0,
  ]);
  expect([await ask('2025-10-30T00:00'), (await courseDatesWithoutJoiningDetails(db, '2025-10-30')).length]).toEqual([
    1, 1,
  ]);
  expect(await ask('2025-10-31T09:00')).toBe(0);
  const asked = (await notices()).slice(before);
  expect(asked.map(({ subject }) => subject.split(':')[0])).toEqual(['Room or link is missing']);
  expect(asked[0]?.body_text).toContain('its link is not set yet');

  // A new first day is asked for anew.
  const row = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const times = {
    startDate: '2025-11-05',
    endDate: '2025-11-07',
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: 0,
    delivery: 'online',
    venue: null,
    instructor: row.instructor_slug,
    enrolmentEnds: '2025-11-04',
    decidedBy: null,
  } as const;
  const move = { courseDate: courseDate.id, times, actor: theProgram };
  await transaction((trx) => moveCourseDateAndAsk(trx, move, momentAt('2025-10-31T10:00')));
  expect(await ask('2025-11-03T09:00')).toBe(1);
  expect([await remind('2025-11-04T09:00'), await remind('2025-11-05T07:00')]).toEqual([0, 0]);

  // Set two hours before it begins: the reminder goes out then, with the link.
  const joiningDetails = { room: null, street: null, joiningLink: 'https://class.example/late' };
  const late = momentAt('2025-11-05T07:30');
  expect(
    await transaction((trx) =>
      setJoiningDetailsAndTell(trx, courseDate.id, { joiningDetails: joiningDetails, actor: theProgram }, late),
    ),
  ).toEqual({ ok: true });
  expect((await courseDatesWithoutJoiningDetails(db, '2025-11-05')).length).toBe(0);
  expect(await remind('2025-11-05T07:31')).toBe(1);
  expect(await remind('2025-11-05T08:00')).toBe(0);
  const mail = await db
    .selectFrom('mails')
    .select(['body_text', 'subject'])
    .where('recipient', '=', email)
    .where('kind', '=', 'place-reminder')
    .executeTakeFirstOrThrow();
  expect(mail.subject).toContain('Reminder, today');
  expect(mail.body_text).toContain('https://class.example/late');
});

test('P39: set after the course date has begun, the way in is still told, and no reminder follows', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-10', joiningLink: null });
  await placeIn(db, courseDate, { attendees: [attendee({ email: 'begun@example.com' })] });
  const joiningDetails = { room: null, street: null, joiningLink: 'https://class.example/begun' };
  const begun = momentAt('2025-11-10T09:05');
  expect(
    await transaction((trx) =>
      setJoiningDetailsAndTell(trx, courseDate.id, { joiningDetails: joiningDetails, actor: theProgram }, begun),
    ),
  ).toEqual({ ok: true });
  expect(
    await transaction((trx) =>
      setJoiningDetailsAndTell(trx, courseDate.id, { joiningDetails: joiningDetails, actor: theProgram }, begun),
    ),
  ).toEqual({
    ok: false,
    reason: 'unchanged',
  });
  expect(await queuePlaceReminders(db, begun)).toBe(0);
  const kinds = await db.selectFrom('mails').select('kind').where('recipient', '=', 'begun@example.com').execute();
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['place-given', 'place-joining-details']);
  expect(
    await transaction((trx) =>
      setJoiningDetailsAndTell(
        trx,
        courseDate.id,
        { joiningDetails: joiningDetails, actor: theProgram },
        momentAt('2025-11-15T09:00'),
      ),
    ),
  ).toEqual({ ok: false, reason: 'over' });
});

test('P40: buyers who have not answered about a moved date still get its reminder', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-01' });
  await db
    .updateTable('course_dates')
    .set({ joining_link: 'https://class.example/moved' })
    .where('id', '=', courseDate.id)
    .execute();
  await placeIn(db, courseDate, { attendees: [attendee({ email: 'moved@example.com' })] });
  await db
    .updateTable('places')
    .set({ choose_by: '2025-11-30', choose_why: 'course-date-moved' })
    .where('course_date_id', '=', courseDate.id)
    .execute();
  expect(await queuePlaceReminders(db, momentAt('2025-11-30T09:00'))).toBe(1);
});
