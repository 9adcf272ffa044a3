import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { dueShort } from '#app/features/money/open-invoice.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { datesToDecide } from '#app/features/reports/today/needs-of-dates.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P39: a date that was held without a decision still waits for one, because nothing is due before', async () => {
  const { db } = database;
  const undecided = { minimum: 3, decidedBy: '2025-10-20' };
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03', ...undecided });
  const { id: empty } = await makeCourseDate(db, { startsOn: '2025-11-03', ...undecided });
  const attendees = [attendee({ email: 'mary@attends.example' })];
  const { enrolmentId } = await placeIn(db, courseDate, { attendees });
  const { actor } = await makeStaff(
    db,
    { email: 'ada@academy.example', name: 'Ada Byron' },
    momentAt('2025-09-08T09:00').now,
  );
  const slugOf = async (id: number) =>
    (await db.selectFrom('course_dates').select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug;
  const keys = async (today: string) =>
    (await datesToDecide(db, actor, { today, holidays: new Set() })).needs
      .map(({ key }) => key)
      .filter((key) => key.startsWith('decide:course-date-'));
  const [held, nobody] = [`decide:${await slugOf(courseDate.id)}`, `decide:${await slugOf(empty)}`];
  expect(await keys('2025-11-07')).toEqual(expect.arrayContaining([held, nobody]));
  // A date that nobody was in is over and done with.
  expect(await keys('2025-11-08')).toEqual([held]);
  expect(await openInvoices(db, enrolmentId)).toMatchObject([{ dueOn: null, dueCents: 0 }]);

  const after = momentAt('2025-11-10T09:00');
  expect(await transaction((trx) => confirmCourseDateAndTell(trx, courseDate.id, theProgram, after))).toEqual({
    ok: true,
  });
  expect(await openInvoices(db, enrolmentId)).toMatchObject([{ dueOn: '2025-11-10', dueCents: 549_900 }]);
  expect(await keys('2025-11-10')).toEqual([]);
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text', 'calendar'])
    .where('kind', '=', 'place-course-date-held')
    .execute();
  // The people who sat in it are not told that it goes ahead.
  expect(mails).toMatchObject([{ recipient: expect.stringContaining('grace@'), calendar: null }]);
  expect(mails[0]?.body_text).toContain('The course went ahead.');
  expect(mails[0]?.body_text).not.toMatch(/goes ahead|What we refund now/);
});

test('P40: attendees of a class that is cancelled on its first day have two weeks to choose, not until midnight', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const { enrolmentId } = await placeIn(db, courseDate);
  const morning = momentAt('2025-11-03T08:00');
  await transaction((trx) => cancelCourseDateAndAsk(trx, courseDate.id, theProgram, morning));
  const place = await db
    .selectFrom('places')
    .select('choose_by')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  expect(place.choose_by).toBe('2025-11-17');
});

test('P30, P39: an invoice with corrected details states its dates as they are now', async () => {
  const { db } = database;
  const waits = await makeCourseDate(db, { startsOn: '2025-11-03', minimum: 3, decidedBy: '2025-10-20' });
  const also = await makeCourseDate(db, { startsOn: '2025-12-01', minimum: 3, decidedBy: '2025-11-17' });
  const { enrolmentId } = await placeIn(db, waits);
  const correct = async (name: string, when: string) => {
    const correction = {
      enrolmentId,
      name,
      phone: null,
      payer: { kind: 'person', address: null },
      actor: theBuyer,
    } as const;
    const result = await transaction((trx) => correctBuyer(trx, correction, momentAt(when)));
    expect(result).toEqual({ ok: true, changed: true });
    const { facts } = await db
      .selectFrom('tax_invoices')
      .select('facts')
      .where('enrolment_id', '=', enrolmentId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return facts;
  };
  const title = expect.stringContaining('CISSP');
  expect(await correct('Grace B. Hopper', '2025-09-10T09:00')).toMatchObject({
    undecided: [{ title, decidedBy: '2025-10-20' }],
  });
  await transaction((trx) => confirmCourseDateAndTell(trx, waits.id, theProgram, momentAt('2025-10-15T09:00')));
  // From now on it is due, and cancelling is no longer free.
  expect(await correct('G. B. Hopper', '2025-10-22T09:00')).toMatchObject({ undecided: [] });
  // On a day on which half comes back, they move to a date that waits: nothing is due, but cancelling stays at half.
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  const move = { enrolmentId, placeId: place?.id ?? 0, toCourseDateId: also.id, actor: theBuyer };
  expect(await transaction((trx) => transferPlace(trx, move, momentAt('2025-10-24T09:00')))).toMatchObject({
    ok: true,
  });
  expect(await correct('Grace Hopper', '2025-10-25T09:00')).toMatchObject({
    undecided: [{ title, decidedBy: '2025-11-17', moved: true }],
  });
});

test('P39, P40: moving one of four places to an undecided date puts off the due day for that place only', async () => {
  const { db } = database;
  const runs = await makeCourseDate(db, { startsOn: '2025-12-29' });
  const waits = await makeCourseDate(db, { startsOn: '2026-01-14', minimum: 6, decidedBy: '2025-12-30' });
  const attendees = ['a', 'b', 'c', 'd'].map((name) => attendee({ email: `${name}@four.example` }));
  const { enrolmentId } = await placeIn(db, runs, { attendees });
  const [before] = await openInvoices(db, enrolmentId);
  expect(before).toMatchObject({ dueCents: 4 * 549_900, undecided: false });
  const move = async (at: number) => {
    const standing = (await readEnrolment(db, enrolmentId)).places.filter(({ state }) => state === 'active');
    const placeId = standing.filter(({ courseDate }) => courseDate?.id === runs.id)[at]?.id ?? 0;
    const asked = { enrolmentId, placeId, toCourseDateId: waits.id, actor: theBuyer };
    expect(await transaction((trx) => transferPlace(trx, asked, momentAt('2025-09-20T09:00')))).toMatchObject({
      ok: true,
    });
  };
  await move(0);
  const [one] = await openInvoices(db, enrolmentId);
  expect(one).toMatchObject({
    dueOn: before?.dueOn,
    dueCents: 3 * 549_900,
    askedCents: 3 * 549_900,
    openCents: 4 * 549_900,
    choosingCents: 0,
    undecided: true,
    firstDay: '2025-12-29',
  });
  if (!one) throw new Error('no invoice');
  expect(dueShort(one, '2025-09-20')).toMatch(
    /^AU\$16,497 is due by .+; nothing of AU\$5,499 is due before the date is confirmed, or before /,
  );
  for (const _ of [1, 2, 3]) await move(0);
  expect(await openInvoices(db, enrolmentId)).toMatchObject([{ dueOn: null, dueCents: 0, undecided: true }]);
  await transaction((trx) => confirmCourseDateAndTell(trx, waits.id, theProgram, momentAt('2025-12-01T09:00')));
  expect(await openInvoices(db, enrolmentId)).toMatchObject([
    { dueOn: '2025-12-01', dueCents: 4 * 549_900, undecided: false },
  ]);
});
