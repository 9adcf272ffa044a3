import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { giveDiscount } from '#app/features/enrolments/give-discount.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { cancelSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { recordPayment } from '#app/features/money/payments.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { datePlaces } from '#app/features/waiting/date-places.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { type ComboWay, cloudDefender, placeCombo } from '#tests/support/combos.ts';
import { agreeToInvoices, attendee, makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');
// By the ladder all of what is far comes back, half of what is near, nothing of what is close or has begun.
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

/** A combo that was placed, with what cancelling its courses by number does. */
async function bought(ways: Three, parts: Parameters<typeof placeCombo>[3] = {}) {
  const { db } = database;
  // Those who wait for a date of other tests would have seats of these sessions reserved for them.
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
    owed: async () => balanceOf(await accountOf(db, enrolmentId)),
    charged: async () => {
      const charged = await transaction((trx) => chargedFor(trx, enrolmentId));
      return (await places()).map(({ id }) => charged(id));
    },
    amounts: async () => (await places()).map(({ amountCents }) => amountCents),
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

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;

test('P40: two courses of three that wait for a date are cancelled a minute later: the kept one costs its own price', async () => {
  const accountsEmail = 'combo-accounts@example.com';
  const payer = {
    kind: 'organisation',
    organisation: 'Engines',
    abn: null,
    address: null,
    purchaseOrder: null,
  } as const;
  const combo = await bought([{ guided: '2025-09-15' }, 'later', 'later'], { payer: { ...payer, accountsEmail } });
  await agreeToInvoices(database.db, accountsEmail);
  expect(await combo.owed()).toBe(104_915);
  const [, second, third] = combo.ids;
  const minute = momentAt('2025-09-08T09:01');
  // What the buyer saw has to be what happens: AU$449.85 more is owed.
  expect(await combo.cancel([second, third], minute, { shownCents: 0 })).toEqual({
    ok: false,
    reason: 'refund-changed',
    shownCents: 0,
    nowCents: -44_985,
  });
  expect(await combo.cancel([second, third], minute, { shownCents: -44_985 })).toMatchObject({
    ok: true,
    raisedCents: 44_985,
    refundCents: 0,
    stillOwedCents: 149_900,
  });
  expect([await combo.owed(), await combo.charged(), await combo.amounts()]).toEqual([
    149_900,
    [149_900, 0, 0],
    [149_900, 230_897, 300_888],
  ]);
  // A mail for each course; the sums and the tax invoice stand in one of them.
  const mails = await mailTo(combo.email, 'place-cancelled');
  const [first, other] = mails.toSorted(
    (one, two) => Number(isEmpty(one.attachments)) - Number(isEmpty(two.attachments)),
  );
  expect(first?.body_text).toMatch(/AWS .*Practitioner.* now costs AU\$1,499, AU\$449\.85 more/);
  expect(first?.body_text).toContain('In all you pay AU$449.85 incl. GST more.');
  expect([first?.attachments, other?.attachments]).toMatchObject([
    [{ document: expect.stringMatching(/^tax-invoice:/) }],
    [],
  ]);
  expect(await mailTo(accountsEmail, 'accounts-documents')).toHaveLength(1);
  expect(await mailTo(accountsEmail, 'invoice-copy')).toHaveLength(1);
  const invoice = await database.db
    .selectFrom('tax_invoices')
    .select('facts')
    .where('enrolment_id', '=', combo.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(invoice.facts).toMatchObject({
    totalCents: 44_985,
    gstCents: 4_090,
    dueOn: '2025-09-11',
    lines: [{ detail: expect.stringContaining('The combo’s discount no longer applies. Its own price is AU$1,499.') }],
  });
});

test.each([
  // 3,008.88 less 449.85 and 990.03 for the two that are kept.
  ['all', far, 156_900, [149_900, 329_900]],
  // Half of 3,008.88, less the same.
  ['half', near, 6_456, [149_900, 329_900]],
  ['nothing', close, 0, [104_915, 230_897]],
] as const)(
  'P40: of one course %s comes back, less what the kept ones cost more, at least nothing',
  async (_, way, back, kept) => {
    const combo = await bought([far, far, way]);
    expect(await combo.cancel([combo.ids[2]], later, { shownCents: back })).toMatchObject({ ok: true });
    expect(await combo.owed()).toBe(636_700 - back);
    expect((await combo.amounts()).slice(0, 2)).toEqual(kept);
    expect((await combo.charged()).slice(0, 2)).toEqual(kept);
  },
);

test('P40: the kept part of the next course costs its own price, and a move does not change that', async () => {
  const combo = await bought([far, far, far]);
  await combo.cancel([combo.ids[2]]);
  const to = await makeSession(database.db, { course: 'aws-cloud-practitioner', startsOn: '2025-12-08' });
  const transfer = { enrolmentId: combo.id, placeId: combo.ids[0], toSessionId: to.id, actor: theBuyer } as const;
  const moved = await transaction((trx) => transferPlace(trx, transfer, later));
  if (!moved.ok) expect.unreachable(moved.reason);
  expect(await combo.cancel([moved.placeId], later, { shownCents: 149_900 })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(329_900);
  expect(await combo.cancel([combo.ids[1]], later, { shownCents: 329_900 })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(0);
});

test('P40: a kept course without a date is invoiced at its own price when it has one', async () => {
  const combo = await bought([far, 'later', far]);
  const [first, second] = combo.ids;
  // The 1,049.15 of the first pay for all of 990.03 of the second, invoiced later, and for 59.12 of the third now.
  expect(await combo.cancel([first], later, { shownCents: 99_003 })).toMatchObject({ ok: true, raisedCents: 5_912 });
  expect(await combo.amounts()).toEqual([104_915, 329_900, 306_800]);
  const { courseId } = (await combo.places()).find(({ id }) => id === second) ?? { courseId: 0 };
  const session = await makeSession(database.db, { course: 'aws-security-specialty', startsOn: '2026-02-02' });
  await transaction((trx) =>
    datePlaces(trx, { enrolmentId: combo.id, courseId, sessionId: session.id, actor: theProgram }, later),
  );
  expect((await combo.charged()).slice(1)).toEqual([329_900, 306_800]);
});

test('P40: on the last day of one course all are cancelled: the discount of what was held is not kept', async () => {
  const combo = await bought([begun, far, far]);
  const lastDay = momentAt('2025-10-03T15:00');
  // 2,308.97 and 3,008.88 by the ladder, less 449.85 for the course that was held.
  expect(await combo.cancel(combo.ids, lastDay, { shownCents: 486_800 })).toMatchObject({ ok: true });
  expect([await combo.owed(), (await combo.charged())[0]]).toEqual([149_900, 149_900]);
});

test('P40: nothing is taken when the academy caused it, when staff refund in full, and of contracts made before', async () => {
  const combo = await bought([far, far, far]);
  const session = (await combo.places())[2]?.session?.id ?? 0;
  await transaction((trx) => cancelSessionAndAsk(trx, session, theProgram, later));
  expect(await combo.cancel([combo.ids[2]], later, { why: 'session' })).toMatchObject({ refundCents: 0 });
  expect([await combo.owed(), await combo.amounts()]).toEqual([335_812, [104_915, 230_897, 300_888]]);

  const staff = await bought([far, far, close]);
  await staff.cancel([staff.ids[2]], later, { why: 'staff', actor: theProgram, inFull: { reason: 'Illness' } });
  expect(await staff.owed()).toBe(335_812);

  const ladder = { fullDays: 14, halfDays: 7, fullHours: 24, repricesKept: false, capsResale: false };
  const old = await bought([far, far, far], { ladder });
  expect(await old.cancel([old.ids[2]], later, { shownCents: 300_888 })).toMatchObject({ ok: true });
  expect(await old.owed()).toBe(335_812);
});

test('P40, P83: a part of the discount that staff took off again is not charged for a kept course', async () => {
  const combo = await bought([near, far, far]);
  const [first, , third] = combo.ids;
  const takeOff = (placeId: number, cents: number) => {
    const discount = { enrolmentId: combo.id, placeIds: [placeId], cents, reason: 'Goodwill', refundOf: null };
    const key = { actor: theProgram, idempotencyKey: crypto.randomUUID() };
    return transaction((trx) => giveDiscount(trx, { ...discount, ...key }, later));
  };
  // The third costs AU$500 of 3,008.88. Given back, it pays for the own price of the first and AU$50.15 of the second.
  expect(await takeOff(third, 250_888)).toMatchObject({ ok: true });
  await combo.cancel([third]);
  expect(await combo.charged()).toEqual([149_900, 235_912, 0]);
  // Of the first AU$200 are left, all of them the discount that was withdrawn: it goes over to the second.
  expect(await takeOff(first, 129_900)).toMatchObject({ ok: true });
  expect(await combo.cancel([first])).toMatchObject({ ok: true, raisedCents: 20_000 });
  expect([await combo.charged(), await combo.owed()]).toEqual([[0, 255_912, 0], 255_912]);
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

test('P40: attendees are counted one by one: an attendee who keeps nothing gets the full refund of the ladder', async () => {
  const combo = await bought([far, far, far], { attendees: [attendee(), attendee({ name: 'Mary' })] });
  const places = await combo.places();
  const mary = places.filter(({ attendee: { name } }) => name === 'Mary').map(({ id }) => id);
  const [, , ada = 0] = places.filter(({ attendee: { name } }) => name !== 'Mary').map(({ id }) => id);
  expect(await combo.cancel([...mary, ada], later, { shownCents: 636_700 + 156_900 })).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(149_900 + 329_900);
});

test('P40: when the session of a cancelled course sells out, the kept ones cost their own price out of that as well', async () => {
  const { db } = database;
  const combo = await bought([far, far, { ...close, capacity: 1 }], {
    buyer: { name: 'Katherine', email: 'katherine@example.com', phone: null },
    attendees: [attendee({ name: 'Katherine' })],
  });
  const session = (await combo.places())[2]?.session?.id ?? 0;
  const courseId = (await combo.places())[2]?.courseId ?? 0;
  await combo.cancel([combo.ids[2]], later, { shownCents: 0 });
  await placeIn(db, { id: session, courseId });
  expect(await refundSoldAgain(db, later)).toBe(1);
  expect([await combo.owed(), await combo.amounts()]).toEqual([479_800, [149_900, 329_900, 300_888]]);
  const [mail] = await mailTo(combo.email, 'place-sold-again');
  expect(mail?.body_text).toContain('In all you pay AU$1,569 incl. GST less.');
});

test('P40: a contract keeps the ladder it was made under: refund, email and reason', async () => {
  const ladder = { fullDays: 60, halfDays: 30, fullHours: 1, repricesKept: true, capsResale: true };
  const combo = await bought([far, far, far], { ladder });
  const [mail] = await mailTo(combo.email, 'enrolment-placed');
  expect(mail?.body_text).toContain('until 2 October AU$1,049.15 back, until 1 November AU$524.58, then nothing');
  const half = momentAt('2025-10-15T09:00');
  expect(await combo.cancel(combo.ids, half, { shownCents: 52_458 + 115_449 + 150_444 })).toMatchObject({ ok: true });
  expect((await mailTo(combo.email, 'place-cancelled')).at(-1)?.body_text).toContain(
    'It is 59 to 30 days before the first day',
  );
});

/** What the ladder gives on a course as it was bought, and what of its discount is lost with it when it is cancelled. */
const kinds = {
  far: { way: far, part: 1, used: 0 },
  near: { way: near, part: 0.5, used: 0 },
  close: { way: close, part: 0, used: 0 },
  begun: { way: begun, part: 0, used: 1 },
  guided: { way: { guided: '2025-11-03' }, part: 1, used: 0 },
  later: { way: 'later', part: 1, used: 0 },
} as const;
const kind = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));

test('P40: in every order and grouping the same cancellations of a day come to one sum, and every document agrees', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(kind, kind, kind),
      fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
      async (chosen, cancelled, groupOf) => {
        const ways = chosen.map((name) => kinds[name].way) as unknown as Three;
        const given = cancelled.reduce(
          (sum, at) =>
            sum + Math.ceil(cents(at, ({ price, saving }) => price - saving) * kinds[chosen[at] ?? 'far'].part),
          0,
        );
        const wanted = [0, 1, 2].reduce((sum, at) => {
          const lost = cancelled.includes(at) ? kinds[chosen[at] ?? 'far'].used : 1;
          return sum + cents(at, ({ saving }) => saving) * lost;
        }, 0);
        const expected = 636_700 - Math.max(0, given - wanted);
        const groups = Object.values(Object.groupBy(cancelled, (at) => groupOf[at] ?? 0));
        for (const order of [[cancelled], groups, cancelled.map((at) => [at])]) {
          const combo = await bought(ways);
          for (const group of order) {
            const result = await combo.cancel((group ?? []).map((at) => combo.ids[at] ?? 0));
            expect(result.ok).toBe(true);
          }
          const places = await combo.places();
          const charged = await combo.charged();
          const contract = places.reduce((sum, { state, way, amountCents }, at) => {
            if (state !== 'active') return sum + (charged[at] ?? 0);
            // Invoices less notes are what the kept places cost; one without a date is not invoiced yet.
            expect(charged[at]).toBe(way === 'next-date' ? 0 : amountCents);
            return sum + amountCents;
          }, 0);
          expect(contract).toBe(expected);
          expect(await combo.owed()).toBe(charged.reduce((sum, one) => sum + one, 0));
        }
      },
    ),
    { numRuns: 10, endOnFailure: true, includeErrorInReport: true },
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
}, 120_000);

const cents = (at: number, of: (course: (typeof cloudDefender)[number]) => number): number => {
  const course = cloudDefender[at];
  return course ? of(course) : 0;
};
