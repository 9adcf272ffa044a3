import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readStatement } from '#app/features/money/bank-statement.server.ts';
import { dividePayment } from '#app/features/money/divide-payment.server.ts';
import { assignPayment, failRefund, recordPayment, recordRefund } from '#app/features/money/payments.server.ts';
import { bringPaymentBack, paymentsToReview, setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import { previewStatement, recordStatement } from '#app/features/money/statements.server.ts';
import { dismissLine, outgoingLines, recordTakenBack } from '#app/features/money/taken-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { cashByWeek, noCash, sumOf } from '#app/features/reports/money.server.ts';
import { periodOfQuarter } from '#app/features/reports/period.ts';
import { readFigureRows } from '#app/features/reports/rows.server.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { balancesOf, enrolInvoiced } from '#tests/support/money.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

const today = '2025-09-30';
const at = new Date('2025-09-30T09:00:00+10:00');
const day = { today, at };

let database: TestDatabase;
let by: { actor: StaffActor; at: Date };
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  const ada = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  by = { actor: ada.actor, at };
});
afterAll(() => database.drop());
beforeEach(() => clear());

async function clear() {
  for (const table of ['bank_lines', 'refunds', 'payments'] as const) await database.db.deleteFrom(table).execute();
}

async function linesOf(file: string) {
  const statement = await readStatement(file, today);
  if (!statement.ok) throw new Error(statement.why);
  return statement.lines;
}
const record = async (file: string) => recordStatement(database.db, await linesOf(file), by);
const preview = async (file: string) => previewStatement(database.db, await linesOf(file));
const payments = () => database.db.selectFrom('payments').selectAll().orderBy('id').execute();

test('a statement is matched by reference, previewed, and recorded once however often it comes', async () => {
  const [one, two] = [await enrolInvoiced(database.db, day), await enrolInvoiced(database.db, day)];
  const line = (date: string, dollars: string, words: string) => `${date}/09/2025,"+${dollars}","${words}"`;
  const first = [
    line('10', '1000.00', `TRANSFER ${one.payment}`),
    line('10', '1000.00', `TRANSFER ${one.payment}`),
    line('10', '99.00', `FOR ${one.reference} AND ${two.reference}`),
    line('10', '5.00', 'INTEREST'),
  ].join('\n');
  const shown = async (file: string) =>
    (await preview(file)).map(({ match, balanceAfterCents, known }) => [match.kind, balanceAfterCents, known !== null]);
  expect(await shown(first)).toEqual([
    ['one', 129_900, false],
    ['one', 29_900, false],
    ['several', null, false],
    ['none', null, false],
  ]);
  expect(await payments()).toEqual([]);
  expect(await record(first)).toEqual({ recorded: 4, known: 0, unmatched: 2, outgoing: 0, failed: [] });
  expect(await record(first)).toEqual({ recorded: 0, known: 4, unmatched: 0, outgoing: 0, failed: [] });
  const overlapping = [...first.split('\n').slice(0, 2), line('11', '299.00', one.number)].join('\n');
  expect(await shown(overlapping)).toEqual([
    ['one', 29_900, true],
    ['one', 29_900, true],
    ['one', 0, false],
  ]);
  const twice = await Promise.all([record(overlapping), record(overlapping)]);
  expect(twice.map(({ recorded }) => recorded).sort()).toEqual([0, 1]);
  expect(await balancesOf(database.db, one.id)).toEqual({ computed: 0, listed: 0 });
  expect(await balancesOf(database.db, two.id)).toEqual({ computed: 229_900, listed: 229_900 });
});

test('an invoice’s number with a reference of nobody pays nobody’s invoice', async () => {
  const { id, number, reference } = await enrolInvoiced(database.db, day);
  const other = reference === 'BB-ZZ2345' ? 'BB-ZZ2346' : 'BB-ZZ2345';
  const file = `10/09/2025,+2299.00,${number.replace('-', '')} ${other.replace('-', '')}`;
  expect((await preview(file)).map(({ match }) => match)).toEqual([
    { kind: 'contradicting', references: [reference, other] },
  ]);
  expect(await record(file)).toMatchObject({ recorded: 1, unmatched: 1 });
  expect(await balancesOf(database.db, id)).toEqual({ computed: 229_900, listed: 229_900 });
});

