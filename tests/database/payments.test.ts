import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmCourseDateAndTell } from '#app/features/enrolments/course-date-changes.server.ts';
import { accountOf, documentsOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { cardTroubles } from '#app/features/money/card/troubles.server.ts';
import { agreeInstalments } from '#app/features/money/instalments.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { assignPayment, failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { paymentsToReview, type ReviewPart } from '#app/features/money/payments-to-review.server.ts';
import { type StaffActor, theProgram } from '#app/features/people/actor.ts';
import { until } from '#scripts/support/until.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

const today = '2025-09-08';
const at = new Date('2025-09-08T09:00:00+10:00');
const since = new Date(0);

let database: TestDatabase;
let by: { actor: StaffActor; at: Date };
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  const ada = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  by = { actor: ada.actor, at };
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const table of ['card_disputes', 'card_refunds', 'refunds', 'payments'] as const)
    await database.db.deleteFrom(table).execute();
});

const inTransaction = <T>(
  work: (trx: Parameters<Parameters<ReturnType<typeof database.db.transaction>['execute']>[0]>[0]) => Promise<T>,
) => database.db.transaction().execute(work);

/** An enrolment with one guided place of AU$2,299, invoiced. */
async function enrol() {
  const { id, reference, places } = await writeEnrolment(database.db, [{ monday: '2025-10-13' }]);
  const invoice = await inTransaction((trx) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today, at }));
  return { id, reference, placeId: places[0] ?? 0, payment: invoice.facts.payment.reference };
}

/** An enrolment with two guided places of AU$2,299, each on an invoice of its own; the second is issued later. */
async function enrolTwo(second: Date) {
  const { id, places } = await writeEnrolment(database.db, [{ monday: '2025-10-13' }, { monday: '2025-10-13' }]);
  for (const [index, placeId] of places.entries()) {
    const when = { today, at: index === 0 ? at : second };
    await inTransaction((trx) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: [placeId], ...when }));
  }
  return { id };
}

const pay = (
  enrolmentId: number | null,
  amountCents: number,
  more: { receivedOn?: string; idempotencyKey?: string; currency?: string; at?: Date } = {},
) =>
  inTransaction((trx) =>
    recordPayment(trx, {
      ...by,
      enrolmentId,
      amountCents,
      receivedOn: today,
      method: 'bank',
      idempotencyKey: crypto.randomUUID(),
      ...more,
    }),
  );
const refund = (paymentId: number, amountCents: number, idempotencyKey: string = crypto.randomUUID()) =>
  inTransaction((trx) => recordRefund(trx, { ...by, paymentId, amountCents, reason: 'Cancelled', idempotencyKey }));
const credit = ({ id, placeId }: { id: number; placeId: number }, cents: number, when = at) =>
  inTransaction((trx) => {
    const credits = [{ placeId, cents }];
    return issueAdjustmentNotes(trx, { enrolmentId: id, credits, reason: 'Cancelled', today, at: when });
  });
const balance = async (id: number) => balanceOf(await accountOf(database.db, id));
const oddities = async (part: ReviewPart = 'to-do') =>
  (await paymentsToReview(database.db, { part, since })).payments.map(({ id, why }) => [id, why]);

test('P39: the debt is invoices less notes less payments plus refunds, and a failed refund opens it again', async () => {
  const { id, placeId } = await enrol();
  expect(await balance(id)).toBe(229_900);
  const { paymentId } = await pay(id, 229_900);
  expect(await balance(id)).toBe(0);
  await credit({ id, placeId }, 114_950);
  expect(await balance(id)).toBe(-114_950);
  const sent = await refund(paymentId, 114_950);
  expect(await balance(id)).toBe(0);
  const refundId = sent.ok ? sent.refundId : 0;
  const fail = () => inTransaction((trx) => failRefund(trx, { ...by, refundId }));
  expect([await fail(), await fail(), await balance(id)]).toEqual([true, false, -114_950]);
  expect((await documentsOf(database.db, id)).map(({ kind }) => kind)).toEqual(['tax-invoice', 'adjustment-note']);
});

