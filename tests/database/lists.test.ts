import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { keysetPage, listedPage } from '#app/db/keyset.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { everyEnrolment, listEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { accountOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { listPeople } from '#app/features/people/people-list.server.ts';
import { deleteView, renameView, savedViews, saveView } from '#app/features/people/views.server.ts';
import { findPerson } from '#app/features/reports/person.server.ts';
import { courseDateList } from '#app/routes/staff/course-dates/course-date-list.tsx';
import { listCourseDates } from '#app/routes/staff/course-dates/list-course-dates.server.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { peopleList } from '#app/routes/staff/people/people-list.tsx';
import { publishChange } from '#tests/support/content-edits.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const now = momentAt('2025-09-08T09:00');
const viewOf = (query: string) => enrolmentList.viewOf(new URLSearchParams(query));
const list = (query: string, today = now.today) => listEnrolments(database.db, anOwner, viewOf(query), today);
const references = async (query: string, today?: string) =>
  (await list(query, today)).enrolments.map(({ reference }) => reference);
const peopleBy = async (search: string) => {
  const view = peopleList.viewOf(new URLSearchParams({ search }));
  return (await listPeople(database.db, anOwner, view)).people;
};

/** The list's row of each enrolment is what the ledger, the places and the open invoices say, computed here anew. */
async function expectListsTrue() {
  const { db } = database;
  const rows = await db.selectFrom('enrolment_list').selectAll().execute();
  const enrolments = await db.selectFrom('enrolments').select('id').execute();
  expect(rows.length).toBe(enrolments.length);
  for (const row of rows) {
    const { places } = await readEnrolment(db, row.enrolment_id);
    const account = await accountOf(db, row.enrolment_id);
    const live = places.filter(({ state }) => state !== 'cancelled');
    const due = (await openInvoices(db, row.enrolment_id)).flatMap(({ dueOn }) => dueOn ?? []).sort();
    const days = live.flatMap(({ courseDate, guidedFrom }) =>
      courseDate?.state === 'cancelled' ? [] : (courseDate?.startsOn ?? guidedFrom ?? []),
    );
    expect(row, JSON.stringify(row)).toMatchObject({
      balance_cents: balanceOf(account),
      total_cents: account.invoicedCents - account.creditedCents,
      due_on: balanceOf(account) > 0 ? (due[0] ?? null) : null,
      places: live.length,
      starts_on: days.sort()[0] ?? 'infinity',
    });
  }
}

test('a row of the list follows every act on its enrolment, its money and its course date', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'ada@lists.example', name: 'Ada Byron' }, now.now);
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const tentative = await makeCourseDate(db, { startsOn: '2025-11-10', minimum: 4, decidedBy: '2025-10-20' });
  const unnamed = await placeIn(db, courseDate, { attendees: [attendee(), attendee({ name: null })] });
  const waits = await placeIn(db, tentative, {});
  await expectListsTrue();
  expect(await references('state=unnamed&sort=starts')).toEqual([unnamed.reference]);
  expect(await references('state=overdue&sort=due', '2025-12-20')).toEqual([unnamed.reference]);
  await receive(db, unnamed.enrolmentId, 100_000, now);
  await expectListsTrue();
  expect((await list('paid=bank')).enrolments).toMatchObject([
    { reference: unnamed.reference, totalCents: 1_099_800, owedCents: 999_800, places: 2, startsOn: '2025-11-03' },
  ]);
  // What is due depends on the date being confirmed, which no row of the enrolment says.
  await db.transaction().execute((trx) => confirmCourseDateAndTell(trx, tentative.id, actor, now));
  await expectListsTrue();
  expect(await references('state=overdue&sort=due', '2025-12-20')).toContain(waits.reference);
  const { places } = await readEnrolment(db, unnamed.enrolmentId);
  await db
    .transaction()
    .execute((trx) =>
      cancelPlaces(
        trx,
        { enrolmentId: unnamed.enrolmentId, placeIds: [places[0]?.id ?? 0], why: 'buyer', shownCents: null },
        now,
      ),
    );
  await expectListsTrue();
  await db.transaction().execute((trx) => cancelCourseDateAndAsk(trx, tentative.id, actor, now));
  await expectListsTrue();
  expect(await references('state=choosing')).toEqual([waits.reference]);
  expect(await references('state=cancelled')).toEqual([unnamed.reference]);
  await db.updateTable('course_dates').set({ starts_on: '2025-11-02' }).where('id', '=', courseDate.id).execute();
  await expectListsTrue();
  // Neither who cancelled nor whose date was cancelled starts soon.
  expect((await list('starts-before=2025-12-01')).enrolments.map(({ startsOn }) => startsOn)).toEqual(['2025-11-02']);
});