test('P39: money that names something settled waits to be matched', async () => {
  const one = await enrolInvoiced(database.db, day);
  const paid = one.number.replace('-', '');
  expect(await record(`10/09/2025,+2299.00,${paid}`)).toMatchObject({ recorded: 1, unmatched: 0 });
  const second = `11/09/2025,+2299.00,J DOYLE ${paid}`;
  expect((await preview(second)).map(({ match }) => match.kind)).toEqual(['settled']);
  expect(await record(second)).toMatchObject({ recorded: 1, unmatched: 1 });
  expect(await balancesOf(database.db, one.id)).toEqual({ computed: 0, listed: 0 });
});

test('files that differ in form bring the same payments: the first line without words loses none', async () => {
  const rows = [
    '10/09/2025,+1299.00,,+5000.00',
    '10/09/2025,+1299.00,B JONES,+3701.00',
    '09/09/2025,+1299.00,A,+2402.00',
  ];
  await record(rows.slice(1).join('\n'));
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 1, known: 2 });
  const forms = [
    rows.toReversed(),
    ['Date,Amount,Description,Balance', ...rows],
    rows.map((row) => row.replaceAll(',', ';')),
  ];
  for (const form of forms) expect(await record(form.join('\n'))).toMatchObject({ recorded: 0, known: 3 });
  // The same without the balances, as another form of the download has it.
  const bare = rows.map((row) => row.split(',').slice(0, 3).join(','));
  expect(await record(bare.join('\n'))).toMatchObject({ recorded: 0, known: 3 });
  expect((await payments()).map(({ words }) => words)).toEqual(['B JONES', 'A', '']);
});

test('a download that begins in the middle of a day adds what the one before did not have', async () => {
  const rows = ['10/09/2025,+100.00,A,100.00', '10/09/2025,+100.00,A,200.00', '10/09/2025,+100.00,A,300.00'];
  await record(rows.slice(0, 1).join('\n'));
  expect(await record(rows.slice(2).join('\n'))).toMatchObject({ recorded: 1, known: 0 });
  expect(await record(rows.slice(1).join('\n'))).toMatchObject({ recorded: 1, known: 1 });
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 0, known: 3 });
});

test('lines that an older program recorded are recognised, whichever cells it took for words', async () => {
  const old = (count: number, words: string | null) => ({
    amount_cents: 129_900,
    received_on: '2025-09-10',
    method: 'bank' as const,
    source: `bank:2025-09-10:abcdefghijklmnopqrstuv:${count}`,
    words,
    recorded_at: at,
    recorded_by: by.actor.person.id,
  });
  await database.db
    .insertInto('payments')
    .values([old(1, 'INV00042 A Smith'), old(1, '')].map((row, index) => ({ ...row, source: `${row.source}${index}` })))
    .execute();
  const rows = ['Date,Amount,Account,Type,Details,Balance'];
  rows.push('10/09/2025,1299.00,123,CREDIT,INV00042  A SMITH,2598.00', '10/09/2025,1299.00,123,CREDIT,B JONES,3897.00');
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 0, known: 2 });
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 0, known: 2 });
  rows.push('10/09/2025,1299.00,123,CREDIT,C BROWN,5196.00');
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 1, known: 2 });
});

type Transaction = { day: number; cents: number; words: string };
type File = { from: number; to: number; balance: boolean; head: boolean; newestFirst: boolean; delimiter: string };