test('P25, P39: the same payment or refund is recorded once, and two refunds at once never exceed the payment', async () => {
  const { id } = await enrol();
  const first = await pay(id, 100_000, { idempotencyKey: 'one' });
  expect(await pay(id, 100_000, { idempotencyKey: 'one' })).toEqual({ paymentId: first.paymentId, repeat: true });
  expect(await balance(id)).toBe(129_900);
  const both = await Promise.all([refund(first.paymentId, 60_000, 'a'), refund(first.paymentId, 60_000, 'b')]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'more-than-paid', leftCents: 40_000 });
  const again = both[0]?.ok ? 'a' : 'b';
  expect(await refund(first.paymentId, 60_000, again)).toMatchObject({ ok: true, repeat: true });
  const audited = await database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject', '=', `payment:${first.paymentId}`)
    .execute();
  expect(audited.map(({ action }) => action)).toEqual(['record-payment', 'record-refund']);
});

test('P39: a refund waits for another one of the same payment, and what came back can be refunded again', async () => {
  const { id } = await enrol();
  const { paymentId } = await pay(id, 100_000);
  const other = await database.db.startTransaction().execute();
  const wish = { ...by, paymentId, amountCents: 60_000, reason: 'Cancelled', idempotencyKey: 'the first' };
  const first = await recordRefund(other, wish);
  let answered = false;
  const second = refund(paymentId, 60_000).finally(() => {
    answered = true;
  });
  await until(async () => answered || (await someoneWaits()));
  await other.commit().execute();
  expect(await second).toEqual({ ok: false, reason: 'more-than-paid', leftCents: 40_000 });
  const refundId = first.ok ? first.refundId : 0;
  await inTransaction((trx) => failRefund(trx, { ...by, refundId }));
  expect(await refund(paymentId, 100_000)).toMatchObject({ ok: true });
});

async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
  return rows.length > 0;
}

