import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import type { Order } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { offerByHand } from '#app/features/enrolments/waiting/offers.server.ts';
import { documentOf } from '#app/features/money/accounts.server.ts';
import { dividePayment } from '#app/features/money/divide-payment.server.ts';
import { assignPayment, failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { drawInTest } from '#tests/support/drawing.ts';
import { agreeToInvoices, attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

/** cissp, the course of `makeCourseDate`. */
const price = 549_900;
const opening = momentAt('2025-09-08T09:00');
const { now: at } = opening;
const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const by = () => ({ actor: theProgram, at, idempotencyKey: crypto.randomUUID() });
let companies = 0;
/** A company of its own with an address for its invoices. */
function company(): { payer: Order['payer']; accounts: string } {
  const accounts = `accounts${++companies}@example.com`;
  const organisation = { organisation: 'Analytical Engines', abn: null, address: null, purchaseOrder: null };
  return { payer: { kind: 'organisation', ...organisation, accountsEmail: accounts }, accounts };
}
async function placed(parts: Partial<Order> = {}, courseDate?: { id: number; courseId: number }) {
  const { payer, accounts } = company();
  const { enrolmentId } = await placeIn(database.db, courseDate ?? (await makeCourseDate(database.db)), {
    payer,
    ...parts,
  });
  const { email, reference, places, accountsEmail, accountsConfirmed } = await readEnrolment(database.db, enrolmentId);
  if (accountsEmail && !accountsConfirmed) await agreeToInvoices(database.db, accountsEmail);
  return { id: enrolmentId, email, reference, accounts, placeIds: places.map((place) => place.id) };
}
async function mailsTo(address: string, kind: string) {
  return database.db
    .selectFrom('mails')
    .select(['subject', 'body_text as text', 'attachments', 'links'])
    .where('recipient', '=', address)
    .where('kind', '=', kind)
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
}
const receiptsTo = (address: string) => mailsTo(address, 'money-receipt');
const receive = (enrolmentId: number | null, amountCents: number, method: 'bank' | 'card' | 'other' = 'bank') =>
  transaction((trx) => recordPayment(trx, { ...by(), enrolmentId, amountCents, receivedOn: '2025-09-15', method }));
const cancel = (enrolmentId: number, placeIds: number[], when = opening) =>
  transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null }, when));
const namesOf = (attachments: unknown) =>
  (attachments as { filename: string }[]).map(({ filename }) => filename.slice(0, 3));

test('P39: payments of one act are one receipt, to the buyer and the accounts address, with the remaining debt', async () => {
  const { id, email, accounts } = await placed();
  await transaction(async (trx) => {
    for (const amountCents of [100_000, 50_000]) {
      await recordPayment(trx, { ...by(), enrolmentId: id, amountCents, receivedOn: '2025-09-15', method: 'bank' });
    }
  });
  await queueReceipts(database.db, opening);
  await queueReceipts(database.db, opening);
  const [receipt, ...more] = await receiptsTo(email);
  expect(more).toEqual([]);
  expect(receipt?.text).toContain('AU$1,000, Monday 15 September 2025, by bank transfer');
  expect(receipt?.text).toContain('AU$500, Monday 15 September 2025, by bank transfer');
  expect(receipt?.text).toContain('AU$3,999 incl. GST is still to pay.');
  expect(receipt?.text).toMatch(/INV-\d+: AU\$3,999 is due by Monday 22 September 2025/);
  expect([receipt?.links, receipt?.text.includes(`{enrolment:${id}}`)]).toEqual([[`enrolment:${id}`], true]);
  const [copy] = await receiptsTo(accounts);
  expect([copy?.text.includes('AU$1,000'), copy?.text.includes('/enrolment/')]).toEqual([true, false]);
  await receive(id, price - 150_000, 'card');
  await queueReceipts(database.db, opening);
  const [, last] = await receiptsTo(email);
  expect(last?.text).toContain('AU$3,999, Monday 15 September 2025, by card');
  expect(last?.text).toContain('You owe nothing more.');
});

test('P39: a payment without an enrolment is told when it is assigned, and again when that is undone', async () => {
  const { id, email } = await placed();
  const { paymentId } = await receive(null, price);
  await queueReceipts(database.db, opening);
  expect(await receiptsTo(email)).toEqual([]);
  const assign = () => transaction((trx) => assignPayment(trx, { ...by(), paymentId, enrolmentId: id }));
  const undo = () =>
    database.db.updateTable('payments').set({ enrolment_id: null }).where('id', '=', paymentId).execute();
  await assign();
  await undo();
  await queueReceipts(database.db, opening);
  // Undone before anybody was told: nothing to say.
  expect(await receiptsTo(email)).toEqual([]);
  await assign();
  await queueReceipts(database.db, opening);
  await undo();
  await queueReceipts(database.db, opening);
  const mails = await receiptsTo(email);
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual(['Payment received', 'Payment corrected']);
  expect(mails[1]?.text).toContain('by mistake');
  expect(mails[1]?.text).toContain('AU$5,499 incl. GST is still to pay.');
});

