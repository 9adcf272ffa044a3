import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOffers, eraseOffersDaily, remindOfOffers } from '#app/features/companies/jobs.server.ts';
import { companyRecords } from '#app/features/companies/personal-records.server.ts';
import { sendOffer } from '#app/features/companies/send-offer.server.ts';
import { writeOfferDraft } from '#app/features/companies/write-draft.server.ts';
import { seatsQuotedTo } from '#app/features/course-dates/draft-holds.server.ts';
import { priceOfCourse } from '#app/features/money/pricing.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { exportHeld } from '#server/personal-records.ts';
import { makeCourseDate, momentAt, seatIn, seatsLeftIn, termsId } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const opening = momentAt('2025-09-08T09:00');
let customers = 0;
type Wish = { people?: number; network?: string; email?: string; dateId?: { id: number; courseId: number } };

/** A customer's own quote, sent on the opening day with seats held for 48 hours. */
async function quoted({ people = 2, network, email = `ada@customer${++customers}.example`, dateId }: Wish = {}) {
  const { db } = database;
  const date = dateId ?? (await makeCourseDate(db, { capacity: 40 }));
  const course = await db
    .selectFrom('courses')
    .select(['id', 'title', 'price_cents'])
    .where('id', '=', date.courseId)
    .executeTakeFirstOrThrow();
  const prices = priceOfCourse({ ...course, priceId: null, priceCents: course.price_cents });
  const terms = await termsId(db);
  return db.transaction().execute(async (trx) => {
    const to = { name: 'Ada Byron', email, organisation: 'Councilworks', abn: null, address: null };
    const choice = { comboId: null, people, choices: [seatIn(date)], prices, lastDay: '2025-09-22' };
    const wish = { ...to, ...choice, hold: 'two-days', termsId: terms, actor: theBuyer } as const;
    const offerId = await writeOfferDraft(trx, wish, opening.now);
    const sending = { offerId, actor: theBuyer, prices, termsId: terms, secret: 'x', ...(network && { network }) };
    const sent = await sendOffer(trx, sending, opening);
    if (!sent.ok) throw new Error(sent.reason);
    return { ...sent, offerId, date, email };
  });
}
const read = (id: number) => database.db.selectFrom('offers').selectAll().where('id', '=', id).executeTakeFirst();
const mailsOf = (email: string) =>
  database.db.selectFrom('mails').select('kind').where('recipient', '=', email).orderBy('queued_at').execute();

test('P111: an offer ends by itself after its last day, gives its seats back, and stays declined when it was', async () => {
  const { offerId, date } = await quoted();
  expect(await seatsLeftIn(database.db, date.id)).toBe(38);
  expect(await endOffers(database.db, momentAt('2025-09-22T23:59'))).toBe(0);
  expect(await endOffers(database.db, momentAt('2025-09-23T00:00'))).toBe(1);
  expect(await read(offerId)).toMatchObject({ state: 'over' });
  expect(await seatsLeftIn(database.db, date.id)).toBe(40);
});

test('P111: its customer reads once that it ends in three days', async () => {
  const { email } = await quoted();
  await remindOfOffers(database.db, momentAt('2025-09-18T09:00'));
  expect((await mailsOf(email)).map(({ kind }) => kind)).toEqual(['offer-sent']);
  await remindOfOffers(database.db, momentAt('2025-09-19T09:00'));
  await remindOfOffers(database.db, momentAt('2025-09-20T09:00'));
  expect((await mailsOf(email)).map(({ kind }) => kind)).toEqual(['offer-sent', 'offer-over-soon']);
});

test('P112: twelve seats a network are held for quotes, six a person, and each date once in two weeks', async () => {
  const network = 'a network';
  const date = await makeCourseDate(database.db, { capacity: 40 });
  const first = await quoted({ people: 6, network, dateId: date });
  await quoted({ people: 1, network, email: first.email, dateId: date });
  await quoted({ people: 6, network, dateId: date });
  await quoted({ people: 1, network, dateId: date });
  expect(await seatsQuotedTo(database.db, network, opening.now)).toBe(12);
  expect(await seatsLeftIn(database.db, date.id)).toBe(28);
});

test('P111: what was sent stays as it is, also for who writes SQL', async () => {
  const { offerId } = await quoted();
  const change = database.db.updateTable('offers').set({ total_cents: 1 }).where('id', '=', offerId).execute();
  await expect(change).rejects.toThrow('was sent and stays as it is');
});

test('P111: numbers have no gaps, whatever is rolled back', async () => {
  const { number } = await quoted();
  const small = await makeCourseDate(database.db, { capacity: 1 });
  await expect(quoted({ people: 2, dateId: small })).rejects.toThrow('course-date-full');
  expect((await quoted()).number).toBe(number + 1);
});

test('P58: a person reads the quotes to them and takes them away; an accepted one waits for its enrolment', async () => {
  const { db } = database;
  const { email, offerId } = await quoted();
  const person = await findHeldPerson(db, email);
  const held = await exportHeld(db, person);
  expect(held[companyRecords.name]).toMatchObject([{ as: 'customer', name: 'Ada Byron', number: expect.any(Number) }]);
  const erased = await db.transaction().execute((trx) => companyRecords.erase(trx, person, opening.now));
  expect([erased.count, await read(offerId)]).toEqual([1, undefined]);
});

test('P111: an offer that nobody accepted is erased as long after its end as an enquiry', async () => {
  const { offerId } = await quoted();
  await endOffers(database.db, momentAt('2025-09-23T00:00'));
  await eraseOffersDaily(database.db, momentAt('2026-01-10T09:00').now);
  expect(await read(offerId)).toBeDefined();
  await eraseOffersDaily(database.db, momentAt('2030-01-10T09:00').now);
  expect(await read(offerId)).toBeUndefined();
});
