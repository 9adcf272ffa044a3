import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { chargedFor, issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { replaceInvoices } from '#app/features/money/replace-invoices.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type Wanted, writeEnrolment } from '#tests/support/written-enrolments.ts';

const today = '2025-09-08';
const at = new Date('2025-09-08T09:00:00+10:00');

let database: TestDatabase;
let other: TestDatabase['db'];
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  other = createDb(database.connection, () => undefined);
});
afterAll(async () => {
  await other.destroy();
  await database.drop();
});

const place = (wanted: readonly Wanted[], buyer: object = {}) => writeEnrolment(database.db, wanted, buyer);
const issue = ({ id, places }: { id: number; places: readonly number[] }, db = database.db) =>
  db.transaction().execute((trx) => issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today, at }));
const credit = (id: number, credits: { placeId: number; cents: number }[], db = database.db) =>
  db
    .transaction()
    .execute((trx) => issueAdjustmentNotes(trx, { enrolmentId: id, credits, reason: 'Cancelled', today, at }));
const charged = async (id: number) => database.db.transaction().execute((trx) => chargedFor(trx, id));
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

test('P30, P39: an invoice states seller, buyer, items, GST, reference and the day it is due', async () => {
  const enrolment = await place(
    [
      { courseDate: 'security-plus-online', price: 149_900, discount: 44_985 },
      { monday: '2025-10-13', price: 329_900, discount: 99_003 },
    ],
    { payer: 'organisation', organisation: 'Analytical Engines', abn: '89000000019', purchase_order: 'PO 7' },
  );
  const { facts } = await issue(enrolment);
  const number = Number(facts.number.slice(4));
  expect(facts).toMatchObject({
    seller: { name: 'Bowerbird Academy Pty Ltd', abn: '89 000 000 019' },
    buyer: { name: 'Ada Byron', organisation: 'Analytical Engines', abn: '89000000019', purchaseOrder: 'PO 7' },
    issuedOn: today,
    // Two business days before Monday 15 September.
    dueOn: '2025-09-11',
    totalCents: 335_812,
    gstCents: 30_528,
    payment: { bsb: '000-000', reference: `INV${String(number).padStart(5, '0')} ${facts.enrolment.replace('-', '')}` },
    lines: [
      { description: 'CompTIA Security+ (SY0-701)', detail: 'Online, 15 to 19 September 2025', amountCents: 104_915 },
      { detail: 'Guided, from Monday 13 October 2025', amountCents: 230_897, discount: 'Combo −30%' },
    ],
  });
  expect(sum(facts.lines.map(({ gstCents }) => gstCents))).toBe(facts.gstCents);
  const stored = await database.db.selectFrom('tax_invoices').selectAll().where('number', '=', number).execute();
  expect(stored).toMatchObject([{ facts, total_cents: 335_812, gst_cents: 30_528 }]);
  await expect(issue(enrolment)).rejects.toThrow('invoiced before');
  await expect(issue(await place([{}]))).rejects.toThrow('can be invoiced');
});

test('P30: credits and the remaining amount add up to the cent, in price and in GST, and never exceed the invoice', async () => {
  const enrolment = await place([
    { courseDate: 'security-plus-online', price: 100_001 },
    { courseDate: 'security-plus-online', price: 100_003 },
    { monday: '2025-10-13', price: 33_337 },
  ]);
  const { facts } = await issue(enrolment);
  const [first = 0, second = 0, third = 0] = enrolment.places;
  const one = await credit(enrolment.id, [{ placeId: first, cents: 50_001 }]);
  expect(one[0]?.facts).toMatchObject({
    invoice: { number: facts.number, issuedOn: today },
    totalCents: 50_001,
    before: { totalCents: facts.totalCents, gstCents: facts.gstCents },
  });
  const left = await charged(enrolment.id);
  expect([left(first), left(second), left(third)]).toEqual([50_000, 100_003, 33_337]);
  await expect(credit(enrolment.id, [{ placeId: first, cents: 50_001 }])).rejects.toThrow('1 cents');
  const rest = await credit(enrolment.id, [
    { placeId: first, cents: 50_000 },
    { placeId: second, cents: 100_003 },
    { placeId: third, cents: 33_337 },
  ]);
  const notes = [...one, ...rest].map((note) => note.facts);
  expect(sum(notes.map(({ totalCents }) => totalCents))).toBe(facts.totalCents);
  expect(sum(notes.map(({ gstCents }) => gstCents))).toBe(facts.gstCents);
  expect(notes.at(-1)?.after).toEqual({ totalCents: 0, gstCents: 0 });
  for (const note of notes) expect(sum(note.lines.map(({ gstCents }) => gstCents))).toBe(note.gstCents);
});

