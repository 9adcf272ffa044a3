import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { makeCourseDate, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');
/** Three days ahead of the first day: the ladder gives nothing. */
const given = momentAt('2025-10-01T09:00');
const close = '2025-10-04';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

/** A place bought without a date, to which staff give one three days ahead. */
async function dated() {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: close });
  const order = await orderOf(db, [{ courseId: courseDate.courseId, way: 'next-date' }]);
  const placed = await transaction((trx) => placeEnrolment(trx, order, opening));
  if (!placed.ok) throw new Error(placed.reason);
  const { enrolmentId } = placed;
  const date = { enrolmentId, courseId: courseDate.courseId, courseDateId: courseDate.id, actor: theProgram };
  expect(await transaction((trx) => datePlaces(trx, date, given))).toMatchObject({ ok: true });
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  return {
    enrolmentId,
    placeId: place?.id ?? 0,
    to: order.buyer.email,
    cancel: (placeId: number, when: string) =>
      transaction((trx) =>
        cancelPlaces(trx, { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null }, momentAt(when)),
      ),
    owed: async () => balanceOf(await accountOf(db, enrolmentId)),
  };
}

test('P40: the hours in which all comes back count from when a place got its date', async () => {
  const free = await dated();
  expect(await free.owed()).toBe(549_900);
  expect(await free.cancel(free.placeId, '2025-10-02T08:59')).toMatchObject({
    credits: [{ cents: 549_900 }],
  });
  expect(await free.owed()).toBe(0);

  const late = await dated();
  expect(await late.cancel(late.placeId, '2025-10-02T09:00')).toMatchObject({
    credits: [{ cents: 0 }],
  });
});

test('P40: a move keeps the hours in which all comes back', async () => {
  const moved = await dated();
  const { id: toCourseDateId } = await makeCourseDate(database.db, { startsOn: '2025-10-06' });
  const transfer = { enrolmentId: moved.enrolmentId, placeId: moved.placeId, toCourseDateId, actor: theBuyer };
  const result = await transaction((trx) => transferPlace(trx, transfer, momentAt('2025-10-01T12:00')));
  if (!result.ok) throw new Error(result.reason);
  expect(await moved.cancel(result.placeId, '2025-10-02T08:59')).toMatchObject({ credits: [{ cents: 549_900 }] });
});

test('P40: a move that the buyer asked staff for limits a later refund as their own does; one that we caused does not', async () => {
  const { db } = database;
  const eve = momentAt('2025-10-02T12:00');
  const movedFor = async (atTheirWish: boolean) => {
    const from = await makeCourseDate(db, { startsOn: '2025-10-06' });
    const order = await orderOf(db, [{ courseId: from.courseId, way: 'date', courseDateId: from.id }]);
    const placed = await transaction((trx) => placeEnrolment(trx, order, opening));
    if (!placed.ok) throw new Error(placed.reason);
    const { enrolmentId } = placed;
    const [place] = (await readEnrolment(db, enrolmentId)).places;
    const { id: toCourseDateId } = await makeCourseDate(db, { startsOn: '2025-12-01' });
    const transfer = { enrolmentId, placeId: place?.id ?? 0, toCourseDateId, actor: theProgram, atTheirWish };
    const moved = await transaction((trx) => transferPlace(trx, transfer, eve));
    if (!moved.ok) throw new Error(moved.reason);
    const [now] = (await readEnrolment(db, enrolmentId)).places.filter(({ id }) => id === moved.placeId);
    const cancelled = await transaction((trx) =>
      cancelPlaces(
        trx,
        { enrolmentId, placeIds: [moved.placeId], why: 'buyer', shownCents: null },
        momentAt('2025-10-03T12:00'),
      ),
    );
    return { cap: now?.moveCap, back: cancelled.ok && cancelled.credits[0]?.cents };
  };
  expect(await movedFor(true)).toEqual({ cap: 0, back: 0 });
  expect(await movedFor(false)).toEqual({ cap: null, back: 549_900 });
});

test('P31: the email about the date has the refunds by day', async () => {
  const { to } = await dated();
  const { body_text } = await database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', to)
    .where('kind', '=', 'place-dated')
    .executeTakeFirstOrThrow();
  expect(body_text.replaceAll(/\s+/g, ' ')).toContain(
    'What we refund now depends on the day you cancel: until 2 Oct 2025, 9:00 AM (Brisbane time) AU$5,499 back, then nothing.',
  );
});

test('P39: a person told of the date today is not reminded at once, but on the eve', async () => {
  const { enrolmentId } = await dated();
  const reminders = async (when: string) => {
    await queuePlaceReminders(database.db, momentAt(when));
    const mails = database.db.selectFrom('mails').select('id').where('kind', '=', 'place-reminder');
    return (await mails.where('about_id', '=', enrolmentId).execute()).length;
  };
  // Three days ahead: the message about the date went out a minute ago.
  expect(await reminders('2025-10-01T09:01')).toBe(0);
  expect(await reminders('2025-10-02T09:00')).toBe(0);
  expect(await reminders('2025-10-03T09:00')).toBe(1);
});
