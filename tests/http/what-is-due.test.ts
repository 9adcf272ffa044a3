import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

const opening = momentAt('2025-09-08T09:00');
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const read = async (path: string) => mainText(await academy.request(path));
const staffRead = async (path: string) => mainText(await ada.get(path));
const transaction = () => academy.database.db.transaction();

/** A course date that the pages know, with its address. */
async function courseDate(wish: Parameters<typeof makeCourseDate>[1]) {
  const made = await makeCourseDate(academy.database.db, wish);
  const { slug } = await academy.database.db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  await until(() => academy.services.snapshot.current().courseDates.some(({ id }) => id === made.id));
  return { ...made, slug };
}
let visitors = 0;
/** Fills everything in up to the review of one person on a date of cissp. */
async function reviewOf(slug: string, fields: Record<string, string> = {}) {
  const one = visitor(academy, `198.51.100.${++visitors}`);
  const draft = await one.choose(`courseDate=${slug}`, { 'way-cissp': `course-date:${slug}`, ...fields });
  await one.fillIn(draft, `visitor${visitors}@example.com`);
  return { ...one, draft };
}

test('the review says what the press does: it confirms the course date when the seats reach its minimum', async () => {
  const tentative = { minimum: 2, decidedBy: '2025-11-10', startsOn: '2025-12-01' };
  const [first, last] = [await courseDate(tentative), await courseDate({ ...tentative, startsOn: '2025-12-08' })];
  const { draft, read: open, place } = await reviewOf(first.slug);
  const waits = await open(`${draft}/review`);
  expect(waits).toContain('Nothing is due before the date is confirmed, and not before Monday 22 September 2025.');
  expect(waits).toContain('Until the date is confirmed, nothing is due for it, and it gives back all of its price.');
  const undecided = await read((await place(draft)).headers.get('Location') ?? '');
  expect(undecided).toContain('Nothing to pay before the date is confirmed We email you when we have confirmed it.');
  expect(undecided).toContain('Then AU$5,499 incl. GST is due, and not before Monday 22 September 2025.');
  expect(undecided).not.toMatch(/will be due by|Pay AU/);

  await placeIn(academy.database.db, last);
  await until(() =>
    academy.services.snapshot.current().courseDates.some(({ id, seatsSold }) => id === last.id && seatsSold === 1),
  );
  const reaches = await reviewOf(last.slug);
  const review = await reaches.read(`${reaches.draft}/review`);
  expect(review).toContain('You pay by Monday 22 September 2025, by bank transfer.');
  expect(review).toContain('so we confirm the date at once');
  expect(review).toContain('Confirmed with your enrolment');
  expect(review).not.toMatch(/Nothing is due before|cancelling is free|Confirmed once/);
  const placed = await reaches.place(reaches.draft);
  const done = await read(placed.headers.get('Location') ?? '');
  expect(done).toContain('Pay AU$5,499 by Monday 22 September 2025');
});

test('the review of guided study says nothing of course dates', async () => {
  const one = visitor(academy, '198.51.100.200');
  const draft = await one.choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-10-13' });
  await one.fillIn(draft, 'guided@example.com');
  const review = await one.read(`${draft}/review`);
  expect(review).toContain('You pay by Monday 22 September 2025, by bank transfer.');
  expect(review).not.toMatch(/course date is confirmed|before a course date/);
});

test('H15: the page after enrolling shows a place that was moved once, at its price, and its payment', async () => {
  const { db } = academy.database;
  const [from, to] = [await courseDate({ startsOn: '2025-11-17' }), await courseDate({ startsOn: '2026-01-19' })];
  const { draft, place } = await reviewOf(from.slug);
  const path = (await place(draft)).headers.get('Location') ?? '';
  const { id } = await db.selectFrom('enrolments').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const { places } = await readEnrolment(db, id);
  const move = { enrolmentId: id, placeId: places[0]?.id ?? 0, toCourseDateId: to.id, actor: theBuyer } as const;
  await transaction().execute((trx) => transferPlace(trx, move, opening));
  const done = await read(path);
  expect(done).toContain('19 to 23 January 2026');
  expect(done).not.toMatch(/17 to 21 November|AU\$10,998|Ada Byron and Ada Byron/);
  expect(done).toContain('Pay AU$5,499 by ');
  await db
    .insertInto('payments')
    .values({
      enrolment_id: id,
      amount_cents: 549_900,
      received_on: '2025-09-08',
      method: 'bank',
      source: 'paid',
      recorded_at: opening.now,
    })
    .execute();
  expect(await read(path)).toContain('The invoice is paid. You owe nothing.');
});

test('P100: nothing on the buyer’s page calls cancelling free when nothing would come back after a move', async () => {
  const { db } = academy.database;
  const from = await courseDate({ startsOn: '2025-09-11' });
  const to = await courseDate({ startsOn: '2026-02-02', minimum: 4, decidedBy: '2026-01-12' });
  const { enrolmentId, token } = await placeIn(db, from);
  const { places } = await readEnrolment(db, enrolmentId);
  const move = { enrolmentId, placeId: places[0]?.id ?? 0, toCourseDateId: to.id, actor: theBuyer } as const;
  const later = momentAt('2025-09-10T10:00');
  await transaction().execute((trx) => transferPlace(trx, { ...move }, later));
  academy.setNow(later.now);
  const page = await read(`/enrolment/${token}`);
  academy.setNow(opening.now);
  expect(page).toContain('Until then nothing is due');
  expect(page).toContain('AU$0 back , if you cancel today');
  expect(page).not.toMatch(/cancelling is free/);
});

