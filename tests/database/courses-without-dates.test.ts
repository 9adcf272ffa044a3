import { afterAll, beforeAll, expect, test } from 'vitest';
import { coursesWithoutDates } from '#app/features/course-dates/queries.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { makeCourseDate, momentAt, orderOf, placeIn } from '#tests/support/enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

test('P77: a selling course is listed when its next date is more than 90 days ahead, cancelled, or missing', async () => {
  const { db } = database;
  // From here on the only dates are those made below.
  await db.updateTable('course_dates').set({ state: 'cancelled' }).execute();
  const found = async (today: string) => {
    const rows = await coursesWithoutDates(db, anOwner, today);
    return rows.map(({ slug, sells, waiting, nextDate }) => [slug, sells, waiting, nextDate]);
  };
  expect(await found('2025-09-08')).toEqual([]);
  const cissp = await makeCourseDate(db, { course: 'cissp', startsOn: '2025-11-03' });
  await placeIn(db, cissp);
  await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2026-03-02' });
  expect(await found('2025-09-08')).toEqual([]);
  // Its enrolment ends the day before it starts.
  expect(await found('2025-11-03')).toEqual([['cissp', true, 0, null]]);
  await makeCourseDate(db, { course: 'cissp', startsOn: '2026-02-01' });
  expect(await found('2025-11-03')).toEqual([]);
  expect(await found('2025-11-02')).toEqual([]);
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', '=', cissp.id).execute();
  expect(await found('2025-11-02')).toEqual([['cissp', true, 0, '2026-02-01']]);
  // Sold more than a year ago: nobody asks for it any more.
  expect(await found('2026-09-10')).toEqual([]);
  const { id } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'certified-ethical-hacker')
    .executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: id, way: 'next-date' }]);
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  expect(placed.ok).toBe(true);
  expect(await found('2025-11-02')).toEqual([
    ['certified-ethical-hacker', true, 1, null],
    ['cissp', true, 0, '2026-02-01'],
  ]);
});