test('P39: a payment in another currency is assigned to no enrolment, and an assigned one to no second', async () => {
  const { id } = await enrol();
  const assign = (paymentId: number) =>
    inTransaction((trx) => assignPayment(trx, { ...by, paymentId, enrolmentId: id }));
  const foreign = await pay(null, 100_000, { currency: 'USD' });
  const ours = await pay(null, 100_000);
  expect([await assign(foreign.paymentId), await assign(ours.paymentId), await assign(ours.paymentId)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(await balance(id)).toBe(129_900);
});

test('P69: records of money are kept with the values before and after, without the words of the payer', async () => {
  const { id } = await enrol();
  const { paymentId } = await inTransaction((trx) =>
    recordPayment(trx, {
      ...by,
      enrolmentId: null,
      amountCents: 229_900,
      receivedOn: '2025-09-05',
      method: 'bank',
      words: 'Ada Byron',
      idempotencyKey: 'with words',
    }),
  );
  await inTransaction((trx) => assignPayment(trx, { ...by, paymentId, enrolmentId: id }));
  await refund(paymentId, 100_000);
  const second = await refund(paymentId, 20_000);
  await inTransaction((trx) => failRefund(trx, { ...by, refundId: second.ok ? second.refundId : 0 }));
  expect(await changesOf(database.db, `payment:${paymentId}`)).toEqual([
    ['record-payment', 'amountCents', null, 229_900],
    ['record-payment', 'currency', null, 'AUD'],
    ['record-payment', 'method', null, 'bank'],
    ['record-payment', 'receivedOn', null, '2025-09-05'],
    ['assign-payment', 'enrolmentId', null, id],
    ['record-refund', 'refundedCents', 0, 100_000],
    ['record-refund', 'sentOn', null, '2025-09-08'],
    ['record-refund', 'refundedCents', 100_000, 120_000],
    ['record-refund', 'sentOn', null, '2025-09-08'],
    ['fail-refund', 'refund', 'sent', 'failed'],
  ]);
});

test('P39: payments too small, too large, double, late, or for a cancelled place are listed, and change no place', async () => {
  const [small, large, late, cancelled, good] = [
    await enrol(),
    await enrol(),
    await enrol(),
    await enrol(),
    await enrol(),
  ];
  const { paymentId: tooSmall } = await pay(small.id, 229_899);
  await pay(large.id, 229_900);
  const { paymentId: secondOfTwo } = await pay(large.id, 229_900);
  const { paymentId: tooLate } = await pay(late.id, 229_900, { receivedOn: '2025-09-23' });
  await database.db
    .updateTable('places')
    .set({ state: 'cancelled', cancelled_at: at, cancelled_why: 'staff' })
    .where('id', '=', cancelled.placeId)
    .execute();
  const { paymentId: afterwards } = await pay(cancelled.id, 229_900);
  await pay(good.id, 229_900, { receivedOn: '2025-09-22' });
  const { paymentId: unmatched } = await pay(null, 50);
  const toDo = [
    [unmatched, ['unmatched']],
    [secondOfTwo, ['too-large', 'double']],
    [tooSmall, ['too-small']],
  ];
  const others = [
    [afterwards, ['cancelled']],
    [tooLate, ['late']],
  ];
  expect(await oddities()).toEqual(toDo);
  expect(await oddities('others')).toEqual(others);
  expect(await oddities('all')).toEqual([...toDo, ...others].toSorted((a, b) => Number(b[0]) - Number(a[0])));
  const place = await database.db
    .selectFrom('places')
    .select('state')
    .where('id', '=', cancelled.placeId)
    .executeTakeFirst();
  expect(place).toEqual({ state: 'cancelled' });
  const assign = () =>
    inTransaction((trx) => assignPayment(trx, { ...by, paymentId: unmatched, enrolmentId: small.id }));
  expect([await assign(), await assign(), await balance(small.id)]).toEqual([true, false, -49]);
});

test('P39: a payment is not late while its date waits for a decision, nor on the day of that decision', async () => {
  const { db } = database;
  const waits = { startsOn: '2025-11-24', minimum: 3, decidedBy: '2025-11-03' };
  const [undecided, decided, tardy] = [
    await makeCourseDate(db, waits),
    await makeCourseDate(db, waits),
    await makeCourseDate(db, waits),
  ];
  const [first, second, third] = [await placeIn(db, undecided), await placeIn(db, decided), await placeIn(db, tardy)];
  // The invoices of 8 September have 22 September printed; the dates were confirmed on 27 October.
  for (const { id } of [decided, tardy]) {
    await inTransaction((trx) => confirmCourseDateAndTell(trx, id, theProgram, momentAt('2025-10-27T09:00')));
  }
  await pay(first.enrolmentId, 549_900, { receivedOn: '2025-10-20' });
  await pay(second.enrolmentId, 549_900, { receivedOn: '2025-10-27' });
  const { paymentId: late } = await pay(third.enrolmentId, 549_900, { receivedOn: '2025-10-28' });
  expect([await oddities(), await oddities('others')]).toEqual([[], [[late, ['late']]]]);
});

test('P39: a correct payment is not listed for review after its enrolment changes', async () => {
  const later = (days: number) => new Date(at.getTime() + days * 24 * 60 * 60 * 1000);
  const [refunded, partLeft] = [await enrol(), await enrol()];
  await pay(refunded.id, 229_900);
  await credit(refunded, 229_900, later(1));
  // Somebody who came later has an invoice of their own.
  const grown = await enrolTwo(later(1));
  await pay(grown.id, 229_900);
  expect([await balance(refunded.id), await balance(grown.id)]).toEqual([-229_900, 229_900]);
  expect(await oddities('all')).toEqual([]);
  // Half of the second invoice is too little; all of it is right.
  const { paymentId: half } = await pay(grown.id, 114_950, { at: later(2) });
  expect(await oddities()).toEqual([[half, ['too-small']]]);
  await pay(grown.id, 114_950, { at: later(3) });
  expect(await oddities()).toEqual([]);
  // What is left to pay after a cancellation is still less than was asked for.
  const { paymentId: little } = await pay(partLeft.id, 50_000);
  await credit(partLeft, 100_000, later(1));
  expect(await oddities()).toEqual([[little, ['too-small']]]);
});

test('P83: an instalment paid as agreed is not listed for review; a smaller one is', async () => {
  const { id } = await enrol();
  const [open] = await openInvoices(database.db, id);
  const instalments = ['2025-09-10', '2025-10-20', '2025-12-01'].map((dueOn, position) => ({
    dueOn,
    cents: position === 0 ? 29_900 : 100_000,
  }));
  const agreement = { enrolmentId: id, invoiceId: open?.id ?? 0, instalments, actor: by.actor };
  expect(await inTransaction((trx) => agreeInstalments(trx, agreement, { now: at, today }))).toMatchObject({
    ok: true,
  });
  await pay(id, 29_900);
  expect(await oddities()).toEqual([]);
  const { paymentId: less } = await pay(id, 99_000);
  expect(await oddities()).toEqual([[less, ['too-small']]]);
  await pay(id, 1000);
  expect([await oddities(), await balance(id)]).toEqual([[], 100_000]);
  // The last one is paid twice.
  await pay(id, 100_000);
  const { paymentId: twice } = await pay(id, 100_000);
  expect(await oddities()).toEqual([[twice, ['too-large', 'double']]]);
});

test('P39: a payment after a failed refund is too much, because the academy still has the first', async () => {
  const { id } = await enrol();
  const { paymentId } = await pay(id, 229_900);
  const sent = await refund(paymentId, 229_900);
  if (!sent.ok) return expect.unreachable();
  await inTransaction((trx) => failRefund(trx, { ...by, refundId: sent.refundId }));
  const { paymentId: more } = await pay(id, 10_000);
  expect(await oddities()).toEqual([[more, ['too-large']]]);
});

test('P83: instalments are late by their agreement, and earlier payments pay none of them', async () => {
  const soon = { now: new Date(at.getTime() + 60_000), today };
  const agree = async (id: number, parts: readonly [string, number][]) => {
    const [open] = await openInvoices(database.db, id);
    const instalments = parts.map(([dueOn, cents]) => ({ dueOn, cents }));
    const agreement = { enrolmentId: id, invoiceId: open?.id ?? 0, instalments, actor: by.actor };
    expect(await inTransaction((trx) => agreeInstalments(trx, agreement, soon))).toMatchObject({ ok: true });
  };
  const later = new Date(at.getTime() + 120_000);
  // The invoice is due on 22 September. What came late was late, whatever is agreed of the rest.
  const first = await enrol();
  const { paymentId: late } = await pay(first.id, 100_000, { receivedOn: '2025-09-23' });
  await agree(first.id, [['2025-10-20', 129_900]]);
  // Of what was agreed on 8 September, the first instalment was due on 10 October.
  const second = await enrol();
  await pay(second.id, 100_000);
  await agree(second.id, [
    ['2025-10-10', 60_000],
    ['2025-11-10', 69_900],
  ]);
  const { paymentId: tardy } = await pay(second.id, 60_000, { receivedOn: '2025-10-15', at: later });
  const { paymentId: rest } = await pay(second.id, 69_900, { receivedOn: '2025-11-10', at: later });
  expect(rest).toBeGreaterThan(tardy);
  expect((await oddities('all')).filter(([, why]) => String(why).includes('late'))).toEqual([
    [tardy, ['late']],
    [late, ['late']],
  ]);
});

test('P39: a buyer who pays one of two whole invoices has paid a requested amount', async () => {
  const { id } = await enrolTwo(at);
  await pay(id, 229_900);
  expect(await oddities()).toEqual([]);
  const { paymentId } = await pay(id, 229_800);
  expect(await oddities()).toEqual([[paymentId, ['too-small']]]);
});

test('payments to look at come in pages, and none is left out', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 7; count++) ids.push((await pay(null, 100)).paymentId);
  const { id } = await enrol();
  const { paymentId: whole } = await pay(id, 229_900);
  const seen: number[] = [];
  let before: number | null = null;
  do {
    const page = await paymentsToReview(database.db, { part: 'to-do', since, before, most: 3 });
    expect(page.payments.length).toBeLessThanOrEqual(3);
    seen.push(...page.payments.map((payment) => payment.id));
    before = page.next;
  } while (before !== null);
  expect(seen).toEqual(ids.toReversed());
  expect(seen).not.toContain(whole);
});

