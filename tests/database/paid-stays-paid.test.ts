import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { agreeOnInstalments } from '#app/features/enrolments/agree-instalments.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { confirmCourseDateAndTell } from '#app/features/enrolments/course-date-changes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { attendee, type CourseDateWish, makeCourseDate, momentAt, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

// P39: money stays with the invoice that it paid. What is placed on 8 September is due on the 22nd.
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const openOf = async (enrolmentId: number) =>
  (await openInvoices(database.db, enrolmentId)).map(({ facts, openCents }) => [facts.number, openCents]);
const price = 549_900;

async function placed(wish: CourseDateWish = {}) {
  const courseDate = await makeCourseDate(database.db, { startsOn: '2025-11-24', ...wish });
  return { courseDate, ...(await placeIn(database.db, courseDate)) };
}

function add(enrolmentId: number, courseDate: { id: number; courseId: number }, when: string) {
  const addition = { enrolmentId, choices: [seatIn(courseDate)], attendee: attendee(), shownCents: price };
  return inTrx((trx) => addAttendee(trx, { ...addition, actor: theProgram }, momentAt(when)));
}

test('an invoice that was paid in instalments stays paid when a later one is due sooner', async () => {
  const { enrolmentId, courseDate } = await placed();
  const [invoice] = await openInvoices(database.db, enrolmentId);
  const instalments = [
    { dueOn: '2025-09-22', cents: 149_900 },
    { dueOn: '2025-10-20', cents: 400_000 },
  ];
  const agreement = { enrolmentId, invoiceId: invoice?.id ?? 0, instalments, actor: theProgram };
  expect(await inTrx((trx) => agreeOnInstalments(trx, agreement, momentAt('2025-09-08T10:00')))).toMatchObject({
    ok: true,
  });
  await receive(database.db, enrolmentId, price, momentAt('2025-09-08T11:00'));
  expect(await openOf(enrolmentId)).toEqual([]);
  expect(await add(enrolmentId, courseDate, '2025-09-09T09:00')).toMatchObject({ ok: true });
  expect(await openOf(enrolmentId)).toEqual([['INV-00002', price]]);
  const mails = database.db
    .selectFrom('mails')
    .select('body_text')
    .where('queued_at', '>', momentAt('2025-09-09T08:00').now);
  const texts = (await mails.execute()).map(({ body_text }) => body_text.replaceAll(/\s+/g, ' '));
  expect(texts.filter((text) => text.includes('Please pay AU$5,499 incl. GST by '))).not.toEqual([]);
  expect(texts.filter((text) => text.includes('You owe nothing'))).toEqual([]);
});

test('an invoice that was paid stays paid when the date of another is confirmed and falls due before it', async () => {
  const { enrolmentId, courseDate } = await placed({ minimum: 4, decidedBy: '2025-11-10' });
  const sure = await makeCourseDate(database.db, { startsOn: '2025-12-01' });
  expect(await add(enrolmentId, sure, '2025-09-10T09:00')).toMatchObject({ ok: true });
  await receive(database.db, enrolmentId, price, momentAt('2025-09-11T09:00'));
  // It is due; the other waits for its date.
  expect(await openOf(enrolmentId)).toEqual([['INV-00001', price]]);
  await inTrx((trx) => confirmCourseDateAndTell(trx, courseDate.id, theProgram, momentAt('2025-09-12T09:00')));
  expect(await openOf(enrolmentId)).toEqual([['INV-00001', price]]);
});

test('an invoice that replaces a paid one is paid, and a sum taken off one goes to an open one', async () => {
  const { enrolmentId, courseDate } = await placed();
  await receive(database.db, enrolmentId, price, momentAt('2025-09-08T11:00'));
  expect(await add(enrolmentId, courseDate, '2025-09-09T09:00')).toMatchObject({ ok: true });
  const { buyerName, email, phone } = await readEnrolment(database.db, enrolmentId);
  const payer = { kind: 'person' as const, address: null };
  const correction = { enrolmentId, name: `${buyerName} Godwin`, email, phone, payer, actor: theProgram };
  expect(await inTrx((trx) => correctBuyer(trx, correction, momentAt('2025-09-09T10:00')))).toMatchObject({ ok: true });
  expect(await openInvoices(database.db, enrolmentId)).toMatchObject([
    { facts: { replaces: 'INV-00002' }, openCents: price },
  ]);
  const [first] = (await readEnrolment(database.db, enrolmentId)).places;
  const all = { enrolmentId, placeIds: [first?.id ?? 0], why: 'buyer', shownCents: null } as const;
  expect(await inTrx((trx) => cancelPlaces(trx, all, momentAt('2025-09-09T11:00')))).toMatchObject({ ok: true });
  expect(await openOf(enrolmentId)).toEqual([]);
});
