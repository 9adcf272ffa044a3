import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import {
  cancelCourseDate,
  confirmCourseDate,
  confirmIfReached,
  makeCourseDate,
  moveCourseDate,
  type NewCourseDate,
  resizeCourseDate,
} from '#app/features/course-dates/commands.server.ts';
import { setDraftHolds } from '#app/features/course-dates/draft-holds.server.ts';
import {
  cancelSeats,
  type LockedCourseDate,
  lockCourseDates,
  sellSeats,
} from '#app/features/course-dates/seats.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { publishChange } from '#tests/support/content-edits.ts';
import { momentAt, orderOf } from '#tests/support/enrolments.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
const today = '2025-09-08';
const by = { actor: theProgram, now, today };

let database: SharedDatabase;
let courseId: number;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  await fillDatabase(database.db, sampleContent([sampleCourse('a', { hours: 40 })]), { now, today });
  courseId = (await database.db.selectFrom('courses').select('id').executeTakeFirstOrThrow()).id;
});

const wish = (parts: Partial<NewCourseDate> = {}): NewCourseDate => ({
  courseId,
  startDate: '2025-12-01',
  endDate: '2025-12-05',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 60,
  delivery: 'in-person',
  venue: 'Sydney',
  instructor: 'mara',
  enrolmentEnds: '2025-11-28',
  decidedBy: '2025-11-14',
  capacity: 5,
  minimum: 2,
  ...parts,
});
const write = <T>(run: (trx: Trx) => Promise<T>) => database.db.transaction().execute(run);
const made = async (parts?: Partial<NewCourseDate>) => {
  const result = await write((trx) => makeCourseDate(trx, wish(parts), by));
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result;
};
const onCourseDate = <T>(id: number, run: (trx: Trx, courseDate: LockedCourseDate) => Promise<T>) =>
  write(async (trx) => {
    const courseDate = (await lockCourseDates(trx, [id], now)).get(id);
    if (!courseDate) throw new Error('there is no such course date');
    return run(trx, courseDate);
  });
