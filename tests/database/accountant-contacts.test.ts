import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import type { Payer } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { makeAccountantFiles, takeAccountantFile } from '#app/features/money/accountant/files.server.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const moment = momentAt('2025-09-10T09:00');
const at = moment.now;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P83: an adjustment note and a replacing invoice keep the contact of the first, whatever was corrected', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'grace@example.com', name: 'Grace' }, at);
  const buyer = { name: 'Ada Biron', email: 'ada@example.com', phone: null };
  const { enrolmentId } = await placeIn(db, await makeCourseDate(db), { buyer });
  const { reference } = await readEnrolment(db, enrolmentId);
  /** Contact and number of each document that was in no file yet. */
  const exported = async (kind: 'tax-invoice' | 'adjustment-note') => {
    await transaction((trx) => makeAccountantFiles(trx, { kind, until: '2025-12-31', accountCode: '200', actor, at }));
    const { id } = await db
      .selectFrom('accountant_files')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const file = await transaction((trx) => takeAccountantFile(trx, { id, again: false, actor, at }));
    return file?.ok ? file.rows.map((row) => [row[0], row[10]]) : expect.unreachable();
  };
  const correct = async (name: string, email: string, payer: Payer) => {
    await db.updateTable('enrolments').set({ email }).where('id', '=', enrolmentId).execute();
    const correction = { enrolmentId, name, phone: null, payer, actor };
    expect(await transaction((trx) => correctBuyer(trx, correction, moment))).toMatchObject({ changed: true });
  };

  const ada = `Ada Biron (${reference})`;
  expect(await exported('tax-invoice')).toEqual([[ada, 'INV-00001']]);
  await correct('Ada Byron', 'ada@byron.example', { kind: 'person', address: null });
  expect(await exported('adjustment-note')).toEqual([[ada, 'ADJ-00001']]);
  expect(await exported('tax-invoice')).toEqual([[ada, 'INV-00002']]);

  // Somebody else pays, whose name is corrected too.
  const paid = {
    kind: 'organisation',
    address: '1 Mill Lane, Brisbane',
    abn: '51824753556',
    purchaseOrder: null,
  } as const;
  await correct('Ada Byron', 'ada@byron.example', { ...paid, organisation: 'Health', accountsEmail: null });
  expect(await exported('adjustment-note')).toEqual([[ada, 'ADJ-00002']]);
  const health = 'Health (ABN 51 824 753 556)';
  expect(await exported('tax-invoice')).toEqual([[health, 'INV-00003']]);
  await correct('Ada Byron', 'ada@byron.example', {
    ...paid,
    organisation: 'Department of Health',
    accountsEmail: 'accounts@health.example',
  });
  expect(await exported('adjustment-note')).toEqual([[health, 'ADJ-00003']]);
  expect(await exported('tax-invoice')).toEqual([[health, 'INV-00004']]);
});

test('P30: the file has an accounts address once its reader agreed to copies, and the buyer’s own until then', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'mary@example.com', name: 'Mary' }, at);
  const buyer = { name: 'Jo Byron', email: 'jo@example.com', phone: null };
  const whole = { abn: null, address: null, purchaseOrder: null, accountsEmail: 'accounts@clinic.example' };
  const payer = { kind: 'organisation', organisation: 'Clinic', ...whole } as const;
  await placeIn(db, await makeCourseDate(db), { buyer, payer });
  const made = { kind: 'tax-invoice', until: '2025-12-31', accountCode: '200', actor, at } as const;
  await transaction((trx) => makeAccountantFiles(trx, made));
  const { id } = await db.selectFrom('accountant_files').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const emails = async () => {
    const file = await transaction((trx) => takeAccountantFile(trx, { id, again: true, actor, at }));
    return file?.ok ? file.rows.map((row) => row[1]) : expect.unreachable();
  };
  expect(await emails()).toEqual(['jo@example.com']);
  await db.updateTable('accounts_addresses').set({ confirmed_at: at }).where('confirmed_at', 'is', null).execute();
  expect(await emails()).toEqual(['accounts@clinic.example']);
});