test('pages lead on and back by key, through ties, and say where they stand', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, {
    course: 'comptia-security-plus',
    startsOn: '2026-02-02',
    capacity: 40,
  });
  const placed: string[] = [];
  for (let at = 0; at < 7; at++) placed.push((await placeIn(db, courseDate, {})).reference);
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  for (const query of [
    `courseDate=${slug}`,
    'course=comptia-security-plus',
    'course=comptia-security-plus&sort=starts',
  ]) {
    const all = await references(query);
    expect(all.toSorted()).toEqual(placed.toSorted());
  }
  // All seven were placed at one instant and start on one day: only the id tells them apart.
  const view = viewOf('course=comptia-security-plus');
  const set = {
    from: sql`enrolment_list its join (select distinct course_id, enrolment_id from places) as place using (enrolment_id)`,
    key: sql`its.enrolled_at`,
    id: sql`its.enrolment_id`,
    kind: 'moment' as const,
    where: [sql`course_id = ${courseDate.courseId}`],
  };
  const reading = { descending: true, cursor: null, length: 3 };
  const first = await keysetPage(db, set, reading);
  const second = await keysetPage(db, set, { ...reading, cursor: first.older });
  const third = await keysetPage(db, set, { ...reading, cursor: second.older });
  expect([first.ids.length, second.ids.length, third.ids.length, third.older, first.newer]).toEqual([
    3,
    3,
    1,
    null,
    null,
  ]);
  const ids = [...first.ids, ...second.ids, ...third.ids];
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect((await keysetPage(db, set, { ...reading, cursor: third.newer })).ids).toEqual(second.ids);
  const back = await keysetPage(db, set, { ...reading, cursor: second.newer });
  expect([back.ids, back.newer]).toEqual([first.ids, null]);
  const listed = await listedPage(db, set, { ...reading, cursor: second.older }, async (itsIds) => itsIds);
  expect(listed).toEqual({
    rows: third.ids,
    newer: third.newer,
    older: null,
    standing: { before: 6, shown: 1, total: 7, more: false },
  });
  const [one = ''] = placed;
  const { number } = await db
    .selectFrom('tax_invoices')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select('tax_invoices.number')
    .where('reference', '=', one)
    .executeTakeFirstOrThrow();
  // `BB` and `INV` begin a word of every enrolment; with another word they tell nothing, alone everything.
  for (const search of [one, one.toLowerCase(), `BB ${one.slice(3)}`, `inv-${String(number).padStart(5, '0')}`]) {
    expect(await references(`search=${search}`), search).toEqual([one]);
  }
  expect((await references('search=BB')).length).toBe((await references('')).length);
  expect(await references(`search=INV-${one.slice(3)}`)).toEqual([one]);
  expect(await references(`search=${one}+nobody`)).toEqual([]);
  const pieces = [];
  for await (const piece of everyEnrolment(db, anOwner, view, now.today, 3)) pieces.push(piece.length);
  expect(pieces).toEqual([3, 3, 1]);
});

test('a filter by course or course date finds the same rows after a rename', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { course: 'csslp' });
  const { enrolmentId } = await placeIn(db, courseDate);
  const { reference } = await readEnrolment(db, enrolmentId);
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const renamed = { slug: 'csslp-renamed' };
  expect(await publishChange(db, { kind: 'course', key: 'csslp', to: renamed }, now)).toMatchObject({ ok: true });
  const date = { slug: 'date-renamed', aliases: [slug] };
  await db.updateTable('course_dates').set(date).where('id', '=', courseDate.id).execute();
  for (const course of ['csslp', 'csslp-renamed']) {
    expect(await references(`course=${course}`)).toContain(reference);
    const view = courseDateList.viewOf(new URLSearchParams(`course=${course}`));
    const { courseDates } = await listCourseDates(db, anOwner, view, now.today);
    expect(courseDates.map((one) => one.slug)).toContain('date-renamed');
  }
  expect(await references(`courseDate=${slug}`)).toEqual([reference]);
  expect(await references('course=no-such-course')).toEqual([]);
});

