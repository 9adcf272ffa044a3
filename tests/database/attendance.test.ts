import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { completionOf } from '#app/features/study/completion.server.ts';
import { type MarkWish, markDay } from '#app/features/study/marking.server.ts';
import { readStudy } from '#app/features/study/study.server.ts';
import { isFinished, placeFinished, placeUnfinished } from '#app/features/study/xp.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, patientLimits, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let mara: StaffActor;
const opened: Db[] = [];
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.destroy()));
  await database.drop();
});

const at = (text: string) => momentAt(text).now;

/**
 * A person in three days of seven hours, Monday 3 November 2025 to the Wednesday, of a course of 20 hours for Beginners:
 * 1,000 XP, so 333.33 a day.
 */
async function inClass(parts: { capacity?: number } = {}) {
  const courseDate = await makeCourseDate(db, parts);
  await database.owner
    .updateTable('courses')
    .set({ hours: 20, level: 'Beginner' })
    .where('id', '=', courseDate.courseId)
    .execute();
  await db
    .updateTable('course_dates')
    .set({ ends_on: '2025-11-05', break_minutes: 60 })
    .where('id', '=', courseDate.id)
    .execute();
  const { instructor_slug: teachesAs } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const staff = await makeStaff(db, { email: 'mara@example.com', name: 'Mara' }, at('2025-09-08T09:00'), {
    role: 'instructor',
    teachesAs,
  });
  mara = { ...staff.actor, teachesAs: [teachesAs] };
  const { enrolmentId } = await placeIn(db, courseDate);
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  if (!place) throw new Error('nothing was placed');
  return { courseDate, enrolmentId, placeId: place.id };
}

const present = { mark: 'present', minutesLate: 0, minutesLeftEarly: 0 } as const;
const absent = { ...present, mark: 'absent' } as const;

type In = Awaited<ReturnType<typeof inClass>>;
const mark = (
  { courseDate, placeId }: Pick<In, 'courseDate' | 'placeId'>,
  wish: Partial<MarkWish> & { day: string },
  when = `${wish.day}T09:05`,
  actor: StaffActor = mara,
  on: Db = db,
) =>
  on
    .transaction()
    .execute((trx) =>
      markDay(
        trx,
        { ...present, placeId, courseDateId: courseDate.id, key: crypto.randomUUID(), tap: null, reason: '', ...wish },
        { actor, now: at(when) },
      ),
    );
const pointsOf = async (placeId: number) => {
  const rows = await db
    .selectFrom('xp_entries')
    .select('points')
    .where('place_id', '=', placeId)
    .orderBy('id')
    .execute();
  return rows.map(({ points }) => points);
};
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

test('P62: three days of 333.33 points each are 333, 334 and, because the certificate is to come, 323', async () => {
  const its = await inClass();
  for (const day of ['2025-11-03', '2025-11-04', '2025-11-05'])
    expect(await mark(its, { day })).toMatchObject({ ok: true });
  expect(await pointsOf(its.placeId)).toEqual([333, 334, 323]);
  const finish = { certificateId: 7, at: at('2025-11-06T09:00') };
  await inTrx((trx) => placeFinished(trx, its.placeId, finish));
  expect(await pointsOf(its.placeId)).toEqual([333, 334, 323, 10]);
  expect(await isFinished(db, its.placeId)).toBe(true);
  await expect(inTrx((trx) => placeFinished(trx, its.placeId, finish))).rejects.toMatchObject({ code: '23505' });
  await inTrx((trx) => placeUnfinished(trx, its.placeId, finish));
  await inTrx((trx) => placeUnfinished(trx, its.placeId, finish));
  expect(await pointsOf(its.placeId)).toEqual([333, 334, 323, 10, -10]);
  expect(await isFinished(db, its.placeId)).toBe(false);
});

