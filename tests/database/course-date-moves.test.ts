import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import {
  cancelCourseDateAndAsk,
  endChoices,
  moveCourseDateAndAsk,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { keepPlace, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
// What earlier tests left to choose.
beforeEach(async () => void (await endChoices(database.db, momentAt('2030-01-01T09:00'))));
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

async function timesOf(courseDateId: number): Promise<CourseDateTimes> {
  const row = await database.db
    .selectFrom('course_dates')
    .selectAll()
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  return {
    startDate: row.starts_on,
    endDate: row.ends_on,
    startTime: row.starts_at.slice(0, 5),
    endTime: row.ends_at.slice(0, 5),
    breakMinutes: row.break_minutes,
    delivery: 'online',
    venue: row.venue,
    instructor: row.instructor_slug,
    enrolmentEnds: row.enrolment_ends_on,
    decidedBy: null,
  };
}

const move = async (courseDateId: number, day: string, parts: Partial<CourseDateTimes>) => {
  const times = { ...(await timesOf(courseDateId)), ...parts };
  return transaction((trx) =>
    moveCourseDateAndAsk(trx, { courseDate: courseDateId, times, actor: theProgram }, momentAt(`${day}T09:00`)),
  );
};
const cancel = (courseDateId: number, day: string) =>
  transaction((trx) => cancelCourseDateAndAsk(trx, courseDateId, theProgram, momentAt(`${day}T09:00`)));

/** A place on a date from Monday 3 November 2025, paid by nobody, with an attendee of its own address. */
async function placed() {
  const courseDate = await makeCourseDate(database.db);
  const email = `${crypto.randomUUID()}@example.com`;
  const { enrolmentId } = await placeIn(database.db, courseDate, { attendees: [attendee({ email })] });
  const place = async () => {
    const { places } = await readEnrolment(database.db, enrolmentId);
    const one = places.at(-1);
    if (!one) throw new Error('there is no place');
    const { id, state, cancelledWhy, chooseBy, chooseWhy } = one;
    return { id, state, cancelledWhy, chooseBy, chooseWhy };
  };
  const mails = async () => {
    const rows = await database.db
      .selectFrom('mails')
      .select(['kind', 'body_text', 'calendar', 'recipient'])
      .where('recipient', '=', email)
      .orderBy('queued_at')
      .execute();
    return rows.map(({ kind, body_text: text, calendar }) => {
      const { method = null, content = '' } = (calendar ?? {}) as { method?: string; content?: string };
      return { kind, text, method, sequence: Number(/SEQUENCE:(\d+)/.exec(content)?.[1] ?? -1) };
    });
  };
  const balance = async () => balanceOf(await accountOf(database.db, enrolmentId));
  return { courseDate, enrolmentId, place, mails, balance };
}

test('P40: a course date moved by a day and held keeps the place of who said nothing, and nothing is refunded', async () => {
  const { db } = database;
  const { courseDate, enrolmentId, place, balance } = await placed();
  const owed = await balance();
  // Four days before: the eve of the new first day comes before the fourteen days.
  expect(await move(courseDate.id, '2025-10-30', { startDate: '2025-11-04', endDate: '2025-11-08' })).toMatchObject({
    ok: true,
  });
  expect(await place()).toMatchObject({ chooseBy: '2025-11-03', chooseWhy: 'course-date-moved' });
  expect(await endChoices(db, momentAt('2025-11-03T23:00'))).toBe(0);
  // Its first day: nothing is offered any more, even before the job has run.
  const { id } = await place();
  const on = momentAt('2025-11-04T08:00');
  const later = await makeCourseDate(db, { startsOn: '2025-12-01' });
  const transfer = { enrolmentId, placeId: id, toCourseDateId: later.id, actor: theBuyer } as const;
  expect(await transaction((trx) => transferPlace(trx, transfer, on))).toEqual({ ok: false, reason: 'begun' });
  expect(await endChoices(db, on)).toBe(1);
  expect(await endChoices(db, momentAt('2025-11-20T08:00'))).toBe(0);
  expect(await place()).toMatchObject({ state: 'active', chooseBy: null, chooseWhy: null });
  expect(await balance()).toBe(owed);
});

test('P59: after its first class only the instructor of a course date changes, until the last day; everybody is told', async () => {
  const { courseDate, place, mails } = await placed();
  const { instructor, endDate } = await timesOf(courseDate.id);
  const { slug: other, name } = await database.db
    .selectFrom('instructors')
    .select(['slug', 'name'])
    .where('slug', '<>', instructor)
    .where('retired_at', 'is', null)
    .orderBy('slug')
    .executeTakeFirstOrThrow();
  const before = (await mails()).length;
  // From Monday 3 to Friday 7 November.
  const begun = { ok: false, reason: 'begun' };
  for (const more of [{ startTime: '10:00' }, { breakMinutes: 30 }, { endDate: '2025-11-06' }, { venue: 'Brisbane' }]) {
    expect(await move(courseDate.id, '2025-11-04', { ...more, instructor: other })).toEqual(begun);
  }
  expect(await move(courseDate.id, '2025-11-04', { instructor: 'nobody' })).toMatchObject({ reason: 'faults' });
  expect(await move(courseDate.id, '2025-11-04', {})).toEqual({ ok: false, reason: 'unchanged' });
  expect(await move(courseDate.id, endDate, { instructor: other })).toMatchObject({ ok: true, change: 'tells' });
  expect(await place()).toMatchObject({ state: 'active', chooseBy: null });
  const told = (await mails()).slice(before);
  expect(told.map(({ kind, method }) => [kind, method])).toEqual([['place-course-date-changed', 'REQUEST']]);
  expect(told[0]?.text).toContain(`${name} teaches it instead of`);
  expect(await move(courseDate.id, '2025-11-08', { instructor })).toEqual(begun);
});

test('P40: another half hour, instructor or break asks nobody; everybody is told with a new calendar entry', async () => {
  const { courseDate, place, mails } = await placed();
  const { slug: other, name } = await database.db
    .selectFrom('instructors')
    .select(['slug', 'name'])
    .where('slug', '<>', (await timesOf(courseDate.id)).instructor)
    .where('retired_at', 'is', null)
    .orderBy('slug')
    .executeTakeFirstOrThrow();
  const before = await mails();
  expect(
    await move(courseDate.id, '2025-10-31', { startTime: '09:30', breakMinutes: 45, instructor: other }),
  ).toMatchObject({
    ok: true,
  });
  expect(await place()).toMatchObject({ state: 'active', chooseBy: null });
  const told = (await mails()).slice(before.length);
  expect(told.map(({ kind, method }) => [kind, method])).toEqual([['place-course-date-changed', 'REQUEST']]);
  expect(told[0]?.sequence).toBeGreaterThan(before.at(-1)?.sequence ?? 0);
  const text = told[0]?.text ?? '';
  expect(text).toContain('9:30 AM to 5:00 PM');
  expect(text).toContain('9:00 AM to 5:00 PM');
  expect(text).toContain(`${name} teaches it instead of`);
  expect(text).toContain('Breaks take 45 minutes a day instead of 0.');
  expect(text).not.toMatch(/refund|choose/i);
  // Fifteen days later nothing happens to it (it was refunded once).
  expect(await endChoices(database.db, momentAt('2025-11-16T09:00'))).toBe(0);
});

test('P40: an unchanged form changes nothing, and another last day of enrolment mails nobody', async () => {
  const { courseDate, place, mails } = await placed();
  const before = (await mails()).length;
  expect(await move(courseDate.id, '2025-10-20', {})).toEqual({ ok: false, reason: 'unchanged' });
  expect(await move(courseDate.id, '2025-10-20', { enrolmentEnds: '2025-10-31' })).toMatchObject({ ok: true });
  expect(await mails()).toHaveLength(before);
  expect(await place()).toMatchObject({ chooseBy: null });
});

test('P40: a smaller change leaves an open choice as it is, and a second move restarts it', async () => {
  const { courseDate, place } = await placed();
  await move(courseDate.id, '2025-10-01', { startDate: '2025-11-10', endDate: '2025-11-14' });
  expect(await place()).toMatchObject({ chooseBy: '2025-10-15' });
  await move(courseDate.id, '2025-10-05', { endTime: '16:30' });
  expect(await place()).toMatchObject({ chooseBy: '2025-10-15', chooseWhy: 'course-date-moved' });
  await move(courseDate.id, '2025-10-10', { startDate: '2025-11-17', endDate: '2025-11-21' });
  expect(await place()).toMatchObject({ chooseBy: '2025-10-24' });
});

test('P40: a course date moved and then cancelled is refunded on silence, at the latest on its first day', async () => {
  const { db } = database;
  const { courseDate, enrolmentId, place, balance } = await placed();
  await move(courseDate.id, '2025-10-28', { startDate: '2025-11-05', endDate: '2025-11-07' });
  expect(await cancel(courseDate.id, '2025-10-29')).toEqual({ ok: true });
  expect(await place()).toMatchObject({ chooseBy: '2025-11-04', chooseWhy: 'course-date-cancelled' });
  const { id: placeId } = await place();
  const on = momentAt('2025-10-30T09:00');
  expect(await transaction((trx) => keepPlace(trx, { enrolmentId, placeId }, on))).toBe(false);
  expect(await endChoices(db, momentAt('2025-11-04T22:00'))).toBe(0);
  expect(await endChoices(db, momentAt('2025-11-05T01:00'))).toBe(1);
  expect(await place()).toMatchObject({ state: 'cancelled', cancelledWhy: 'date', chooseBy: null });
  expect(await balance()).toBe(0);
});

test('one enrolment that cannot be settled does not stop the others', async () => {
  const { db } = database;
  const [broken, sound] = [await placed(), await placed()];
  for (const { courseDate } of [broken, sound]) await cancel(courseDate.id, '2025-10-29');
  // Its SEQUENCE cannot rise any more.
  await db.updateTable('enrolments').set({ sequence: 2_147_483_647 }).where('id', '=', broken.enrolmentId).execute();
  expect(await endChoices(db, momentAt('2025-11-05T01:00'))).toBe(1);
  expect([(await broken.place()).state, (await sound.place()).state]).toEqual(['active', 'cancelled']);
  const faults = await db.selectFrom('job_faults').select(['job', 'item']).execute();
  expect(faults).toEqual([{ job: 'end choices', item: `enrolment:${broken.enrolmentId}` }]);
});

test('P40: a date in Sydney has begun when its first day begins there, an hour before Brisbane’s', async () => {
  const courseDate = await makeCourseDate(database.db);
  await database.db
    .updateTable('course_dates')
    .set({ delivery: 'in-person', venue: 'Sydney', zone: 'Australia/Sydney' })
    .where('id', '=', courseDate.id)
    .execute();
  const times = {
    ...(await timesOf(courseDate.id)),
    delivery: 'in-person' as const,
    startDate: '2025-11-10',
    endDate: '2025-11-14',
  };
  const moveAt = (when: string) =>
    transaction(async (trx) =>
      moveCourseDateAndAsk(trx, { courseDate: courseDate.id, times, actor: theProgram }, momentAt(when)),
    );
  expect(await moveAt('2025-11-02T23:30')).toEqual({ ok: false, reason: 'begun' });
  expect(await moveAt('2025-11-02T22:30')).toMatchObject({ ok: true });
});
