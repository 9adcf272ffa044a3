import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { confirmCourseDateAndTell } from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { readHappenings } from '#app/features/inbox/enrolment-timeline.server.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P83: the history of an enrolment has acts on its course date from when it got the date', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-24', minimum: 3, decidedBy: '2025-11-03' });
  await db.updateTable('course_dates').set({ state: 'tentative' }).where('id', '=', courseDate.id).execute();
  const { enrolmentId } = await placeIn(db, courseDate);
  const at = momentAt('2025-09-10T09:00');
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, at.now);
  expect(await inTrx((trx) => confirmCourseDateAndTell(trx, courseDate.id, actor, at))).toMatchObject({ ok: true });
  const acts = async () => {
    const enrolment = await readEnrolment(db, enrolmentId);
    return (await readHappenings(db, enrolment, actor, at.now)).dates.map(({ by, action }) => `${by} ${action}`);
  };
  expect(await acts()).toEqual(['Ada confirm-course-date']);
  // It had waited for the next date until then.
  await db
    .updateTable('places')
    .set({ dated_at: momentAt('2025-09-20T09:00').now })
    .execute();
  expect(await acts()).toEqual([]);
});
