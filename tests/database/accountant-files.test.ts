import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listAccountantFiles,
  makeAccountantFiles,
  takeAccountantFile,
  waitingDocuments,
} from '#app/features/money/accountant/files.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { enrolInvoiced } from '#tests/support/money.ts';
import { anOwner, makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const contact = /^Ada Byron \(BB-[2-9A-HJ-NP-Z]{6}\)$/;
const at = new Date('2025-10-01T09:00:00+10:00');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

test('P83: every document is in one file of 500 at most, by a day of issue, and is given again only on purpose', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, at);
  await enrolInvoiced(db, { today: '2025-09-08', at });
  // 502 more, the last two of them on the first day of the next quarter.
  await sql`insert into tax_invoices (number, issued_on, total_cents, gst_cents, facts, created_at)
    select made, case when made > 501 then '2025-10-01' else '2025-09-30' end::date, 229900, 20900,
      facts || jsonb_build_object('number', 'INV-' || lpad(made::text, 5, '0')), created_at
    from tax_invoices, generate_series(2, 503) as made`.execute(db);
  const make = (until: string, kind: 'tax-invoice' | 'adjustment-note' = 'tax-invoice') =>
    db.transaction().execute((trx) => makeAccountantFiles(trx, { kind, until, accountCode: '200', actor, at }));
  expect(await waitingDocuments(db, actor)).toEqual({
    'tax-invoice': { documents: 503, totalCents: 115_639_700, firstDay: '2025-09-08', more: false },
    'adjustment-note': { documents: 0, totalCents: 0, firstDay: null, more: false },
  });
  expect(await make('2025-09-07')).toBe(0);
  expect(await make('2025-09-30')).toBe(2);
  expect(await make('2025-09-30')).toBe(0);
  expect(await make('2025-10-01')).toBe(1);
  expect(await make('2025-10-01', 'adjustment-note')).toBe(0);
  const { files } = await listAccountantFiles(db, actor, null);
  expect(files.map(({ first_number, last_number, documents }) => [first_number, last_number, documents])).toEqual([
    [502, 503, 2],
    [501, 501, 1],
    [1, 500, 500],
  ]);
  expect(files[2]).toMatchObject({ total_cents: 114_950_000, gst_cents: 10_450_000, gst_differs: [], made_by: 'Ada' });
  expect((await waitingDocuments(db, actor))['tax-invoice'].documents).toBe(0);

  const take = (again: boolean) =>
    db.transaction().execute((trx) => takeAccountantFile(trx, { id: files[2]?.id ?? 0, again, actor, at }));
  const first = await take(false);
  expect(first).toMatchObject({ ok: true, isAgain: false, first: 1, last: 500 });
  expect(await take(false)).toEqual({ ok: false, takenAt: at });
  const second = await take(true);
  expect(second).toMatchObject({ ok: true, isAgain: true });
  if (!first?.ok || !second?.ok) return expect.unreachable();
  expect(second.rows).toEqual(first.rows);
  expect(new Set(first.rows.map((row) => row[10])).size).toBe(500);
  expect(first.rows[0]?.slice(0, 2)).toEqual([expect.stringMatching(contact), 'ada@example.com']);
});

test('P83: a file that is made again has no address of a buyer who was erased', async () => {
  const { db } = database;
  await db.updateTable('enrolments').set({ email: 'erased-1@bowerbird.invalid' }).execute();
  const { id } = await db.selectFrom('accountant_files').select('id').orderBy('id').executeTakeFirstOrThrow();
  const file = await db
    .transaction()
    .execute((trx) => takeAccountantFile(trx, { id, again: true, actor: anOwner, at }));
  if (!file?.ok) return expect.unreachable();
  expect(file.rows[0]?.slice(0, 2)).toEqual([expect.stringMatching(contact), null]);
});

test('P83: no document can be in two files', async () => {
  const again = database.db
    .insertInto('accountant_files')
    .values({
      ...{ kind: 'tax-invoice', first_number: 500, last_number: 600, documents: 101, total_cents: 0, gst_cents: 0 },
      ...{ account_code: '200', gst_differs: [], made_at: at },
    })
    .execute();
  await expect(again).rejects.toThrow('conflicting key value');
});

test('P68: a reader takes no file', async () => {
  const reader = staffActor(anOwner.person, 'reader');
  await expect(waitingDocuments(database.db, reader)).rejects.toThrow(NotPermitted);
});