const troublesOf = async (kind: 'dispute-lost' | 'refund-failed' | 'refund-waits') =>
  (await cardTroubles(database.db, by.actor, at)).filter((trouble) => trouble.kind === kind).map(({ key }) => key);

/** A payment by card that came from Stripe; recorded by its event, which a test of pages sends. */
const payByCard = async (enrolmentId: number, cents: number, intent: string) => {
  const { paymentId } = await pay(enrolmentId, cents, { idempotencyKey: intent });
  await database.db.updateTable('payments').set({ method: 'card' }).where('id', '=', paymentId).execute();
  return paymentId;
};

test('P29: staff see every card refund that waits, the latest first, not only as many as one run sends', async () => {
  const { id } = await enrol();
  const paymentId = await payByCard(id, 229_900, 'pi_waits');
  const keys: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    const sent = await refund(paymentId, 100);
    keys.unshift(`refund ${sent.ok && sent.refundId}`);
  }
  expect(await troublesOf('refund-waits')).toEqual(keys);
});

test('P29, P39: a settled dispute or refund hides no open one behind it', async () => {
  const [open, settled, overpaid] = [await enrol(), await enrol(), await enrol()];
  const payments = {
    open: await payByCard(open.id, 100_000, 'pi_open'),
    settled: await payByCard(settled.id, 229_900, 'pi_settled'),
    overpaid: await payByCard(overpaid.id, 230_000, 'pi_overpaid'),
  };
  const dispute = (paymentId: number, name: string, openedAt: Date) => ({
    stripe_id: name,
    payment_id: paymentId,
    amount_cents: 100,
    status: 'lost',
    reason: 'general',
    opened_at: openedAt,
    changed_at: openedAt,
  });
  const settledDisputes = Array.from({ length: 200 }, (_, index) => dispute(payments.settled, `dp_${index}`, at));
  const first = dispute(payments.open, 'dp_open', new Date(at.getTime() - 1000));
  await database.db
    .insertInto('card_disputes')
    .values([first, ...settledDisputes])
    .execute();
  const failed = (paymentId: number, source: string) => ({
    payment_id: paymentId,
    amount_cents: 100,
    reason: 'Cancelled',
    state: 'failed' as const,
    sent_on: today,
    source,
    recorded_at: at,
  });
  const refunds = await database.db
    .insertInto('refunds')
    .values([
      failed(payments.overpaid, 're_first'),
      ...Array.from({ length: 200 }, (_, index) => failed(payments.settled, `re_${index}`)),
    ])
    .returning('id')
    .execute();
  const tried = refunds.map(({ id }, index) => ({ refund_id: id, tried_at: at, stripe_id: `re_sent_${index}` }));
  await database.db.insertInto('card_refunds').values(tried).execute();
  const listed = [await troublesOf('dispute-lost'), await troublesOf('refund-failed')];
  expect(listed).toEqual([['dp_open'], [`refund ${refunds[0]?.id}`]]);
});