test('another date is offered only where there is one', async () => {
  const { db } = academy.database;
  const course = 'comptia-security-plus';
  await db
    .updateTable('course_dates')
    .set({ state: 'cancelled' })
    .where('course_id', '=', (query) => query.selectFrom('courses').select('id').where('slug', '=', course))
    .execute();
  const alone = await courseDate({ course, startsOn: '2025-12-01' });
  const { enrolmentId, token } = await placeIn(db, alone);
  await until(
    () =>
      academy.services.snapshot
        .current()
        .courseDates.filter((one) => one.course.slug === course && one.state !== 'cancelled').length === 1,
  );
  expect(await read(`/enrolment/${token}`)).not.toContain('Another date');
  await transaction().execute((trx) => cancelCourseDateAndAsk(trx, alone.id, theProgram, opening));
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  const choose = `/enrolment/${token}/choose/${place?.id}`;
  expect(await read(choose)).toContain('No other date of this course has a free seat now.');
  expect(await read(`/enrolment/${token}`)).not.toContain('another date');
  await courseDate({ course, startsOn: '2025-12-08' });
  expect(await read(choose)).toContain('See the dates');
  expect(await read(`/enrolment/${token}`)).toContain('Take another date, or have a full refund.');
});

test('staff see the amounts due by day, the price as a price, and send a reminder once a day', async () => {
  const { db } = academy.database;
  const { reference, enrolmentId } = await placeIn(db, await courseDate({ startsOn: '2025-12-15' }));
  const path = `/staff/enrolments/${reference}`;
  const page = await staffRead(path);
  expect(page).toContain('Mon 22 Sept 2025 Due, 14 days after the invoice 5,499.00');
  expect(page).not.toMatch(/Paid for it|every course date of it/);
  const asking = await (await ada.get(`${path}/remind`)).text();
  expect(asking).toContain('Payment is due soon');
  const remind = () => ada.post(`${path}/remind`, carriedBy(asking, 'remind'));
  expect((await remind()).status).toBe(303);
  expect(await staffRead(`${path}/remind`)).toContain('You can send the next one tomorrow.');
  const seen = /name="seen" value="(\d+)"/.exec(await (await ada.get(path)).text())?.[1] ?? '';
  const again = await ada.post(`${path}/remind`, { ...carriedBy(asking, 'remind'), seen, form: crypto.randomUUID() });
  expect([again.status, await mainText(again)]).toEqual([
    409,
    expect.stringContaining('You can send the next one tomorrow.'),
  ]);
  const { email } = await readEnrolment(db, enrolmentId);
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', email)
    .where('kind', '=', 'payment-reminder')
    .execute();
  expect(mails).toHaveLength(1);
  expect(await staffRead(path)).toContain('sent a reminder of what is due');

  // Taken back within its minute it was none: the next one can go on the same day.
  const sent = await (await ada.get(path)).text();
  expect(sent).toContain('in a minute.');
  const takingBack = { ...carriedBy(sent, 'take-back'), mail: mails[0]?.id ?? '' };
  expect((await ada.post(path, takingBack)).status).toBe(303);
  expect(await staffRead(path)).toContain('took an email back before it went out');
  const seenThen = /name="seen" value="(\d+)"/.exec(await (await ada.get(path)).text())?.[1] ?? '';
  const twice = await ada.post(path, { ...takingBack, form: crypto.randomUUID(), seen: seenThen });
  expect([twice.status, await mainText(twice)]).toEqual([409, expect.stringContaining('It is too late')]);
  expect(await staffRead(`${path}/remind`)).toContain('Payment is due soon');

  const waiting = await courseDate({ startsOn: '2025-12-22', minimum: 4, decidedBy: '2025-12-01' });
  const undecided = await placeIn(db, waiting);
  const other = await staffRead(`/staff/enrolments/${undecided.reference}`);
  expect(other).toContain('Not due before the course date is confirmed 5,499.00');
  expect(other).not.toContain('Send a reminder');
  const list = await staffRead(`/staff/enrolments?search=${undecided.reference}`);
  for (const text of ['5,499.00', 'Not due yet']) expect(list).toContain(text);
});

test('P30: a price that staff lower is told to the buyer with the adjustment note', async () => {
  const { db } = academy.database;
  const { reference, enrolmentId } = await placeIn(db, await courseDate({ startsOn: '2025-12-15' }));
  const { email, places } = await readEnrolment(db, enrolmentId);
  const path = `/staff/enrolments/${reference}/discount`;
  const why = { discountWhy: 'A day of the course was lost', refundOf: '' };
  const fields = { place: String(places[0]?.id), discount: '499', ...why };
  const sent = await ada.post(path, { ...carriedBy(await (await ada.get(path)).text(), 'discount'), ...fields });
  expect(sent.status).toBe(303);
  const [mail] = await db
    .selectFrom('mails')
    .select(['body_text', 'attachments'])
    .where('recipient', '=', email)
    .where('kind', '=', 'adjustment-note')
    .execute();
  expect(mail?.body_text).toContain('by AU$499 incl. GST: A day of the course was lost');
  expect(mail?.body_text).toContain('AU$5,000 incl. GST is still to pay.');
  expect(mail?.attachments).toEqual([
    { filename: expect.stringMatching(/^ADJ-/), document: expect.stringMatching(/^adjustment-note:/) },
  ]);
});
