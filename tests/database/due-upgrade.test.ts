import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
});
afterAll(() => database.drop());

test('reminders that went out before are remembered, and payments from before are not told of now', async () => {
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 27);
  await sql
    .raw(
      `insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, placed_at, changed_at)
         values ('BB-7KQ2MX', 'Course', 'Ada', 'ada@example.com', 'ada@example.com', 'person', '2025-09-08', now(), now());
       insert into tax_invoices (number, enrolment_id, issued_on, total_cents, gst_cents, facts, created_at)
         select 7, id, '2025-09-08', 100000, 9091, '{"number": "INV-00007", "dueOn": "2025-09-22", "replaces": null}', now()
         from enrolments;
       insert into tax_invoice_lines select id, 1, null, 'Course', 100000, 9091 from tax_invoices;
       insert into payments (enrolment_id, amount_cents, received_on, method, source, recorded_at)
         select id, 40000, '2025-09-10', 'bank', 'one', now() from enrolments;
       insert into mails (kind, recipient, subject, body_text, body_html, headers, queued_at, dedupe_key)
         select 'payment-reminder', 'ada@example.com', 'Due', '', '', '{}', '2025-09-24T23:30:00Z',
           'payment-reminder:' || id || ':2025-09-22:3' from tax_invoices;`,
    )
    .execute(db);
  await migrateBetween(db, 28, 9999);
  const rows = await database.db.selectFrom('payment_reminders').select(['debt', 'step', 'sent_on']).execute();
  expect(rows).toEqual([{ debt: 7, step: 3, sent_on: '2025-09-25' }]);
  expect(await database.db.selectFrom('money_to_tell').selectAll().execute()).toEqual([]);
  const { id } = await database.db.selectFrom('enrolments').select('id').executeTakeFirstOrThrow();
  expect(await openInvoices(database.db, id)).toMatchObject([
    { debt: 7, openCents: 60_000, dueCents: 60_000, dueOn: '2025-09-22', undecided: false },
  ]);
});