torture('a month cut into overlapping files of any form and order brings each of its payments once', async () => {
  // The money that went out never adds up to the money that came in, so that no balance comes twice.
  const transaction = fc.record({
    day: fc.integer({ min: 10, max: 12 }),
    cents: fc.constantFrom(10_000, 10_000, 20_000, -7),
    words: fc.constantFrom('', '100200300', 'A SMITH', 'A SMITH'),
  });
  const file = fc.record({
    length: fc.integer({ min: 1, max: 6 }),
    overlap: fc.integer({ min: 0, max: 3 }),
    // Mostly with one: the others hold whole days, and so hide what a cut within a day would lose.
    balance: fc.constantFrom(true, true, true, true, false),
    head: fc.boolean(),
    newestFirst: fc.boolean(),
    delimiter: fc.constantFrom(',', ';', '\t'),
    order: fc.nat(),
  });
  const month = fc.array(transaction, { minLength: 4, maxLength: 18, size: 'max' });
  await fc.assert(
    fc.asyncProperty(month, fc.array(file, { minLength: 18, maxLength: 18 }), async (random, forms) => {
      await clear();
      const truth = random.toSorted((a, b) => a.day - b.day);
      let reached = 0;
      const files: (File & { order: number })[] = [];
      for (const { length, overlap, ...form } of forms) {
        if (reached >= truth.length) break;
        files.push({ ...form, from: Math.max(0, reached - overlap), to: Math.min(truth.length, reached + length) });
        reached += length;
      }
      for (const one of files.toSorted((a, b) => a.order - b.order)) await record(csv(truth, one));
      for (const one of files) expect(await record(csv(truth, one))).toMatchObject({ recorded: 0 });
      const expected = truth
        .filter(({ cents }) => cents > 0)
        .map(({ day: date, cents, words }) => `2025-09-${date} ${cents} ${words}`);
      const stored = (await payments()).map((row) => `${row.received_on} ${row.amount_cents} ${row.words}`);
      expect(stored.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 60 },
  );
});

/** A file of some of a month's transactions. One without balances holds whole days. */
function csv(truth: readonly Transaction[], { from, to, balance, head, newestFirst, delimiter }: File): string {
  const balances: number[] = [];
  for (const { cents } of truth) balances.push((balances.at(-1) ?? 1_000_000) + cents);
  const [first, last] = [truth[from]?.day ?? 0, truth[to - 1]?.day ?? 0];
  const dollars = (cents: number) => `${cents < 0 ? '-' : '+'}${(Math.abs(cents) / 100).toFixed(2)}`;
  const rows = [...truth.entries()]
    .filter(([index, { day: date }]) => (balance ? index >= from && index < to : date >= first && date <= last))
    .map(([index, { day: date, cents, words }]) =>
      [`${date}/09/2025`, dollars(cents), words, ...(balance ? [dollars(balances[index] ?? 0)] : [])].join(delimiter),
    );
  const headings = ['Date', 'Amount', 'Description', ...(balance ? ['Balance'] : [])].join(delimiter);
  return [...(head ? [headings] : []), ...(newestFirst ? rows.toReversed() : rows)].join('\n');
}

test('a line that the database refuses stops only itself', async () => {
  await sql`alter table payments add constraint refuses check (words <> 'BAD')`.execute(database.owner);
  const rows = ['A', 'BAD', 'B', 'BAD', 'C'].map((words) => `10/09/2025,+5.00,${words}`);
  try {
    expect(await record(rows.join('\n'))).toEqual({ recorded: 3, known: 0, unmatched: 3, outgoing: 0, failed: [2, 4] });
  } finally {
    await sql`alter table payments drop constraint refuses`.execute(database.owner);
  }
  expect(await record(rows.join('\n'))).toMatchObject({ recorded: 2, known: 3, failed: [] });
});

test('a statement of thousands of lines asks the database a few times a batch', async () => {
  const rows = [...Array(1500).keys()].map((index) => `10/09/2025,+5.00,PAYER ${index},${(index + 1) * 5}.00`);
  const lines = await linesOf(rows.join('\n'));
  let asked = 0;
  const counted = database.db.withPlugin({
    transformQuery: ({ node }) => {
      asked++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  expect(await recordStatement(counted, lines, by)).toMatchObject({ recorded: 1500, unmatched: 1500 });
  expect(await recordStatement(counted, lines, by)).toMatchObject({ recorded: 0, known: 1500 });
  expect(asked).toBeLessThan(80);
});

test('money that the bank took back is listed, and opens the invoice again in one press', async () => {
  const { id, reference, payment } = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${payment}`);
  expect((await balancesOf(database.db, id)).computed).toBe(0);
  const file = `11/09/2025,-2299.00,REVERSAL ${payment}\n11/09/2025,-12.00,ACCOUNT FEE`;
  expect(await record(file)).toMatchObject({ recorded: 0, outgoing: 1 });
  expect(await record(file)).toMatchObject({ recorded: 0, outgoing: 0, known: 1 });
  const [line] = await outgoingLines(database.db, 10);
  expect(line).toMatchObject({ amountCents: 229_900, reference, day: '2025-09-11', refundedOn: null });
  const lineId = line?.id ?? 0;
  const press = () =>
    database.db.transaction().execute((trx) => recordTakenBack(trx, { ...by, lineId, refundSeen: null }));
  const both = await Promise.all([press(), press()]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await balancesOf(database.db, id)).toEqual({ computed: 229_900, listed: 229_900 });
  expect(await outgoingLines(database.db, 10)).toEqual([]);
  const refunds = await database.db.selectFrom('refunds').select(['amount_cents', 'reason']).execute();
  expect(refunds).toEqual([{ amount_cents: 229_900, reason: 'The bank took the payment back' }]);
});

test('P83: a payment that the bank took back counts on the bank’s day, in the reports, the cash file and the list', async () => {
  const { payment } = await enrolInvoiced(database.db, day);
  await record(`20/06/2025,+2299.00,${payment}`);
  await record(`30/06/2025,-2299.00,REVERSAL ${payment}`);
  const lineId = (await outgoingLines(database.db, 10))[0]?.id ?? 0;
  await database.db.transaction().execute((trx) => recordTakenBack(trx, { ...by, lineId, refundSeen: null }));
  // By another bank account, of the same amount: the list names the day of the refund that is recorded.
  await record(`01/07/2025,-2299.00,REVERSAL ${payment}`);
  expect(await outgoingLines(database.db, 10)).toMatchObject([{ refundedOn: '2025-06-30' }]);
  const quarter = async (first: string) => {
    const period = periodOfQuarter(first);
    const cash = sumOf(noCash, (await cashByWeek(database.db, anOwner, period)).values());
    const { rows } = await readFigureRows(database.db, anOwner, { kind: 'cash', period, after: null, most: 10 });
    return [cash.receivedCents, cash.refundedCents, rows.map(({ cents, day: on }) => [on, cents])];
  };
  expect(await quarter('2025-04')).toEqual([
    229_900,
    229_900,
    [
      ['2025-06-20', 229_900],
      ['2025-06-30', -229_900],
    ],
  ]);
  expect(await quarter('2025-07')).toEqual([0, 0, []]);
});

test('a line without words is another one than a line of the same amount with words', async () => {
  expect(await record('10/09/2025,+5.00,INTEREST')).toMatchObject({ recorded: 1, known: 0 });
  expect(await record('10/09/2025,+5.00')).toMatchObject({ recorded: 1, known: 0 });
  expect(await record('10/09/2025,+5.00')).toMatchObject({ recorded: 0, known: 1 });
});

test('a refund that came back leaves the whole payment to be taken back', async () => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${payment}`);
  const paymentId = (await payments())[0]?.id ?? 0;
  const transaction = database.db.transaction();
  const refund = { paymentId, amountCents: 229_900, reason: 'By mistake', idempotencyKey: 'refund', ...by };
  const sent = await transaction.execute((trx) => recordRefund(trx, refund));
  if (!sent.ok) return expect.unreachable();
  expect(await transaction.execute((trx) => failRefund(trx, { ...by, refundId: sent.refundId }))).toBe(true);
  await record(`11/09/2025,-2299.00,REVERSAL ${payment}`);
  const lineId = (await outgoingLines(database.db, 10))[0]?.id ?? 0;
  expect(await transaction.execute((trx) => recordTakenBack(trx, { ...by, lineId, refundSeen: null }))).toMatchObject({
    ok: true,
  });
  expect((await balancesOf(database.db, id)).computed).toBe(229_900);
});

test('a refund that was recorded after the page was opened is not counted a second time from its bank line', async () => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${payment}\n11/09/2025,+2299.00,${payment}`);
  await record(`12/09/2025,-2299.00,TO ${payment}`);
  const lineId = (await outgoingLines(database.db, 10))[0]?.id ?? 0;
  const press = (refundSeen: string | null) =>
    database.db.transaction().execute(async (trx) => {
      const result = await recordTakenBack(trx, { ...by, lineId, refundSeen });
      return result.ok ? result : Promise.reject(result);
    });
  const [paymentId = 0, second = 0] = (await payments()).map((payment) => payment.id);
  const assigned = { paymentId: second, enrolmentId: id, ...by };
  await database.db.transaction().execute((trx) => assignPayment(trx, assigned));
  const paidTwice = { paymentId, amountCents: 229_900, reason: 'Paid twice', idempotencyKey: 'twice', ...by };
  const refunded = { ...paidTwice, sentOn: '2025-09-12' };
  await database.db.transaction().execute((trx) => recordRefund(trx, refunded));
  await expect(press(null)).rejects.toEqual({ ok: false, reason: 'refunded', on: '2025-09-12' });
  expect((await balancesOf(database.db, id)).computed).toBe(0);
  expect(await outgoingLines(database.db, 10)).toMatchObject([{ id: lineId, refundedOn: '2025-09-12' }]);
  // Whoever read of that refund means another payment, which the bank took back.
  expect(await press('2025-09-12')).toMatchObject({ ok: true });
  expect((await balancesOf(database.db, id)).computed).toBe(229_900);
});

test('P39: what the bank takes back was not refunded before', async () => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${payment}\n11/09/2025,+2299.00,${payment}`);
  const second = (await payments())[1]?.id ?? 0;
  const transaction = database.db.transaction();
  await transaction.execute((trx) => assignPayment(trx, { paymentId: second, enrolmentId: id, ...by }));
  const twice = { paymentId: second, amountCents: 229_900, reason: 'Paid twice', idempotencyKey: 'twice', ...by };
  await transaction.execute((trx) => recordRefund(trx, twice));
  await record(`13/09/2025,-2299.00,REVERSAL ${payment}`);
  const [line] = await outgoingLines(database.db, 10);
  const taken = { ...by, lineId: line?.id ?? 0, refundSeen: line?.refundedOn ?? null };
  expect(await transaction.execute((trx) => recordTakenBack(trx, taken))).toMatchObject({ ok: true });
  expect((await balancesOf(database.db, id)).computed).toBe(229_900);
});

test('a line of money that went out is set aside once, and nothing is owed by it', async () => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${payment}\n12/09/2025,-100.00,REFUND ${payment}`);
  const lineId = (await outgoingLines(database.db, 10))[0]?.id ?? 0;
  const dismiss = () => database.db.transaction().execute((trx) => dismissLine(trx, { ...by, lineId }));
  expect([await dismiss(), await dismiss()]).toEqual([true, false]);
  expect(await changesOf(database.db, `bank-line:${lineId}`)).toEqual([['dismiss-line', 'state', 'open', 'dismissed']]);
  expect((await balancesOf(database.db, id)).computed).toBe(0);
  const none = await database.db
    .transaction()
    .execute((trx) => recordTakenBack(trx, { ...by, lineId, refundSeen: null }));
  expect(none).toEqual({ ok: false, reason: 'settled' });
});

test('P39: a transfer that staff recorded by hand is no second payment when its line comes', async () => {
  const one = await enrolInvoiced(database.db, day);
  const byHand = { enrolmentId: one.id, amountCents: 229_900, receivedOn: '2025-09-26', method: 'bank' as const };
  await database.db
    .transaction()
    .execute((trx) => recordPayment(trx, { ...by, ...byHand, idempotencyKey: `desk:${crypto.randomUUID()}` }));
  const file = `29/09/2025,+2299.00,TRANSFER ${one.payment}`;
  expect((await preview(file)).map(({ known, balanceAfterCents }) => [known?.how, balanceAfterCents])).toEqual([
    ['by-hand', 0],
  ]);
  expect(await record(file)).toMatchObject({ recorded: 0, known: 1 });
  expect(await record(file)).toMatchObject({ recorded: 0, known: 1 });
  expect(await payments()).toHaveLength(1);
  // Who pays twice has paid twice.
  const twice = `${file}\n29/09/2025,+2299.00,TRANSFER ${one.payment} AGAIN`;
  expect(await record(twice)).toMatchObject({ recorded: 1, known: 1 });
  expect(await payments()).toHaveLength(2);
  // Neither another amount nor somebody else's enrolment is taken for it.
  const other = await enrolInvoiced(database.db, day);
  const more = { ...byHand, amountCents: 50_000 };
  await database.db
    .transaction()
    .execute((trx) => recordPayment(trx, { ...by, ...more, idempotencyKey: `desk:${crypto.randomUUID()}` }));
  const rest = `27/09/2025,+499.00,${one.payment}\n27/09/2025,+500.00,${other.payment}`;
  expect(await record(rest)).toMatchObject({ recorded: 2, known: 0 });
});

test('P39: a refund that failed is owed once, also when the statement shows that it came back', async () => {
  const one = await enrolInvoiced(database.db, day);
  expect(await record(`10/09/2025,+2299.00,${one.payment}`)).toMatchObject({ recorded: 1 });
  const [paid] = await payments();
  const refund = { ...by, paymentId: paid?.id ?? 0, amountCents: 229_900, reason: 'Cancelled', sentOn: '2025-09-20' };
  const sent = await database.db
    .transaction()
    .execute((trx) => recordRefund(trx, { ...refund, idempotencyKey: crypto.randomUUID() }));
  if (!sent.ok) throw new Error('not sent');
  await database.db.transaction().execute((trx) => failRefund(trx, { ...by, refundId: sent.refundId }));
  const file = `23/09/2025,+2299.00,RETURNED ${one.reference}`;
  expect((await preview(file)).map(({ known }) => known?.how)).toEqual(['returned']);
  const later = { ...by, at: new Date(at.getTime() + 60_000) };
  expect(await recordStatement(database.db, await linesOf(file), later)).toMatchObject({ recorded: 0, known: 1 });
  expect(await payments()).toHaveLength(1);
  expect(await balancesOf(database.db, one.id)).toEqual({ computed: 0, listed: 0 });
  // The next line of the same amount is a payment.
  expect(await record(`24/09/2025,+2299.00,${one.payment}`)).toMatchObject({ recorded: 1 });
});

/** Records a transfer by hand, and returns the payment's id. */
async function byHand(enrolmentId: number, receivedOn: string, amountCents = 229_900) {
  const payment = { ...by, enrolmentId, amountCents, receivedOn, method: 'bank' as const };
  const recorded = await database.db
    .transaction()
    .execute((trx) => recordPayment(trx, { ...payment, idempotencyKey: `desk:${crypto.randomUUID()}` }));
  return recorded.paymentId;
}

test.each([
  ['05/09/2025', 0],
  ['04/09/2025', 1],
  ['19/09/2025', 0],
  ['20/09/2025', 1],
])(
  'P39: a transfer entered by hand for 12 September, whose line is of %s, makes %i more payments',
  async (on, more) => {
    const { id, payment } = await enrolInvoiced(database.db, day);
    await byHand(id, '2025-09-12');
    expect(await record(`${on},+2299.00,${payment}`)).toMatchObject({ recorded: more, known: 1 - more });
  },
);

test.each([
  ['31/08/2025', 1],
  ['01/09/2025', 0],
  ['01/10/2025', 0],
  ['02/10/2025', 1],
])('P39: a refund of 1 September that failed, whose line is of %s, makes %i more payments', async (on, more) => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  const paymentId = await byHand(id, '2025-07-01');
  const refund = { ...by, paymentId, amountCents: 229_900, reason: 'Cancelled', sentOn: '2025-09-01' };
  const sent = await database.db
    .transaction()
    .execute((trx) => recordRefund(trx, { ...refund, idempotencyKey: crypto.randomUUID() }));
  if (!sent.ok) return expect.unreachable();
  await database.db.transaction().execute((trx) => failRefund(trx, { ...by, refundId: sent.refundId }));
  const later = { ...by, at: new Date('2025-10-03T09:00:00+10:00') };
  const statement = await readStatement(`${on},+2299.00,${payment}`, '2025-10-03');
  if (!statement.ok) return expect.unreachable(statement.why);
  expect(await recordStatement(database.db, statement.lines, later)).toMatchObject({ recorded: more, known: 1 - more });
});

test('P39: a statement line belongs to the nearer of two transfers entered by hand', async () => {
  const { id, payment } = await enrolInvoiced(database.db, day);
  await byHand(id, '2025-09-10');
  const nearer = await byHand(id, '2025-09-14');
  await byHand(id, '2025-09-19');
  expect(await record(`15/09/2025,+2299.00,${payment}`)).toMatchObject({ recorded: 0, known: 1 });
  const lines = await database.db.selectFrom('bank_lines').select('payment_id').execute();
  expect(lines).toEqual([{ payment_id: nearer }]);
});

test('P39: a line of the amount of a part of a divided transfer is a payment of its own', async () => {
  const [one, two] = [await enrolInvoiced(database.db, day), await enrolInvoiced(database.db, day)];
  const paymentId = await byHand(one.id, '2025-09-12', 300_000);
  const shares = new Map([
    [one.id, 229_900],
    [two.id, 70_100],
  ]);
  const divided = await database.db.transaction().execute((trx) => dividePayment(trx, { ...by, paymentId, shares }));
  expect(divided).toEqual({ ok: true });
  const file = `12/09/2025,+701.00,${two.payment}\n12/09/2025,+2299.00,${one.payment}`;
  expect(await record(file)).toMatchObject({ recorded: 2, known: 0 });
});

test('P83: a payout and a transfer of our own are set aside: no list and no figure has them, and they come back', async () => {
  const one = await enrolInvoiced(database.db, day);
  await record(`10/09/2025,+2299.00,${one.payment}`);
  const file = '29/09/2025,+2258.94,STRIPE PAYOUT\n30/09/2025,+50000.00,OWN SAVINGS';
  expect(await record(file)).toMatchObject({ recorded: 2, unmatched: 2 });
  const quarter = periodOfQuarter('2025-07');
  const cash = async () => {
    const sum = sumOf(noCash, (await cashByWeek(database.db, anOwner, quarter)).values());
    const rows = await readFigureRows(database.db, anOwner, { kind: 'cash', period: quarter, after: null, most: 50 });
    expect(rows.rows.reduce((total, { cents }) => total + cents, 0)).toBe(sum.receivedCents - sum.refundedCents);
    return [sum.receivedCents, sum.unmatchedCents];
  };
  const listed = async (part: 'to-do' | 'aside') =>
    (await paymentsToReview(database.db, { part, since: new Date('2025-01-01') })).payments.map(({ id }) => id);
  const [, payout, own] = await payments();
  const of = (payment: { id: number } | undefined) => ({ ...by, paymentId: payment?.id ?? 0 });
  const aside = (payment: typeof payout, why = 'Not for us') =>
    database.db.transaction().execute((trx) => setPaymentAside(trx, { ...of(payment), why }));
  const back = (payment: typeof payout) =>
    database.db.transaction().execute((trx) => bringPaymentBack(trx, of(payment)));
  expect(await cash()).toEqual([5_455_794, 5_225_894]);
  expect([await aside(payout), await aside(own, 'From our savings')]).toEqual([{ ok: true }, { ok: true }]);
  expect(await aside(own)).toEqual({ ok: false, reason: 'changed' });
  expect(await cash()).toEqual([229_900, 0]);
  expect(await listed('to-do')).toEqual([]);
  expect((await listed('aside')).toSorted()).toEqual([payout?.id, own?.id].toSorted());
  // The same file brings nothing again, and nobody is taken to have paid it.
  expect(await record(file)).toMatchObject({ recorded: 0, known: 2 });
  const assign = { ...of(own), enrolmentId: one.id };
  expect(await database.db.transaction().execute((trx) => assignPayment(trx, assign))).toBe(false);
  expect(await back(own)).toEqual({ ok: true });
  expect(await cash()).toEqual([5_229_900, 5_000_000]);
  expect(await listed('to-do')).toEqual([own?.id]);
  // What a buyer paid is never set aside.
  const [paid] = await payments();
  expect(await aside(paid)).toEqual({ ok: false, reason: 'not-alone' });
});
