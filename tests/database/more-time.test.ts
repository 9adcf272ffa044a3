import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { agreeOnInstalments } from '#app/features/enrolments/agree-instalments.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { queuePaymentReminders, remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

// Another day to pay and reminders of the same debt (P39, P83). What is placed on 8 September is due on the 22nd.
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
async function placed(): Promise<number> {
  const courseDate = await makeCourseDate(database.db, { startsOn: '2025-11-24' });
  const { enrolmentId } = await placeIn(database.db, courseDate);
  await database.db.deleteFrom('mails').execute();
  return enrolmentId;
}
const agreeDay = async (enrolmentId: number, dueOn: string, when: string) => {
  const { id: invoiceId, total_cents: cents } = await database.db
    .selectFrom('tax_invoices')
    .select(['id', 'total_cents'])
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const agreed = { enrolmentId, invoiceId, instalments: [{ dueOn, cents }], actor: theProgram };
  return inTrx((trx) => agreeOnInstalments(trx, agreed, momentAt(when)));
};
const reminders = () =>
  database.db.selectFrom('mails').select('state').where('kind', '=', 'payment-reminder').orderBy('queued_at').execute();

test('P83: a reminder that waits does not go out once another day is agreed, and a later one is not held back by it', async () => {
  const enrolmentId = await placed();
  const reminded = await inTrx((trx) =>
    remindNow(trx, { enrolmentId, actor: theProgram }, momentAt('2025-09-25T09:00')),
  );
  expect(reminded).toMatchObject({ ok: true });
  expect(await agreeDay(enrolmentId, '2025-10-20', '2025-09-25T09:01')).toMatchObject({ ok: true });
  // It said that the sum is overdue.
  expect(await reminders()).toEqual([{ state: 'dropped' }]);
  expect(await database.db.selectFrom('payment_reminders').selectAll().execute()).toEqual([]);
  await queuePaymentReminders(database.db, momentAt('2025-10-16T09:00'));
  expect(await reminders()).toHaveLength(1);
  await queuePaymentReminders(database.db, momentAt('2025-10-17T09:00'));
  expect(await reminders()).toEqual([{ state: 'dropped' }, { state: 'queued' }]);
});

test('P39: a waiting reminder is not sent once its sum has changed, and the rest is asked for the same day', async () => {
  const enrolmentId = await placed();
  const today = momentAt('2025-09-25T09:00');
  const texts = async () => {
    const mails = database.db.selectFrom('mails').select(['state', 'body_text']).where('kind', '=', 'payment-reminder');
    return (await mails.orderBy('queued_at').orderBy('state').execute()).map(
      ({ state, body_text }) => `${state} ${/AU\$[\d,.]*\d/.exec(body_text)?.[0]}`,
    );
  };
  await queuePaymentReminders(database.db, today);
  expect(await texts()).toEqual(['queued AU$5,499']);
  await receive(database.db, enrolmentId, 200_000, today);
  await queueReceipts(database.db, momentAt('2025-09-25T09:01'));
  await queuePaymentReminders(database.db, momentAt('2025-09-25T09:02'));
  expect(await texts()).toEqual(['dropped AU$5,499', 'queued AU$3,499']);
  const place = await database.db
    .selectFrom('places')
    .select(['id', 'course_date_id'])
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const actor = theProgram;
  const less = { enrolmentId, placeIds: [place.id], cents: 49_900, reason: 'A late start', refundOf: null, actor };
  const given = await inTrx((trx) =>
    giveDiscount(trx, { ...less, idempotencyKey: 'late-start' }, momentAt('2025-09-25T09:03')),
  );
  expect(given).toMatchObject({ ok: true });
  await queuePaymentReminders(database.db, momentAt('2025-09-25T09:04'));
  expect(await texts()).toEqual(['dropped AU$5,499', 'dropped AU$3,499', 'queued AU$3,000']);
  const courseDateId = place.course_date_id ?? 0;
  const cancelled = await inTrx((trx) =>
    cancelCourseDateAndAsk(trx, courseDateId, actor, momentAt('2025-09-25T09:05')),
  );
  expect(cancelled).toMatchObject({ ok: true });
  await queuePaymentReminders(database.db, momentAt('2025-09-26T09:00'));
  expect(await texts()).toEqual(['dropped AU$5,499', 'dropped AU$3,499', 'dropped AU$3,000']);
});

test('P83: the day on which another day is agreed brings the letter that says so, and no reminder', async () => {
  const enrolmentId = await placed();
  await agreeDay(enrolmentId, '2025-09-27', '2025-09-25T09:00');
  await queuePaymentReminders(database.db, momentAt('2025-09-25T09:30'));
  expect(await reminders()).toEqual([]);
  await queuePaymentReminders(database.db, momentAt('2025-09-26T09:30'));
  expect(await reminders()).toHaveLength(1);
});

test('P39: a reminder of what the bank of a card took back says so, until it is paid again', async () => {
  const { db } = database;
  const enrolmentId = await placed();
  const at = momentAt('2025-09-09T09:00').now;
  const payment = { enrolmentId, amountCents: 549_900, receivedOn: '2025-09-09', method: 'card' } as const;
  await inTrx(async (trx) => {
    const by = { actor: theProgram, at };
    const { paymentId } = await recordPayment(trx, { ...payment, ...by, idempotencyKey: 'pi_1' });
    const taken = { paymentId, amountCents: 549_900, reason: 'Disputed by the cardholder', idempotencyKey: 'dp_1' };
    const refund = await recordRefund(trx, { ...taken, ...by });
    if (!refund.ok) return expect.unreachable(refund.reason);
    const facts = { stripe_id: 'dp_1', payment_id: paymentId, refund_id: refund.refundId, amount_cents: 549_900 };
    const dispute = { ...facts, status: 'needs_response', reason: 'fraudulent', opened_at: at, changed_at: at };
    await trx.insertInto('card_disputes').values(dispute).execute();
  });
  await queuePaymentReminders(db, momentAt('2025-09-25T09:00'));
  const reminder = () =>
    db
      .selectFrom('mails')
      .select('body_text')
      .where('kind', '=', 'payment-reminder')
      .orderBy('queued_at', 'desc')
      .executeTakeFirstOrThrow();
  expect((await reminder()).body_text).toContain('The bank of the card took AU$5,499 back');
  expect((await reminder()).body_text).not.toContain('We have not seen your payment yet');
  await db.deleteFrom('mails').execute();
  await receive(db, enrolmentId, 500_000, momentAt('2025-09-26T09:00'));
  await queuePaymentReminders(db, momentAt('2025-10-02T09:00'));
  expect((await reminder()).body_text).toContain('We have not seen your payment yet');
});