test('P39: a refund is told when it was sent; by card when Stripe has taken it; a failed one only to staff', async () => {
  const { db } = database;
  const { id, email } = await placed();
  const { paymentId } = await receive(id, price + 10_000);
  await transaction((trx) => recordRefund(trx, { ...by(), paymentId, amountCents: 10_000, reason: 'Paid too much' }));
  await queueReceipts(db, opening);
  const [both] = await receiptsTo(email);
  expect(both?.subject).toContain('Payments and refunds');
  expect(both?.text).toContain('AU$100, Monday 8 September 2025, to your bank account');

  const card = await placed();
  const source = `pi_${crypto.randomUUID()}`;
  const paid = await transaction((trx) =>
    recordPayment(trx, {
      ...by(),
      idempotencyKey: source,
      enrolmentId: card.id,
      amountCents: price,
      receivedOn: '2025-09-08',
      method: 'card',
    }),
  );
  await queueReceipts(db, opening);
  const send = (amountCents: number) =>
    transaction((trx) => recordRefund(trx, { ...by(), paymentId: paid.paymentId, amountCents, reason: 'Cancelled' }));
  const [taken, refused] = [await send(10_000), await send(20_000)];
  if (!taken.ok || !refused.ok) return expect.unreachable();
  await queueReceipts(db, opening);
  expect(await receiptsTo(card.email)).toHaveLength(1);
  await db.insertInto('card_refunds').values({ refund_id: taken.refundId, stripe_id: 're_1', tried_at: at }).execute();
  await transaction((trx) => failRefund(trx, { ...by(), refundId: refused.refundId }));
  await queueReceipts(db, opening);
  await queueReceipts(db, opening);
  const [, refund, ...more] = await receiptsTo(card.email);
  expect([refund?.text.includes('AU$100, Monday 8 September 2025, to your card'), more]).toEqual([true, []]);
  expect(refund?.text).not.toContain('AU$200');
  expect(await db.selectFrom('money_to_tell').selectAll().execute()).toEqual([]);
});

test('P39: money a cardholder’s bank takes back is no refund of ours', async () => {
  const { db } = database;
  const { id, email } = await placed();
  const { paymentId } = await receive(id, price, 'card');
  await queueReceipts(db, opening);
  await transaction(async (trx) => {
    const refund = await recordRefund(trx, { ...by(), paymentId, amountCents: price, reason: 'Disputed' });
    if (!refund.ok) return expect.unreachable();
    await trx
      .insertInto('card_disputes')
      .values({
        stripe_id: 'dp_1',
        payment_id: paymentId,
        refund_id: refund.refundId,
        amount_cents: price,
        status: 'needs_response',
        reason: 'fraudulent',
        opened_at: at,
        changed_at: at,
      })
      .execute();
  });
  await queueReceipts(db, opening);
  expect(await receiptsTo(email)).toHaveLength(1);
});

test('P30: corrected details bring note and new invoice in one mail, to buyer and accounts address', async () => {
  const { id, email, accounts } = await placed();
  const organisation = { organisation: 'Analytical Engines', abn: null, address: null, purchaseOrder: null };
  const to = (accountsEmail: string) => ({ kind: 'organisation', ...organisation, accountsEmail }) as const;
  const correction = {
    enrolmentId: id,
    name: 'Grace B. Hopper',
    phone: null,
    payer: to(accounts),
    actor: theBuyer,
  } as const;
  await transaction((trx) => correctBuyer(trx, correction, opening));
  for (const address of [email, accounts]) {
    const [mail, ...more] = await mailsTo(address, 'buyer-corrected');
    expect([namesOf(mail?.attachments), more]).toEqual([['INV', 'ADJ'], []]);
    for (const { document } of (mail?.attachments ?? []) as { document: string }[]) {
      const drawn = await documentOf(database.db, document, drawInTest);
      expect(drawn.ok && Buffer.from(drawn.bytes).toString('latin1', 0, 5)).toBe('%PDF-');
    }
  }
  // Another address that staff name needs nobody's agreement, and gets everything so far once instead of the correction.
  const { accounts: other } = company();
  const staff = { ...correction, name: 'Grace Hopper', payer: to(other), actor: theProgram } as const;
  await transaction((trx) => correctBuyer(trx, staff, opening));
  expect([await mailsTo(other, 'accounts-address'), await mailsTo(other, 'buyer-corrected')]).toEqual([[], []]);
  const [all, ...more] = await mailsTo(other, 'accounts-documents');
  expect([namesOf(all?.attachments), more]).toEqual([['INV', 'INV', 'INV', 'ADJ', 'ADJ'], []]);
  expect(await mailsTo(accounts, 'buyer-corrected')).toHaveLength(1);
  // What was not delivered to the former address is taken back: staff could send it again for 90 days.
  const waiting = async (address: string) => {
    const mails = database.db.selectFrom('mails').select(['kind', 'links']).where('recipient', '=', address);
    const rows = await mails.where('state', 'in', ['queued', 'failed']).execute();
    return rows.filter(({ links }) => links.length === 0);
  };
  expect(await waiting(accounts)).toEqual([]);
  expect(await waiting(other)).not.toEqual([]);
});

