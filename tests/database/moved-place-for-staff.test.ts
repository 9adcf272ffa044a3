import { afterAll, beforeAll, expect, test } from 'vitest';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { shownEnrolment } from '#app/routes/staff/enrolments/shown-enrolment.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

test('P30: a place that was moved is charged and paid once, and nobody else is owed for it', async () => {
  const { db } = database;
  const first = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const second = await makeCourseDate(db, { startsOn: '2025-12-01' });
  const people = [attendee(), attendee({ name: 'Bea' })];
  const { enrolmentId, reference } = await placeIn(db, first, { attendees: people });
  const { computed } = await balancesOf(db, enrolmentId);
  await receive(db, enrolmentId, computed, momentAt('2025-09-10T09:00'));
  const { id: placeId } = await db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const wish = { enrolmentId, placeId, toCourseDateId: second.id, actor: anOwner };
  const moved = await db.transaction().execute((trx) => transferPlace(trx, wish, momentAt('2025-09-11T09:00')));
  expect(moved).toMatchObject({ ok: true });

  const whole = await readEnrolmentForStaff(db, anOwner, reference, momentAt('2025-09-12T09:00'));
  if (!whole) throw new Error('none');
  const { places } = shownEnrolment(whole);
  expect(places.reduce((sum, { chargedCents }) => sum + chargedCents, 0)).toBe(computed);
  expect(places.find(({ id }) => id === placeId)?.chargedCents).toBe(0);
  expect(places.filter(({ active }) => active).map(({ paid }) => paid)).toEqual(['paid', 'paid']);
});