test('a person is found by the beginning of any word, by any address, and by a number in any spelling', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2026-03-02' });
  const { enrolmentId: id, reference } = await placeIn(db, courseDate, {
    attendees: [attendee({ name: 'Mary Shelley', email: 'mary@shelley.example' })],
    buyer: { name: 'Percy Bysshe', email: 'Percy@Bysshe.example', phone: '(07) 7010 0142' },
    payer: {
      kind: 'organisation',
      organisation: 'Moreton Freight',
      abn: null,
      address: null,
      purchaseOrder: null,
      accountsEmail: null,
    },
  });
  const [percy] = await peopleBy('percy');
  expect(percy).toMatchObject({
    name: 'Percy Bysshe',
    email: 'percy@bysshe.example',
    bought: 1,
    attends: 0,
    organisation: 'Moreton Freight',
  });
  for (const search of [
    'byss perc',
    'bysshe.example',
    'moreton fre',
    '07 7010 0142',
    '+61 7 7010 0142',
    '0061770100142',
    '77010',
    '(07) 7010',
  ]) {
    const found = (await peopleBy(search)).map(({ id: its }) => its);
    expect(found.includes(percy?.id ?? 0), search).toBe(search !== '77010');
  }
  expect(await peopleBy('shelley mary')).toMatchObject([{ name: 'Mary Shelley', attends: 1, bought: 0 }]);
  const person = await findPerson(db, anOwner, percy?.id ?? 0);
  expect(person).toMatchObject({
    phones: ['(07) 7010 0142'],
    enrolments: [{ reference, balanceCents: 549_900 }],
    addresses: [{ email: 'percy@bysshe.example' }],
  });
  // What is taken out of an enrolment is found no more.
  await db
    .updateTable('enrolments')
    .set({ buyer_name: 'Erased', email: `erased-${id}@bowerbird.invalid`, phone: null, organisation: 'Erased' })
    .where('id', '=', id)
    .execute();
  for (const search of ['moreton fre', '07 7010 0142']) expect(await peopleBy(search), search).toEqual([]);
});

test('P78: a view is its owner’s alone, and has a name that no other of their views of the list has', async () => {
  const { db } = database;
  const ada = await makeStaff(db, { email: 'ada@views.example', name: 'Ada Byron' }, now.now);
  const grace = await makeStaff(db, { email: 'grace@views.example', name: 'Grace Hopper' }, now.now);
  const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
  const save = (name: string, actor: StaffActor) =>
    inTrx((trx) => saveView(trx, { list: 'enrolments', name, query: 'state=unpaid' }, { actor, at: now.now }));
  const saved = await save('Big buyers', ada.actor);
  if (!saved.ok) return expect.unreachable(saved.reason);
  const { id } = saved;
  expect(await save('BIG buyers', ada.actor)).toEqual({ ok: false, reason: 'name-taken' });
  await save('Small buyers', ada.actor);
  const rename = (actor: StaffActor, name: string) => inTrx((trx) => renameView(trx, { id, name }, actor));
  expect(await rename(ada.actor, 'small Buyers')).toEqual({ ok: false, reason: 'name-taken' });
  expect(await rename(ada.actor, 'Large buyers')).toEqual({ ok: true });
  expect(await savedViews(db, ada.actor, 'enrolments')).toMatchObject([
    { name: 'Large buyers' },
    { name: 'Small buyers' },
  ]);
  expect(await savedViews(db, ada.actor, 'people')).toEqual([]);
  expect(await savedViews(db, grace.actor)).toEqual([]);
  expect(await rename(grace.actor, 'Mine')).toEqual({ ok: false, reason: 'missing' });
  const remove = (actor: StaffActor) => inTrx((trx) => deleteView(trx, id, actor));
  expect(await remove(grace.actor)).toEqual({ ok: false, reason: 'missing' });
  expect(await remove(ada.actor)).toEqual({ ok: true });
  expect(await savedViews(db, ada.actor)).toMatchObject([{ name: 'Small buyers' }]);
});
