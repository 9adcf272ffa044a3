import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryCode } from '#app/features/enrolling/email-codes.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { tellJoined } from '#app/features/waiting/joined-mails.server.ts';
import { beginAttempt } from '#app/outbox/attempts.server.ts';
import { countFailedMail } from '#app/outbox/failed-mail.server.ts';
import { openMailHealth } from '#app/outbox/mail-health.server.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
  await sql`drop schema public cascade; create schema public`.execute(database.db);
});
afterAll(() => database.drop());

/** What a running academy has at any moment, with a confirmation under way and one whose link was erased. */
const rows = `
  set session_replication_role = replica;
  insert into enrolments (reference, title, buyer_name, email, mailbox, payer, organisation, accounts_email, terms_version,
      ladder, placed_at, changed_at)
    values ('BB-222222', 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'organisation', 'Engines',
      'Accounts@example.com', '2025-09-08', '{"fullDays":14,"halfDays":7,"fullHours":24,"repricesKept":true}', now(), now());
  insert into attendees (enrolment_id, name, email, mailbox) select id, 'Mary', 'mary@example.com', 'mary@example.com' from enrolments;
  insert into waiting_entries (reference, course_id, seats, name, email, mailbox, joined_at)
    values ('BB-444444', 1, 1, 'Mary', 'mary@example.com', 'mary@example.com', now());
  insert into bookings (reference, kind, adviser, name, email, mailbox, starts_at, ends_at, occupied, created_at, changed_at)
    values ('BB-555555', 'virtual-tour', 1, 'Ada', 'ada@example.com', 'ada@example.com', now() + interval '3 days',
      now() + interval '3 days 1 hour', tstzrange(now() + interval '3 days', now() + interval '3 days 1 hour'), now(), now());
  insert into enrolment_drafts (token_hash, created_at, changed_at) values ('draft', now(), now());
  insert into email_codes (draft_id, email, code_hash, sent_at) select id, 'eve@example.com', 'x', now() from enrolment_drafts;
  insert into mails (kind, recipient, subject, body_text, body_html, headers, secret, state, settled_at, attachments) values
    ('enrolment-placed', 'ada@example.com', 'Enrolled', 'At http://a.example/enrolment/abc', '<h1>At</h1>', '{}', true, 'queued', null,
      '[{"filename": "INV-1.pdf", "document": "tax-invoice:1"}]'),
    ('enrolment-placed', 'eve@example.com', 'Enrolled', '', '', '{}', true, 'failed', now(), '[]');
  set session_replication_role = origin;`;

test('P49: mail, codes, bookings and lists of a running academy go on after the update', async () => {
  const { db } = database;
  await migrateBetween(db, 1, 36);
  await sql.raw(rows).execute(db);
  await migrateBetween(db, 37, 9999);
  const now = new Date();

  const { id } = await db.selectFrom('mails').select('id').where('state', '=', 'queued').executeTakeFirstOrThrow();
  const begun = await beginAttempt(db, { mailId: id, domain: 'academy.example', links: mailLinks() }, now);
  expect(begun).toMatchObject({
    go: true,
    mail: { body_text: 'At http://a.example/enrolment/abc', attachments: [{ document: 'tax-invoice:1' }], late: false },
  });
  expect(await countFailedMail(db, { since: null }, now)).toEqual({ again: 0, stale: 0, erased: 1 });
  expect(await openMailHealth(db, { now: () => now, aheadMs: 0 })()).toMatchObject({
    state: 'unknown',
    waiting: 1,
    awaySince: null,
  });

  const enrolment = await db.selectFrom('enrolments').select('id').executeTakeFirstOrThrow();
  expect(await readEnrolment(db, enrolment.id)).toMatchObject({ accountsConfirmed: true });
  expect(await db.selectFrom('attendees').select('told').execute()).toEqual([{ told: true }]);
  // Calendars have this booking under its number.
  expect(await db.selectFrom('bookings').select('calendar_id').execute()).toEqual([{ calendar_id: null }]);
  expect(await tellJoined(db, momentAt('2025-09-08T09:00'))).toBe(0);
  const { draft_id: draftId } = await db.selectFrom('email_codes').select('draft_id').executeTakeFirstOrThrow();
  const tried = { draftId, email: 'eve@example.com', code: '000000', secret: 'x', at: now };
  expect(await db.transaction().execute((trx) => tryCode(trx, tried))).toEqual({
    ok: false,
    reason: 'wrong',
    triesLeft: 4,
  });
});