test('P62: a corrected day is reversed, and the ledger has the rounded total of the remaining minutes', async () => {
  const its = await inClass();
  await mark(its, { day: '2025-11-03' });
  await mark(its, { day: '2025-11-04' });
  // 35 of 420 minutes late: 805 of 1,260 minutes are 638.9 points, so 306 after 333.
  await mark(its, { day: '2025-11-04', minutesLate: 35 }, '2025-11-04T12:00');
  expect(await pointsOf(its.placeId)).toEqual([333, 334, -334, 306]);
  // The first day taken back: 385 of 1,260 minutes are 305.6, so 306 stays and nothing is to be added.
  await mark(its, { day: '2025-11-03', ...absent }, '2025-11-04T13:00');
  expect(await pointsOf(its.placeId)).toEqual([333, 334, -334, 306, -333]);
  // And given again: 638.9 in all.
  await mark(its, { day: '2025-11-03' }, '2025-11-04T14:00');
  expect(await pointsOf(its.placeId)).toEqual([333, 334, -334, 306, -333, 333]);
  expect(await readStudy(db, its.placeId)).toMatchObject({ minutesTaught: 1260, minutesAttended: 805 });
});

test('P59: the last tap of a day counts, not the last to arrive, and a repeat is one mark', async () => {
  const its = await inClass();
  const day = '2025-11-03';
  const key = crypto.randomUUID();
  expect(await mark(its, { day, key }, '2025-11-03T09:05')).toEqual({ ok: true, known: false });
  expect(await mark(its, { day, key }, '2025-11-03T09:07')).toEqual({ ok: true, known: true });
  expect(await mark(its, { day, key, ...absent }, '2025-11-03T09:08')).toEqual({ ok: true, known: true });
  // The second phone tapped "absent" at 9:01 and had no network until 11:00.
  const sentMs = Date.parse('1999-01-01T00:00:00Z');
  const tap = { tappedMs: sentMs - 119 * 60_000, sentMs };
  expect(await mark(its, { day, ...absent, tap }, '2025-11-03T11:00')).toEqual({ ok: true, known: false });
  const [first] = (await readStudy(db, its.placeId)).days;
  expect(first?.mark?.mark).toBe('present');
  expect(await pointsOf(its.placeId)).toEqual([333]);
  // A clock that was set back before sending: a tap in the future is one of now.
  await mark(its, { day, ...absent, tap: { tappedMs: sentMs + 3_600_000, sentMs } }, '2025-11-03T11:05');
  // And one that jumped years ahead: the tap is of the beginning of the day at the earliest, so it loses.
  await mark(its, { day, ...present, tap: { tappedMs: 0, sentMs } }, '2025-11-03T11:06');
  const [corrected] = (await readStudy(db, its.placeId)).days;
  expect(corrected?.mark?.mark).toBe('absent');
  expect(await pointsOf(its.placeId)).toEqual([333, -333]);
  const { count } = await db
    .selectFrom('attendance_marks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(4);
});

test('P59: two phones that mark the same person at the same moment credit the day once', async () => {
  const its = await inClass();
  const dbs = Array.from({ length: 4 }, () => createDb(database.connection, () => undefined, patientLimits));
  opened.push(...dbs);
  const key = crypto.randomUUID();
  const results = await Promise.all(
    dbs.map((one, number) =>
      mark(its, { day: '2025-11-03', ...(number < 2 && { key }) }, '2025-11-03T09:05', mara, one),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(4);
  expect(results.filter((result) => result.ok && result.known)).toHaveLength(1);
  expect(await pointsOf(its.placeId)).toEqual([333]);
});

test('P59: a mark that is not possible is refused with the reason, and nothing is written', async () => {
  const its = await inClass();
  const { courseDate, placeId, enrolmentId } = its;
  const day = '2025-11-03';
  expect(await mark(its, { day }, '2025-11-02T23:59')).toEqual({ ok: false, reason: 'not-yet' });
  expect(await mark(its, { day: '2025-11-06' })).toEqual({ ok: false, reason: 'no-such-day' });
  expect(await mark(its, { day, minutesLate: 400, minutesLeftEarly: 21 })).toEqual({
    ok: false,
    reason: 'too-many-minutes',
  });
  expect(await mark(its, { day, placeId: 999_999 })).toEqual({ ok: false, reason: 'not-in-class' });
  // An instructor of other course dates, and one whose role was taken away.
  expect(await mark(its, { day }, undefined, { ...mara, teachesAs: ['nobody'] })).toEqual({
    ok: false,
    reason: 'not-in-class',
  });
  await expect(mark(its, { day }, undefined, { ...mara, can: new Set() })).rejects.toThrow(NotPermitted);
  await expect(mark(its, { day }, undefined, staffActor(mara.person, 'reader'))).rejects.toThrow(NotPermitted);

  // Moved to another date: the old place is over, and the new one is in another class.
  const later = await makeCourseDate(db, { startsOn: '2025-11-17' });
  const owner = staffActor(mara.person);
  const moved = await inTrx((trx) =>
    transferPlace(trx, { enrolmentId, placeId, toCourseDateId: later.id, actor: owner }, momentAt('2025-09-09T09:00')),
  );
  if (!moved.ok) expect.unreachable(moved.reason);
  expect(await mark(its, { day })).toEqual({ ok: false, reason: 'not-in-class' });
  expect(await mark({ courseDate, placeId: moved.placeId }, { day })).toEqual({ ok: false, reason: 'not-in-class' });
  const there = { courseDate: later, placeId: moved.placeId };
  await inTrx((trx) =>
    cancelPlaces(
      trx,
      { enrolmentId, placeIds: [moved.placeId], why: 'buyer', shownCents: null },
      momentAt('2025-09-10T09:00'),
    ),
  );
  expect(await mark(there, { day: '2025-11-17' })).toEqual({ ok: false, reason: 'not-in-class' });
  expect(await db.selectFrom('attendance_marks').selectAll().execute()).toEqual([]);
});

test('P59: after the last day staff correct with a reason, and a phone still sends earlier taps', async () => {
  const its = await inClass();
  const day = '2025-11-05';
  await mark(its, { day });
  const late = '2025-11-08T10:00';
  expect(await mark(its, { day, ...absent }, late)).toEqual({ ok: false, reason: 'over' });
  const staff = staffActor(mara.person, 'admissions');
  expect(await mark(its, { day, ...absent }, late, staff)).toEqual({ ok: false, reason: 'no-reason' });
  expect(await mark(its, { day, ...absent, reason: 'Was in another room' }, late, staff)).toMatchObject({ ok: true });
  const entry = await db
    .selectFrom('audit_entries')
    .innerJoin('audit_changes', 'entry_id', 'id')
    .select(['action', 'subject', 'details', 'before', 'after'])
    .where('action', '=', 'correct-attendance')
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    subject: `place:${its.placeId}`,
    before: '2025-11-05: present, 0 late, 0 left early',
    after: '2025-11-05: absent, 0 late, 0 left early',
  });
  expect(JSON.stringify(entry)).not.toContain('another room');
  expect(await pointsOf(its.placeId)).toEqual([333, -333]);
  // Tapped on the Tuesday at 10:00, sent four days later.
  const sentMs = 1_000_000_000_000;
  const tap = { tappedMs: sentMs - 4 * 86_400_000, sentMs };
  expect(await mark(its, { day: '2025-11-04', tap }, late)).toEqual({ ok: true, known: false });
  // Two weeks after the last day at most: a phone says itself how long ago somebody tapped.
  const long = { tappedMs: sentMs - 60 * 86_400_000, sentMs };
  expect(await mark(its, { day: '2025-11-03', tap: long }, '2025-11-19T23:00')).toMatchObject({ ok: true });
  expect(await mark(its, { day, tap: long }, '2025-11-20T00:30')).toEqual({ ok: false, reason: 'over' });
});

test('P61: 80 per cent of the minutes complete a dated course, not before its last day', async () => {
  const its = await inClass();
  await mark(its, { day: '2025-11-03' });
  await mark(its, { day: '2025-11-04' });
  // 80 per cent of 1,260 minutes are 1,008: of the Wednesday it takes 168.
  await mark(its, { day: '2025-11-05', minutesLate: 200, minutesLeftEarly: 53 });
  expect(await inTrx((trx) => completionOf(trx, its.placeId, { today: '2025-11-05' }))).toMatchObject({
    met: false,
    rule: { by: 'attendance', percent: 80 },
    missing: ['Attended 16 h 47 min of 21 h; 80% is 16 h 48 min.'],
  });
  await mark(its, { day: '2025-11-05', minutesLate: 200, minutesLeftEarly: 52 }, '2025-11-05T16:10');
  expect(await inTrx((trx) => completionOf(trx, its.placeId, { today: '2025-11-04' }))).toMatchObject({
    met: false,
    missing: ['The last day is Wednesday 5 November 2025.'],
  });
  expect(await inTrx((trx) => completionOf(trx, its.placeId, { today: '2025-11-05' }))).toMatchObject({
    met: true,
    missing: [],
    facts: { minutesTaught: 1260, minutesAttended: 1008, firstDay: '2025-11-03', lastDay: '2025-11-05' },
  });
});

test('P61: the rule is the one that the place was sold under, also when it is moved to another date', async () => {
  const its = await inClass();
  await database.owner
    .updateTable('courses')
    .set({ hours: 60, level: 'Expert' })
    .where('id', '=', its.courseDate.courseId)
    .execute();
  await mark(its, { day: '2025-11-03' });
  expect(await pointsOf(its.placeId)).toEqual([333]);
  const later = await makeCourseDate(db, { startsOn: '2025-11-17' });
  const moved = await inTrx((trx) =>
    transferPlace(
      trx,
      { enrolmentId: its.enrolmentId, placeId: its.placeId, toCourseDateId: later.id, actor: staffActor(mara.person) },
      momentAt('2025-11-03T18:00'),
    ),
  );
  if (!moved.ok) expect.unreachable(moved.reason);
  // Five days of eight hours there: 200 points each, of which 333 were earned before the move.
  const there = { courseDate: later, placeId: moved.placeId };
  for (const day of ['2025-11-17', '2025-11-18', '2025-11-19']) await mark(there, { day });
  expect(await readStudy(db, moved.placeId)).toMatchObject({ courseXp: 1000, minutesAttended: 1440 });
  expect(await pointsOf(moved.placeId)).toEqual([67, 200]);
});

test('P62: neither the program nor the owner changes the ledger or a mark, and an entry reverses only its own', async () => {
  const its = await inClass();
  await mark(its, { day: '2025-11-03' });
  await expect(db.updateTable('xp_entries').set({ points: 9 }).execute()).rejects.toMatchObject({ code: '42501' });
  await expect(db.deleteFrom('xp_entries').execute()).rejects.toMatchObject({ code: '42501' });
  await expect(database.owner.deleteFrom('xp_entries').execute()).rejects.toThrow('is only added to');
  await expect(database.owner.deleteFrom('attendance_marks').execute()).rejects.toThrow('is only added to');
  await expect(db.updateTable('attendance_marks').set({ mark: 'absent' }).execute()).rejects.toThrow(
    'is only added to',
  );
  await expect(db.updateTable('attendance_marks').set({ reason: 'x' }).execute()).rejects.toThrow('is only added to');
  const entry = await db.selectFrom('xp_entries').selectAll().executeTakeFirstOrThrow();
  const { id: _, ...again } = entry;
  await expect(db.insertInto('xp_entries').values(again).execute()).rejects.toMatchObject({ code: '23505' });
  await expect(
    db
      .insertInto('xp_entries')
      .values({ ...again, points: -332, reverses: entry.id })
      .execute(),
  ).rejects.toThrow('by its points');
});
