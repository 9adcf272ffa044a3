import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { listEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { planBuyers } from '#app/features/inbox/bulk-actions/plan-buyers.server.ts';
import { mailBuyers, planKey } from '#app/features/inbox/bulk-actions/press.server.ts';
import { recipientsOf } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { attendee, makeCourseDate, momentAt, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

const now = momentAt('2025-11-12T09:00');

/** An enrolment of one person whose date is over, and of another, not named yet, whose date is in twelve days. */
async function begunAndAhead(firstName: string | null) {
  const { db } = database;
  const over = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const ahead = await makeCourseDate(db, { startsOn: '2025-11-24' });
  const { enrolmentId } = await placeIn(db, over, { attendees: [attendee({ name: firstName })] });
  await add(enrolmentId, ahead, attendee({ name: null }));
  await receive(db, enrolmentId, (await balancesOf(db, enrolmentId)).computed, momentAt('2025-11-11T09:00'));
  await db.deleteFrom('mails').execute();
  return enrolmentId;
}

async function add(
  enrolmentId: number,
  courseDate: Awaited<ReturnType<typeof makeCourseDate>>,
  person: ReturnType<typeof attendee>,
) {
  const { price_cents: shownCents } = await database.db
    .selectFrom('courses')
    .select('price_cents')
    .where('id', '=', courseDate.courseId)
    .executeTakeFirstOrThrow();
  const wish = { enrolmentId, choices: [seatIn(courseDate)], attendee: person, shownCents, actor: theProgram };
  expect(await inTrx((trx) => addAttendee(trx, wish, momentAt('2025-11-10T09:00')))).toMatchObject({ ok: true });
}

const planned = (enrolmentId: number) =>
  planBuyers(database.db, anOwner, { ids: [enrolmentId], act: 'ask-names' }, now);
const plan = async (enrolmentId: number) => (await planned(enrolmentId))[0]?.leftOut;
async function ask(enrolmentId: number) {
  const { actor } = await makeStaff(database.db, { email: 'desk@example.com', name: 'Desk' }, now.now);
  await database.db.deleteFrom('mails').execute();
  const expects = planKey(await planned(enrolmentId));
  return inTrx((trx) => mailBuyers(trx, { act: 'ask-names', ids: [enrolmentId], actor, expects }, now));
}
const listed = async (sort: string) => {
  const view = enrolmentList.viewOf(new URLSearchParams({ state: 'unnamed', sort }));
  const { enrolments } = await listEnrolments(database.db, anOwner, view, now.today);
  return enrolments.map(({ remark }) => remark?.text);
};
const mailText = async () =>
  (await database.db.selectFrom('mails').select('body_text').execute()).map((one) => one.body_text);

test('P101: a name that is missing for a later date is asked for and listed after the first date has begun', async () => {
  const enrolmentId = await begunAndAhead('Ada Byron');
  expect(await plan(enrolmentId)).toBe(null);
  expect(await listed('-enrolled')).toEqual(['Name missing']);
  expect(await listed('starts')).toEqual(['Name missing']);
  expect(await ask(enrolmentId)).toMatchObject({ ok: true });
});

test('P31: the email about names counts only people whose course is still to come', async () => {
  const enrolmentId = await begunAndAhead(null);
  expect(await ask(enrolmentId)).toMatchObject({ ok: true });
  const [text] = await mailText();
  expect(text).toContain('We do not know yet who attends.');
  expect(text).not.toContain('of your 2');
});

test('P101: nobody is asked who attends a date that the academy cancelled', async () => {
  const ahead = await makeCourseDate(database.db, { startsOn: '2025-11-24' });
  const { enrolmentId } = await placeIn(database.db, ahead, { attendees: [attendee({ name: null })] });
  await inTrx((trx) => cancelCourseDateAndAsk(trx, ahead.id, theProgram, momentAt('2025-11-11T09:00')));
  await database.db.deleteFrom('mails').execute();
  expect(await plan(enrolmentId)).toBe('all-named');
  expect(await ask(enrolmentId)).toEqual({ ok: false, reason: 'nobody' });
  expect(await mailText()).toEqual([]);
});

test('P81: a message to chosen enrolments names a course that takes place, or the one that was cancelled', async () => {
  const { db } = database;
  const [first, second] = [
    await makeCourseDate(db, { startsOn: '2025-11-24' }),
    await makeCourseDate(db, { startsOn: '2025-12-08' }),
  ];
  const { enrolmentId } = await placeIn(db, first, { attendees: [attendee({ email: 'ada@example.com' })] });
  await add(enrolmentId, second, attendee({ name: 'Bea', email: 'bea@example.com' }));
  await inTrx((trx) => cancelCourseDateAndAsk(trx, first.id, theProgram, momentAt('2025-11-11T09:00')));
  const whenOfBuyer = async () => {
    const wanted = { to: ['attendees', 'buyers'] as const, marketing: false, today: now.today };
    const got = await recipientsOf(db, { of: 'enrolments', ids: [enrolmentId] }, wanted);
    return got.find(({ audience }) => audience === 'buyers')?.course.when;
  };
  expect(await whenOfBuyer()).toContain('December');

  const places = await db.selectFrom('places').select('id').where('enrolment_id', '=', enrolmentId).execute();
  const placeIds = places.map(({ id }) => id);
  const cancelled = await inTrx((trx) =>
    cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null }, momentAt('2025-11-12T08:00')),
  );
  expect(cancelled).toMatchObject({ ok: true });
  expect(await whenOfBuyer()).toMatch(/December|November/);
});
