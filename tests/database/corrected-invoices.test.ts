import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import { countCorrection } from '#app/features/enrolments/limits.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { documentsOf } from '#app/features/money/accounts.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { drawInTest } from '#tests/support/drawing.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P30: an invoice with corrected details has the present date of the course, and the paid amount', async () => {
  const { db } = database;
  const [first, second] = [await makeCourseDate(db), await makeCourseDate(db, { startsOn: '2025-11-17' })];
  const { enrolmentId } = await placeIn(db, first);
  const { email } = await readEnrolment(db, enrolmentId);
  const move = async (toCourseDateId: number) => {
    const place = (await readEnrolment(db, enrolmentId)).places.find(({ state }) => state === 'active');
    const transfer = { enrolmentId, placeId: place?.id ?? 0, toCourseDateId, actor: theProgram };
    const moment = momentAt('2025-09-09T09:00');
    expect(await transaction((trx) => transferPlace(trx, transfer, moment))).toMatchObject({ ok: true });
  };
  const correct = async (name: string): Promise<TaxInvoiceFacts | undefined> => {
    const payer = { kind: 'person', address: null } as const;
    const correction = { enrolmentId, name, phone: null, payer, actor: theBuyer };
    const moment = momentAt('2025-09-10T09:00');
    expect(await transaction((trx) => correctBuyer(trx, correction, moment))).toMatchObject({ changed: true });
    return (await documentsOf(db, enrolmentId))
      .flatMap((one) => (one.kind === 'tax-invoice' ? [one.facts] : []))
      .at(-1);
  };
  const wordsOf = async (facts: TaxInvoiceFacts | undefined) => {
    const drawn = facts && (await drawInTest({ kind: 'tax-invoice', facts }));
    if (!drawn?.ok) return expect.unreachable();
    const { pages } = await readPdf(Buffer.from(drawn.bytes));
    return pages
      .flatMap(({ text }) => text.map((one) => one.text))
      .join(' ')
      .replaceAll(/\s+/g, ' ');
  };
  const mailed = async () => {
    const mails = db.selectFrom('mails').select('body_text').where('kind', '=', 'buyer-corrected');
    const all = await mails.where('recipient', '=', email).orderBy('queued_at').orderBy('id').execute();
    return all.map(({ body_text }) => body_text.replaceAll(/\s+/g, ' '));
  };

  await move(second.id);
  await receive(db, enrolmentId, 100_000, momentAt('2025-09-09T10:00'));
  const moved = 'Online, 3 to 7 November 2025; now Online, 17 to 21 November 2025';
  const partly = await correct('Grace B. Hopper');
  expect(partly).toMatchObject({ totalCents: 549_900, paidCents: 100_000, lines: [{ detail: moved }] });
  const asked = await wordsOf(partly);
  expect(asked).toContain('Paid already AU$1,000');
  // AU$5,499 less AU$1,000.
  expect(asked).toContain('Amount AU$4,499');
  expect((await mailed()).join(' ')).toContain('AU$4,499 incl. GST is still to pay.');

  // Another correction says it once, and back on the first date there is nothing to say.
  expect((await correct('Grace Brewster Hopper'))?.lines).toMatchObject([{ detail: moved }]);
  await move(first.id);
  await receive(db, enrolmentId, 449_900, momentAt('2025-09-09T11:00'));
  const paid = await correct('Grace Hopper');
  expect(paid).toMatchObject({
    paidCents: 549_900,
    gstCents: 49_991,
    lines: [{ detail: 'Online, 3 to 7 November 2025' }],
  });
  const words = await wordsOf(paid);
  expect(words).toContain('AU$5,499 was paid before this invoice was issued. Nothing is left to pay.');
  expect(words).not.toMatch(/Pay by|BSB|Due/);
  const texts = await mailed();
  expect(texts.filter((text) => text.includes('When you pay'))).toHaveLength(2);
  expect(texts.filter((text) => text.includes('You owe nothing more.'))).toHaveLength(1);
});

test('P24, P30: a buyer has invoices replaced three times in a day and ten times in all', async () => {
  const { enrolmentId } = await placeIn(database.db, await makeCourseDate(database.db));
  const correct = async (day: string) => {
    const refused = await transaction((trx) => countCorrection(trx, enrolmentId, momentAt(`${day}T09:00`).now));
    return refused && [refused.of, refused.most];
  };
  for (const day of ['2025-09-08', '2025-09-10', '2025-09-12']) {
    expect([await correct(day), await correct(day), await correct(day)]).toEqual([null, null, null]);
    expect(await correct(day)).toEqual(['corrections', 3]);
  }
  expect([await correct('2025-09-14'), await correct('2025-09-14')]).toEqual([null, ['all-corrections', 10]]);
});
