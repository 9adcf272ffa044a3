import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { cancelCourseDateAndAsk, endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { datePlaces } from '#app/features/enrolments/waiting/date-places.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type ComboWay, placeCombo } from '#tests/support/combos.ts';
import { agreeToInvoices, attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { recordOpened } from '#tests/support/study.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

// The three courses cost AU$1,049.15, AU$2,308.97 and AU$3,008.88 in the combo, AU$6,367 together; it takes AU$449.85,
// AU$990.03 and AU$1,290.12 off their own prices.
const opening = momentAt('2025-09-08T09:00');
// All comes back of what is far, half of what is near, nothing of what is close or has begun.
const later = momentAt('2025-10-01T09:00');
const far = { startsOn: '2025-12-01' };
const near = { startsOn: '2025-10-11' };
const close = { startsOn: '2025-10-04' };
const begun = { startsOn: '2025-09-29' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
type Three = readonly [ComboWay, ComboWay, ComboWay];

/** A combo that was placed, with what cancelling its courses does. */
async function bought(ways: Three, parts: Parameters<typeof placeCombo>[3] = {}) {
  const { db } = database;
  // Those who wait for a date of other tests would have seats of these course dates reserved for them.
  await db.deleteFrom('waiting_entries').execute();
  const { enrolmentId, order } = await placeCombo(db, ways, opening, parts);
  const places = async () => (await readEnrolment(db, enrolmentId)).places;
  const [one, two, three] = (await places()).map(({ id }) => id);
  const ids = [one ?? 0, two ?? 0, three ?? 0] as const;
  return {
    id: enrolmentId,
    email: order.buyer.email,
    ids,
    places,
    states: async () => (await places()).map(({ state }) => state),
    owed: async () => balanceOf(await accountOf(db, enrolmentId)),
    charged: async () => {
      const charged = await chargedFor(db, enrolmentId);
      return (await places()).map(({ id }) => charged(id));
    },
    cancel: (placeIds: readonly number[], when: Moment = later, more: object = {}) =>
      transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null, ...more }, when)),
  };
}

const mailTo = (recipient: string, kind: string) =>
  database.db
    .selectFrom('mails')
    .select(['body_text', 'attachments'])
    .where('recipient', '=', recipient)
    .where('kind', '=', kind)
    .orderBy('queued_at')
    .orderBy('id')
    .execute();

const notesOf = (enrolmentId: number) =>
  database.db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'tax_invoice_id')
    .select(['note.reason', 'note.total_cents'])
    .where('enrolment_id', '=', enrolmentId)
    .execute();

test('P99: a combo is cancelled as a whole: cancelling a part is refused, and nothing is written', async () => {
  const combo = await bought([far, far, far]);
  expect(await combo.cancel(combo.ids.slice(1))).toEqual({ ok: false, reason: 'not-whole' });
  expect([await combo.states(), await combo.owed()]).toEqual([['active', 'active', 'active'], 636_700]);
  expect(await combo.cancel(combo.ids)).toMatchObject({ ok: true });
  expect([await combo.states(), await combo.owed()]).toEqual([['cancelled', 'cancelled', 'cancelled'], 0]);
});