const rowOf = (id: number) =>
  database.db.selectFrom('course_dates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sell = (id: number, places: number[]) =>
  onCourseDate(id, (trx, courseDate) => sellSeats(trx, courseDate, places, now));

test('staff make a course date: tentative while a decision is open, under a slug that no other has', async () => {
  const first = await made();
  const second = await made({ decidedBy: null, minimum: 1 });
  expect([first.slug, second.slug]).toEqual(['a-sydney-2025-12-01', 'a-sydney-2025-12-01-2']);
  expect(await rowOf(first.id)).toMatchObject({ state: 'tentative', zone: 'Australia/Sydney', minimum: 2 });
  expect(await rowOf(second.id)).toMatchObject({ state: 'confirmed' });
  const faulty = wish({
    courseId: 0,
    startDate: today,
    endDate: '2025-09-07',
    endTime: '09:00',
    venue: 'Perth',
    instructor: 'nobody',
    minimum: 6,
  });
  const refused = await write((trx) => makeCourseDate(trx, faulty, by));
  if (refused.ok) throw new Error('it was made');
  expect(refused.faults.map(({ field }) => field).sort()).toEqual(
    [
      'course',
      'decidedBy',
      'endDate',
      'endTime',
      'enrolmentEnds',
      'instructor',
      'minimum',
      'startDate',
      'venue',
    ].sort(),
  );
});

test('P39: the sale that reaches the minimum confirms the course date, and no later one confirms it again', async () => {
  const { id } = await made();
  const buy = (place: number) =>
    onCourseDate(id, async (trx, courseDate) => {
      await sellSeats(trx, courseDate, [place], now);
      return confirmIfReached(trx, courseDate, now);
    });
  expect(await buy(1)).toBe(false);
  expect((await rowOf(id)).state).toBe('tentative');
  expect(await buy(2)).toBe(true);
  expect(await rowOf(id)).toMatchObject({ state: 'confirmed', confirmed_on: today });
  await onCourseDate(id, (trx, courseDate) => cancelSeats(trx, courseDate, [1], now));
  expect((await rowOf(id)).state).toBe('confirmed');
  expect(await buy(3)).toBe(false);
  expect(await onCourseDate(id, (trx, courseDate) => confirmCourseDate(trx, courseDate, by))).toEqual({
    ok: false,
    reason: 'confirmed',
  });
});

test('P27: a course date is never smaller than its taken seats, nor than its minimum', async () => {
  const { id } = await made({ minimum: 1 });
  const resize = (to: number) => onCourseDate(id, (trx, courseDate) => resizeCourseDate(trx, courseDate, to, by));
  await sell(id, [1, 2, 3]);
  expect(await resize(2)).toEqual({ ok: false, reason: 'taken', taken: 3 });
  expect(await resize(3)).toEqual({ ok: true });
  expect(await sell(id, [4])).toEqual({ ok: false, reason: 'course-date-full', left: 0 });
  await onCourseDate(id, (trx, courseDate) => cancelSeats(trx, courseDate, [1, 2, 3], now));
  expect(await resize(0)).toEqual({ ok: false, reason: 'below-minimum', minimum: 1 });
  expect(await resize(9)).toEqual({ ok: true });
});

test('P27: seats that wait for a waiting list are no seats taken: a room may shrink by them', async () => {
  const { id } = await made({ minimum: 1 });
  await sell(id, [1, 2]);
  // As the ledger reads it while somebody on the list waits for the three free seats.
  const resize = (to: number) =>
    onCourseDate(id, (trx, courseDate) =>
      resizeCourseDate(trx, Object.assign(courseDate, { left: 0, reserved: 3 }), to, by),
    );
  expect(await resize(1)).toEqual({ ok: false, reason: 'taken', taken: 2 });
  expect(await resize(2)).toEqual({ ok: true });
});

test('P69: changes by staff to a course date are kept with the values before and after', async () => {
  const { id, slug } = await made({ venue: 'Sydney', startDate: '2025-12-01', capacity: 5 });
  const times = wish({ venue: 'Brisbane', startTime: '10:00', instructor: 'mara', decidedBy: '2025-11-13' });
  await onCourseDate(id, (trx, courseDate) => moveCourseDate(trx, courseDate, times, by));
  await onCourseDate(id, (trx, courseDate) => resizeCourseDate(trx, courseDate, 9, by));
  await onCourseDate(id, (trx, courseDate) => resizeCourseDate(trx, courseDate, 9, by));
  await onCourseDate(id, (trx, courseDate) => confirmCourseDate(trx, courseDate, by));
  await onCourseDate(id, (trx, courseDate) => cancelCourseDate(trx, courseDate, by));
  const changes = await changesOf(database.db, `course-date:${slug}`);
  expect(changes.filter(([action]) => action !== 'make-course-date')).toEqual([
    ['move-course-date', 'decidedBy', '2025-11-14', '2025-11-13'],
    ['move-course-date', 'startTime', '09:00', '10:00'],
    ['move-course-date', 'venue', 'Sydney', 'Brisbane'],
    ['resize-course-date', 'capacity', 5, 9],
    ['confirm-course-date', 'state', 'tentative', 'confirmed'],
    ['cancel-course-date', 'state', 'confirmed', 'cancelled'],
  ]);
});

test('a cancelled course date gives back its holds, keeps its places, and can neither be moved nor taken', async () => {
  const { id } = await made({ decidedBy: null });
  await sell(id, [1, 2]);
  const { id: draftId } = await database.db
    .insertInto('enrolment_drafts')
    .values({ token_hash: 'x', created_at: now, changed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const wanted = [{ courseDateId: id, seats: 2 }];
  await write((trx) => setDraftHolds(trx, { draftId, wanted, at: now, today }));
  const cancel = () => onCourseDate(id, (trx, courseDate) => cancelCourseDate(trx, courseDate, by));
  expect(await cancel()).toEqual({ ok: true });
  expect(await cancel()).toEqual({ ok: false, reason: 'cancelled' });
  await onCourseDate(id, async (trx, courseDate) => {
    expect(courseDate).toMatchObject({ state: 'cancelled', left: 3, sold: 2 });
    expect(await moveCourseDate(trx, courseDate, wish(), by)).toEqual({ ok: false, reason: 'cancelled' });
    expect(await resizeCourseDate(trx, courseDate, 9, by)).toEqual({ ok: false, reason: 'cancelled' });
  });
  await expect(sell(id, [3])).rejects.toMatchObject({ constraint: 'no_seats_of_cancelled_course_date' });
  const acts = await database.db.selectFrom('audit_entries').select(['action', 'details']).orderBy('id').execute();
  expect(acts.at(-1)).toEqual({ action: 'cancel-course-date', details: { sold: 2, holds: 1 } });
});

test('a course date moves with its place and zone; a tentative one keeps two weeks between decision and first day', async () => {
  const { id } = await made();
  const move = (parts: Partial<NewCourseDate>, day = today) =>
    onCourseDate(id, (trx, courseDate) => moveCourseDate(trx, courseDate, wish(parts), { ...by, today: day }));
  const faults = [{ field: 'decidedBy', message: 'is not 14 days before startDate or earlier (P39)' }];
  const earlier = { startDate: '2025-11-24', endDate: '2025-11-28', venue: 'Brisbane' };
  expect(await move(earlier)).toEqual({ ok: false, reason: 'faults', faults });
  expect(await move({ decidedBy: null })).toMatchObject({ ok: false, faults: [{ field: 'decidedBy' }] });
  expect(await move({ ...earlier, decidedBy: '2025-11-10' })).toMatchObject({ ok: true, change: 'asks' });
  expect(await rowOf(id)).toMatchObject({ starts_on: '2025-11-24', zone: 'Australia/Brisbane', state: 'tentative' });
  await onCourseDate(id, (trx, courseDate) => confirmCourseDate(trx, courseDate, by));
  expect(await move({ startDate: '2025-11-25', endDate: '2025-11-28' })).toMatchObject({ ok: true });
  expect(await rowOf(id)).toMatchObject({ state: 'confirmed', decided_by: null });
  expect(await move({}, '2025-11-25')).toEqual({ ok: false, reason: 'begun' });
});

/** Retires course a, after the certification that names it. */
async function retireCourse() {
  const retire = (kind: 'certification' | 'course', key: string) =>
    publishChange(database.db, { kind, key, to: null }, { now, today });
  expect(await retire('certification', 'first')).toMatchObject({ ok: true });
  return retire('course', 'a');
}

test('P70: a course of a course date to come is not retired until staff cancelled it', async () => {
  expect(await retireCourse()).toEqual({
    ok: false,
    reason: 'unsound',
    faults: [
      'course a: Course a, 15 to 19 September 2025, is still to be held; staff must cancel this course date or change it first',
    ],
  });
  const { id } = await database.db.selectFrom('course_dates').select('id').executeTakeFirstOrThrow();
  await onCourseDate(id, (trx, courseDate) => cancelCourseDate(trx, courseDate, by));
  expect(await publishChange(database.db, { kind: 'course', key: 'a', to: null }, { now, today })).toMatchObject({
    ok: true,
  });
});

test('P38: a course is not retired while bought places wait for its next date', async () => {
  const { db } = database;
  const { id, course_id: courseId } = await db
    .selectFrom('course_dates')
    .select(['id', 'course_id'])
    .executeTakeFirstOrThrow();
  await onCourseDate(id, (trx, courseDate) => cancelCourseDate(trx, courseDate, by));
  const order = await orderOf(db, [{ courseId, way: 'next-date' }]);
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) throw new Error(placed.reason);
  expect(await retireCourse()).toEqual({
    ok: false,
    reason: 'unsound',
    faults: ['course a: bought places wait for its next date (1); staff must give them one or cancel them first'],
  });
});

test('a published course and a sale that confirms a course date at the same time wait for each other in one order', async () => {
  const { id } = await made();
  for (let round = 0; round < 5; round++) {
    await database.db.updateTable('course_dates').set({ state: 'tentative' }).where('id', '=', id).execute();
    const sale = onCourseDate(id, async (trx, courseDate) => {
      await sellSeats(trx, courseDate, [100 + round], now);
      await confirmIfReached(trx, { ...courseDate, sold: 2 }, now);
    });
    const change = { kind: 'course', key: 'a', to: { title: `Title ${round}` } } as const;
    const published = publishChange(database.db, change, { now, today });
    await sale;
    expect(await published).toMatchObject({ ok: true });
  }
  expect((await rowOf(id)).state).toBe('confirmed');
});

test('P77: a date teaches no more hours than its course has', async () => {
  await database.db.updateTable('courses').set({ hours: 24 }).where('id', '=', courseId).execute();
  const refused = await write((trx) => makeCourseDate(trx, wish(), by));
  expect(refused).toMatchObject({ ok: false, faults: [{ field: 'endTime', message: expect.stringContaining('35') }] });
  expect(await write((trx) => makeCourseDate(trx, wish({ endDate: '2025-12-03' }), by))).toMatchObject({ ok: true });
});

test('P40: a date whose last class is over is not cancelled any more', async () => {
  const { id } = await made();
  const cancelAt = (text: string) =>
    onCourseDate(id, (trx, courseDate) =>
      cancelCourseDate(trx, courseDate, { ...by, now: new Date(text), today: '2025-12-05' }),
    );
  // It ends at 5 PM in Sydney, which is 4 PM in Brisbane.
  expect(await cancelAt('2025-12-05T16:00:00+10:00')).toEqual({ ok: false, reason: 'over' });
  expect(await cancelAt('2025-12-05T15:59:00+10:00')).toEqual({ ok: true });
});