test('P30: the note of a cancellation goes to the accounts address too, with the remaining debt', async () => {
  const { id, email, accounts, placeIds } = await placed({ attendees: [attendee(), attendee({ name: 'Mary' })] });
  await cancel(id, placeIds.slice(0, 1));
  const [buyers, ...more] = await mailsTo(email, 'place-cancelled');
  expect([namesOf(buyers?.attachments), more]).toEqual([['ADJ'], []]);
  const [copy] = await mailsTo(accounts, 'adjustment-note');
  expect([namesOf(copy?.attachments), copy?.links]).toEqual([['ADJ'], []]);
  for (const text of [buyers?.text, copy?.text]) {
    expect(text).toContain('AU$5,499 incl. GST is still to pay.');
    expect(text).not.toMatch(/refund|comes back|goes back/);
  }
  expect(buyers?.text).toContain('Status: Cancelled');
  expect(buyers?.text).not.toMatch(/Confirmed|Standing/);
  expect(await mailsTo(email, 'adjustment-note')).toEqual([]);
});

test('P100: a buyer who has paid reads that money comes back', async () => {
  const { id, email, placeIds } = await placed();
  await receive(id, price);
  await cancel(id, placeIds, momentAt('2025-10-22T09:00'));
  const [mail] = await mailsTo(email, 'place-cancelled');
  expect(mail?.text).toContain('13 to 7 days before the first day: half of its price.');
  expect(mail?.text).toContain('You have paid AU$2,749.50 more than you owe. We’ll refund it to where it came from.');
});

test('mails to the buyer lead to the enrolment, name no "1 to be named", and know their attachments', async () => {
  const { db } = database;
  const { id, email } = await placed({ attendees: [attendee({ name: null })] });
  const { places } = await readEnrolment(db, id);
  const attendeeId = places[0]?.attendee.id ?? 0;
  await transaction((trx) =>
    changeAttendee(
      trx,
      { enrolmentId: id, attendeeId, attendee: attendee({ name: 'Ada Byron' }), actor: theBuyer },
      opening,
    ),
  );
  const [named] = await mailsTo(email, 'place-attendee-named');
  expect(named?.text).toContain('You have named an attendee');
  expect(named?.text).toContain('Open your enrolment');
  expect(named?.text).not.toMatch(/to be named|Instead of|Open your place|attached|entry/);
  const mary = attendee({ name: 'Mary', email: 'mary@example.com' });
  const renamed = { enrolmentId: id, attendeeId, attendee: mary, actor: theBuyer } as const;
  await transaction((trx) => changeAttendee(trx, renamed, opening));
  expect((await mailsTo(email, 'place-attendee-changed'))[0]?.text).toContain('Instead of: Ada Byron');
});