test.each([
  ['all', [far, far, far] as const, 636_700],
  // Half of 1,049.15, of which half a cent counts for the buyer.
  ['half of the first', [near, far, far] as const, 52_458 + 230_897 + 300_888],
  ['nothing of the first', [close, far, far] as const, 230_897 + 300_888],
])('P99: each course gives back by its own days: %s', async (_, ways, back) => {
  const combo = await bought(ways);
  expect(await combo.cancel(combo.ids, later, { shownCents: back })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(636_700 - back);
});

test('P99: a course that has begun stays, and its discount is taken off the refund of the others', async () => {
  const accountsEmail = 'combo-accounts@example.com';
  const organisation = { organisation: 'Engines', abn: null, address: null, purchaseOrder: null };
  const combo = await bought([begun, far, far], { payer: { kind: 'organisation', ...organisation, accountsEmail } });
  await agreeToInvoices(database.db, accountsEmail);
  const back = 230_897 + 300_888 - 44_985;
  // What the page showed has to be what happens.
  expect(await combo.cancel(combo.ids.slice(1), later, { shownCents: back + 1 })).toEqual({
    ...{ ok: false, reason: 'refund-changed', shownCents: back + 1, nowCents: back },
  });
  expect(await combo.cancel(combo.ids.slice(1), later, { shownCents: back })).toMatchObject({ ok: true });
  expect([await combo.states(), await combo.charged()]).toEqual([
    ['active', 'cancelled', 'cancelled'],
    [104_915, 44_985, 0],
  ]);
  const taken = 'Taken off, because AWS Certified Cloud Practitioner (CLF-C02) has begun.';
  const reason = `Cancelled. 14 days or more before the first day: all of its price. The combo’s discount, −AU$449.85. ${taken}`;
  expect(await notesOf(combo.id)).toEqual([{ total_cents: back, reason }]);
  // The mail about the first of the two courses has the sums and the note.
  const mails = await mailTo(combo.email, 'place-cancelled');
  const texts = mails.map(({ body_text }) => body_text.replaceAll(/\s+/g, ' '));
  const sums = texts.filter((text) => text.includes('Your invoice falls by'));
  expect([mails.length, sums.length]).toEqual([2, 1]);
  for (const part of [
    'AU$2,308.97.',
    'AU$3,008.88.',
    `The combo’s discount: −AU$449.85. ${taken}`,
    'AU$4,868 incl. GST',
  ]) {
    expect(sums[0]).toContain(part);
  }
  expect(await mailTo(accountsEmail, 'adjustment-note')).toHaveLength(1);
});

test('P99: the discount of begun courses takes a refund to nothing, never below, and no invoice rises', async () => {
  const combo = await bought([begun, { startsOn: '2025-09-30' }, close]);
  expect(await combo.cancel([combo.ids[2]], later, { shownCents: 0 })).toMatchObject({
    ok: true,
    stillOwedCents: 636_700,
  });
  expect([await combo.charged(), await notesOf(combo.id)]).toEqual([[104_915, 230_897, 300_888], []]);
});

test('P39, P99: a course without a date was not invoiced, and giving it up costs nothing', async () => {
  const combo = await bought([{ guided: '2025-09-29' }, 'later', 'later']);
  expect(await combo.owed()).toBe(104_915);
  // Guided study has begun, so its discount would be taken off: there is nothing to take it off.
  expect(await combo.cancel(combo.ids.slice(1), later, { shownCents: 0 })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(104_915);
});

test('P38, P99: a course that got its date later gives back of its own invoice by its own days', async () => {
  const combo = await bought([far, 'later', far]);
  const { courseId } = (await combo.places())[1] ?? { courseId: 0 };
  const courseDate = await makeCourseDate(database.db, { course: 'aws-security-specialty', startsOn: '2025-10-10' });
  const dating = { enrolmentId: combo.id, courseId, courseDateId: courseDate.id, actor: theProgram };
  expect(await transaction((trx) => datePlaces(trx, dating, later))).toMatchObject({ ok: true });
  // Within 24 hours of the date all of it comes back, after them half.
  const nextDay = momentAt('2025-10-02T10:00');
  expect(await combo.cancel(combo.ids, nextDay, { shownCents: 104_915 + 115_449 + 300_888 })).toMatchObject({
    ok: true,
  });
  expect(await notesOf(combo.id)).toHaveLength(2);
});

test('P99: courses move on their own, and each keeps the cap of its own move', async () => {
  const combo = await bought([near, far, far]);
  const to = await makeCourseDate(database.db, { course: 'aws-cloud-practitioner', startsOn: '2026-02-02' });
  const transfer = { enrolmentId: combo.id, placeId: combo.ids[0], toCourseDateId: to.id, actor: theBuyer } as const;
  const moved = await transaction((trx) => transferPlace(trx, transfer, later));
  if (!moved.ok) expect.unreachable(moved.reason);
  const all = [moved.placeId, combo.ids[1], combo.ids[2]];
  expect(
    await combo.cancel(all, momentAt('2025-10-05T09:00'), { shownCents: 52_458 + 230_897 + 300_888 }),
  ).toMatchObject({
    ok: true,
  });
});

test('P99: each attendee’s combo is a whole of its own', async () => {
  const combo = await bought([far, far, far], { attendees: [attendee(), attendee({ name: 'Mary' })] });
  const ofMary = (await combo.places()).filter((place) => place.attendee.name === 'Mary').map(({ id }) => id);
  expect(await combo.cancel([...ofMary, combo.ids[0]])).toEqual({ ok: false, reason: 'not-whole' });
  expect(await combo.cancel(ofMary, later, { shownCents: 636_700 })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(636_700);
});

const cancelDateOf = async (combo: Awaited<ReturnType<typeof bought>>, at: number) => {
  const courseDateId = (await combo.places())[at]?.courseDate?.id ?? 0;
  await transaction((trx) => cancelCourseDateAndAsk(trx, courseDateId, theProgram, later));
};

test('P99: a course that the academy cancelled is chosen for alone, at its share; the others stay a whole', async () => {
  const combo = await bought([begun, close, far]);
  await cancelDateOf(combo, 1);
  expect(await combo.cancel([combo.ids[1]], later, { shownCents: 230_897 })).toMatchObject({ ok: true });
  // Not again for the others, and no second choice: the last one is far, less the discount on the first.
  expect(await combo.cancel([combo.ids[2]], later, { shownCents: 300_888 - 44_985 })).toMatchObject({ ok: true });
  expect((await combo.places()).map(({ cancelledWhy }) => cancelledWhy)).toEqual([null, 'date', 'buyer']);
});

test('P99: it makes no difference whether the changed course goes before the others, with them or after', async () => {
  const sums = [];
  for (const order of [[[1, 2]], [[1], [2]], [[2], [1]]]) {
    const combo = await bought([begun, close, near]);
    await cancelDateOf(combo, 1);
    for (const group of order) {
      expect(await combo.cancel(group.map((at) => combo.ids[at] ?? 0))).toMatchObject({ ok: true });
    }
    sums.push(await combo.owed());
  }
  expect(sums).toEqual(Array(3).fill(636_700 - 230_897 - (150_444 - 44_985)));
});

test('P99, P100: silence about a course that the academy cancelled refunds that one alone', async () => {
  const combo = await bought([far, far, far]);
  await cancelDateOf(combo, 1);
  await endChoices(database.db, momentAt('2025-10-16T09:00'));
  expect([await combo.states(), await combo.charged()]).toEqual([
    ['active', 'cancelled', 'active'],
    [104_915, 0, 300_888],
  ]);
  const [mail] = await mailTo(combo.email, 'place-cancelled');
  expect(mail?.body_text).toContain('We cancelled or moved this date: all of its price.');
});

test('P85: a refund for a date that the academy cancelled does not count as the buyer’s cancellation', async () => {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const { enrolmentId } = await placeIn(db, courseDate, { attendees: [attendee(), attendee({ name: 'Mary' })] });
  const [one, more] = (await readEnrolment(db, enrolmentId)).places;
  const cancel = (placeId = 0) =>
    transaction((trx) =>
      cancelPlaces(trx, { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null }, later),
    );
  await cancel(one?.id);
  await transaction((trx) => cancelCourseDateAndAsk(trx, courseDate.id, theProgram, later));
  await cancel(more?.id);
  const { places } = await readEnrolment(db, enrolmentId);
  expect(places.map(({ cancelledWhy }) => cancelledWhy)).toEqual(['buyer', 'date']);
});

test('P100: a guided course of a combo has begun with its first module, and gives nothing back', async () => {
  const combo = await bought([{ guided: '2025-11-03' }, far, far]);
  await recordOpened(database.db, combo.ids[0], later.now);
  expect(await combo.cancel(combo.ids)).toEqual({ ok: false, reason: 'not-active' });
  expect(await combo.cancel(combo.ids.slice(1), later, { shownCents: 230_897 + 300_888 - 44_985 })).toMatchObject({
    ok: true,
  });
});

test('P100: staff refund a single course of a combo, or one that has begun, with a reason', async () => {
  const combo = await bought([begun, far, far]);
  const byStaff = { why: 'staff', actor: theProgram };
  expect(await combo.cancel([combo.ids[1]], later, byStaff)).toEqual({ ok: false, reason: 'not-whole' });
  const inFull = { reason: 'Illness' };
  expect(await combo.cancel(combo.ids.slice(0, 2), later, { ...byStaff, inFull })).toMatchObject({ ok: true });
  expect([await combo.charged(), await notesOf(combo.id)]).toEqual([
    [0, 0, 300_888],
    [{ total_cents: 104_915 + 230_897, reason: 'Illness' }],
  ]);
});

test('P83, P99: an earlier discount of staff lowers the refund of a course, and not the discount of the combo', async () => {
  const combo = await bought([begun, near, far]);
  const discount = {
    enrolmentId: combo.id,
    placeIds: [combo.ids[1]],
    cents: 30_897,
    reason: 'Goodwill',
    refundOf: null,
  };
  const key = { actor: theProgram, idempotencyKey: crypto.randomUUID() };
  expect(await transaction((trx) => giveDiscount(trx, { ...discount, ...key }, later))).toMatchObject({ ok: true });
  const back = 100_000 + 300_888 - 44_985;
  expect(await combo.cancel(combo.ids.slice(1), later, { shownCents: back })).toMatchObject({ ok: true });
});

test('P83: a discount is refunded from a payment of the same enrolment only', async () => {
  const pay = (enrolmentId: number, amountCents: number) => {
    const key = { actor: theProgram, at: later.now, idempotencyKey: crypto.randomUUID() };
    const payment = { enrolmentId, amountCents, receivedOn: later.today, method: 'bank' } as const;
    return transaction((trx) => recordPayment(trx, { ...payment, ...key }));
  };
  const [one, other] = [await bought([far, far, far]), await bought([far, far, far])];
  const own = await pay(one.id, await one.owed());
  const foreign = await pay(other.id, await other.owed());
  const takeOff = (refundOf: number) => {
    const discount = { enrolmentId: one.id, placeIds: [one.ids[0]], cents: 10_000, reason: 'Goodwill', refundOf };
    const key = { actor: theProgram, idempotencyKey: crypto.randomUUID() };
    return transaction((trx) => giveDiscount(trx, { ...discount, ...key }, later));
  };
  expect(await takeOff(foreign.paymentId)).toEqual({
    ...{ ok: false, reason: 'refund-needed', refundCents: 10_000, leftCents: 0 },
  });
  expect([await one.owed(), await other.owed()]).toEqual([0, 0]);
  expect(await takeOff(own.paymentId)).toMatchObject({ ok: true, refundCents: 10_000 });
  expect([await one.owed(), await other.owed()]).toEqual([0, 0]);
});

const kind = fc.constantFrom(...([far, near, close, begun, { guided: '2025-11-03' }, 'later'] as const));

async function notesAddUp(combos: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.tuple(kind, kind, kind), async (ways) => {
      const combo = await bought(ways);
      const goes = combo.ids.filter((_, at) => ways[at] !== begun);
      if (goes.length > 0) expect(await combo.cancel(goes)).toMatchObject({ ok: true });
      const charged = await combo.charged();
      expect(charged.every((cents) => cents >= 0)).toBe(true);
      expect(await combo.owed()).toBe(charged.reduce((sum, cents) => sum + cents, 0));
    }),
    { numRuns: combos, endOnFailure: true, includeErrorInReport: true },
  );
  const wrong = await sql`
    select number from tax_invoices invoice where (total_cents, gst_cents) is distinct from
      (select row(sum(amount_cents)::integer, sum(gst_cents)::integer) from tax_invoice_lines where tax_invoice_id = invoice.id)
    union all
    select number from adjustment_notes note where (total_cents, gst_cents) is distinct from
      (select row(sum(amount_cents)::integer, sum(gst_cents)::integer) from adjustment_note_lines where adjustment_note_id = note.id)
    union all
    -- What is left of an invoice has its GST of one eleventh, rounded as section 9-90 says.
    select number from tax_invoices invoice, lateral (
      select coalesce(sum(note.total_cents), 0) as total, coalesce(sum(note.gst_cents), 0) as gst
      from adjustment_notes note where note.tax_invoice_id = invoice.id) credited
    where round((total_cents - credited.total) / 11.0) <> gst_cents - credited.gst`.execute(database.db);
  expect(wrong.rows).toEqual([]);
}

test('P30, P99: the notes of any combo add up, and each invoice keeps its GST of an eleventh', () => notesAddUp(3));

torture('P30, P99: the notes of many combos add up', () => notesAddUp(15));