test('P40: a place that was moved is credited under the invoice of the place it was', async () => {
  const enrolment = await place([{ courseDate: 'security-plus-online' }, { monday: '2025-10-13' }]);
  const [before = 0, after = 0] = enrolment.places;
  await issue({ id: enrolment.id, places: [before] });
  await database.db.updateTable('places').set({ transferred_from: before }).where('id', '=', after).execute();
  const [note] = await credit(enrolment.id, [{ placeId: after, cents: 114_950 }]);
  expect(note?.facts.lines).toMatchObject([{ description: 'CompTIA Security+ (SY0-701)', amountCents: 114_950 }]);
  expect((await charged(enrolment.id))(after)).toBe(114_950);
});

test('P30: wrong buyer details are corrected by a note and a new invoice for the remaining amount', async () => {
  const enrolment = await place([{ courseDate: 'security-plus-online' }, { courseDate: 'security-plus-online' }]);
  const { facts: old } = await issue(enrolment);
  const [first = 0] = enrolment.places;
  await credit(enrolment.id, [{ placeId: first, cents: 114_950 }]);
  await database.db.updateTable('enrolments').set({ buyer_name: 'A. Byron' }).where('id', '=', enrolment.id).execute();
  const [replacement, ...more] = await database.db
    .transaction()
    .execute((trx) => replaceInvoices(trx, { enrolmentId: enrolment.id, today: '2025-09-20', at }));
  expect(more).toEqual([]);
  const invoice = replacement?.invoice;
  expect(invoice?.facts).toMatchObject({
    buyer: { name: 'A. Byron' },
    replaces: old.number,
    dueOn: '2025-09-24',
    totalCents: 344_850,
    lines: [{ priceCents: 114_950 }, { priceCents: 229_900, detail: old.lines[1]?.detail }],
  });
  const notes = await database.db.selectFrom('adjustment_notes').selectAll().orderBy('id', 'desc').execute();
  expect(notes[0]).toMatchObject({ total_cents: 344_850, facts: { buyer: { name: 'Ada Byron' } } });
  expect(notes[0]?.reason).toContain(invoice?.facts.number);
  expect(replacement?.note.id).toBe(notes[0]?.id);
  expect((await charged(enrolment.id))(first)).toBe(114_950);
});

test('P30: numbers have no gaps, also when many are issued at once and some are rolled back', async () => {
  const last = async () => {
    const rows = await database.db
      .selectFrom('document_numbers')
      .selectAll()
      .where('kind', '<>', 'offer')
      .orderBy('kind')
      .execute();
    return rows.map((row) => row.last);
  };
  const [notesBefore = 0, invoicesBefore = 0] = await last();
  const enrolments: Awaited<ReturnType<typeof place>>[] = [];
  for (let count = 0; count < 12; count++) enrolments.push(await place([{ monday: '2025-10-13' }, {}]));
  for (const { id, places } of enrolments) {
    await issue({ id, places: places.slice(0, 1) });
    const guided = { way: 'guided', guided_from: '2025-10-20' } as const;
    await database.db
      .updateTable('places')
      .set(guided)
      .where('id', '=', places[1] ?? 0)
      .execute();
  }
  const numbers = await Promise.all(
    enrolments.map(({ id, places: [first = 0, second = 0] }, index) =>
      (index % 2 === 0 ? database.db : other)
        .transaction()
        .execute(async (trx) => {
          const give = { enrolmentId: id, credits: [{ placeId: first, cents: 100 }], reason: 'Cancelled', today, at };
          if (index % 2 === 0) await issueAdjustmentNotes(trx, give);
          const invoice = await issueTaxInvoice(trx, { enrolmentId: id, placeIds: [second], today, at });
          if (index % 2 === 1) await issueAdjustmentNotes(trx, give);
          if (index % 3 === 0) throw new Error('rolled back');
          return Number(invoice.facts.number.slice(4));
        })
        .catch((error: unknown) => {
          if (error instanceof Error && error.message === 'rolled back') return null;
          throw error;
        }),
    ),
  );
  const issued = numbers.filter((number) => number !== null).sort((a, b) => a - b);
  expect(issued).toEqual(Array.from({ length: 8 }, (_, index) => invoicesBefore + 13 + index));
  expect(await last()).toEqual([notesBefore + 8, invoicesBefore + 20]);
});