test('P40: the mail offers "choose another date" only where there is one', async () => {
  const { db } = database;
  const course = 'comptia-security-plus';
  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', course)
    .executeTakeFirstOrThrow();
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('course_id', '=', courseId).execute();
  const [alone, other] = [
    await makeCourseDate(db, { course }),
    await makeCourseDate(db, { course, startsOn: '2025-12-01' }),
  ];
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', '=', other.id).execute();
  const first = await placed({}, alone);
  await transaction((trx) => cancelCourseDateAndAsk(trx, alone.id, theProgram, opening));
  expect((await mailsTo(first.email, 'place-course-date-cancelled'))[0]?.text).toContain(
    'No other date of this course has a free seat now.',
  );
  await db.updateTable('course_dates').set({ state: 'confirmed' }).where('id', '=', other.id).execute();
  const beside = await makeCourseDate(db, { course, startsOn: '2025-11-10' });
  const second = await placed({}, beside);
  await transaction((trx) => cancelCourseDateAndAsk(trx, beside.id, theProgram, opening));
  expect((await mailsTo(second.email, 'place-course-date-cancelled'))[0]?.text).toContain(
    ': another date, or a full refund.',
  );
  // The only other date is full. Its waiting list keeps the last seat for one of two buyers.
  const seats = (capacity: number) =>
    db.updateTable('course_dates').set({ capacity }).where('id', '=', other.id).execute();
  await seats(1);
  await placed({}, other);
  const last = await makeCourseDate(db, { course, startsOn: '2025-11-17' });
  const [kept, none] = [await placed({}, last), await placed({}, last)];
  const wish = { courseId, courseDateId: other.id, seats: 1, name: 'Mary Shelley', email: kept.email };
  const joined = await transaction((trx) => joinWaitingList(trx, wish, opening));
  if (!joined.ok) return expect.unreachable(joined.reason);
  await transaction((trx) => confirmEntry(trx, joined.entryId, opening));
  await seats(2);
  const offer = { entryId: joined.entryId, courseDateId: other.id, seats: 1 };
  const by = { actor: theProgram, reason: 'Asked by telephone' };
  expect(await transaction((trx) => offerByHand(trx, { ...offer, by }, opening))).toEqual({ ok: true });
  await transaction((trx) => cancelCourseDateAndAsk(trx, last.id, theProgram, opening));
  const cancelled = async ({ email }: { email: string }) =>
    (await mailsTo(email, 'place-course-date-cancelled'))[0]?.text;
  expect(await cancelled(kept)).toContain(': another date, or a full refund.');
  expect(await cancelled(none)).toContain('No other date of this course has a free seat now.');
});

test('P40: after a move to a course date not confirmed yet nothing says that cancelling is free', async () => {
  const { db } = database;
  const { id, email, placeIds } = await placed();
  const to = await makeCourseDate(db, { startsOn: '2025-12-01', minimum: 4, decidedBy: '2025-11-10' });
  const late = momentAt('2025-10-31T09:00');
  await transaction((trx) =>
    transferPlace(trx, { enrolmentId: id, placeId: placeIds[0] ?? 0, toCourseDateId: to.id, actor: theBuyer }, late),
  );
  const [moved] = await mailsTo(email, 'place-moved');
  expect(moved?.text).toContain('Goes ahead once 4 have enrolled');
  expect(moved?.text).not.toMatch(/free/);
});

test('P39: the accounts copy says that nothing is due while the date is not confirmed', async () => {
  const courseDate = await makeCourseDate(database.db, { minimum: 4, decidedBy: '2025-10-20' });
  const { actor } = await makeStaff(database.db, { email: 'grace@academy.example', name: 'Grace' }, at);
  const { accounts } = await placed({ actor }, courseDate);
  const [copy] = await mailsTo(accounts, 'invoice-copy');
  expect(copy?.text).toContain('will be due by Monday 22 September 2025, but not before the date is confirmed');
  const confirmed = await placed({ actor });
  expect((await mailsTo(confirmed.accounts, 'invoice-copy'))[0]?.text).toContain(
    'Please pay AU$5,499 incl. GST by Monday 22 September 2025.',
  );
});

test('P39: when a payment that was told is divided, each buyer is told of their part, and again when it is put back', async () => {
  const [first, second] = [await placed(), await placed()];
  const { paymentId } = await receive(first.id, 2 * price);
  const { actor } = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada Byron' }, at);
  await queueReceipts(database.db, opening);
  expect((await receiptsTo(first.email)).length).toBe(1);

  const share = (shares: [number, number][]) =>
    transaction((trx) => dividePayment(trx, { paymentId, shares: new Map(shares), actor, at }));
  expect(
    (
      await share([
        [first.id, price],
        [second.id, price],
      ])
    ).ok,
  ).toBe(true);
  await queueReceipts(database.db, opening);
  const [, corrected, ...more] = await receiptsTo(first.email);
  expect(more).toEqual([]);
  expect(corrected?.text).toContain('AU$10,998');
  expect(corrected?.text).toContain('AU$5,499');
  expect((await receiptsTo(second.email)).map(({ text }) => text)).toEqual([expect.stringContaining('AU$5,499')]);

  expect((await share([[first.id, 2 * price]])).ok).toBe(true);
  await queueReceipts(database.db, opening);
  expect((await receiptsTo(first.email)).length).toBe(3);
  expect((await receiptsTo(second.email)).at(-1)?.subject).toContain('Payment corrected');

  // Divided and put together again before anybody was told: nobody hears of it.
  expect(
    (
      await share([
        [first.id, price],
        [second.id, price],
      ])
    ).ok,
  ).toBe(true);
  expect((await share([[first.id, 2 * price]])).ok).toBe(true);
  await queueReceipts(database.db, opening);
  expect([(await receiptsTo(first.email)).length, (await receiptsTo(second.email)).length]).toEqual([3, 2]);
});
