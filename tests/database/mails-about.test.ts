import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { eraseMails } from '#app/outbox/erase-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { readEnrolmentForStaff } from '#app/routes/staff/enrolments/enrolment-page.server.ts';
import { makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
afterEach(() => database.drop());
const start = momentAt('2025-09-08T09:00');

test('staff see the mails about an enrolment, whatever their subjects say', async () => {
  database = await createTestDatabase('academyTemplate');
  const { db } = database;
  const session = await makeSession(db);
  const one = await placeIn(db, session);
  const other = await placeIn(db, session);
  const read = async (id: number) =>
    db.selectFrom('enrolments').select(['reference', 'email']).where('id', '=', id).executeTakeFirstOrThrow();
  const { reference, email } = await read(one.enrolmentId);
  const body = { replyTo: 'a@academy.example', text: 'Text', html: '<p>Text</p>' };
  const about = { kind: 'enrolment', id: one.enrolmentId } as const;
  await queueMail(db, { ...body, kind: 'sample', about, to: email, subject: 'No reference' });
  await queueMail(db, { ...body, kind: 'sample', about: 'nothing', to: email, subject: `Something of ${reference}` });
  // Somebody else's enrolment, to the same address.
  const elsewhere = { ...about, id: other.enrolmentId };
  await queueMail(db, { ...body, kind: 'sample', about: elsewhere, to: email, subject: `Like ${reference}` });
  const listing = (ids: number[]) => {
    const links = ids.map((id) => `enrolment:${id}`);
    const text = links.map((name) => `{${name}}`).join();
    return { kind: 'enrolment-links', about: 'nothing', to: email, links, text, html: text } as const;
  };
  await queueMail(db, { ...listing([other.enrolmentId, one.enrolmentId]), subject: 'Your links' });
  await queueMail(db, { ...listing([other.enrolmentId]), subject: 'The links of others' });
  const whole = await readEnrolmentForStaff(db, anOwner, reference, start);
  expect(whole?.mails.map(({ kind, subject }) => (kind === 'enrolment-placed' ? kind : subject)).sort()).toEqual([
    'No reference',
    'Your links',
    'enrolment-placed',
  ]);
});

test('P31: a reminder of a place is not sent again when its mail was erased', async () => {
  database = await createTestDatabase('academyTemplate');
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-09-15' });
  await placeIn(db, session);
  await sql`update places set placed_at = '2025-09-01T09:00:00+10:00'`.execute(db);
  expect(await queuePlaceReminders(db, start)).toBe(1);
  await eraseMails(db, (mail) => mail('kind', '=', 'place-reminder'));
  expect(await queuePlaceReminders(db, start)).toBe(0);
});

const before = `
  set session_replication_role = replica;
  insert into enrolments (id, reference, title, buyer_name, email, mailbox, payer, organisation, terms_version, ladder, placed_at, changed_at)
    overriding system value values (7, 'BB-222222', 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'organisation', 'Engines', '2025-09-08',
      '{"fullDays":14,"halfDays":7,"fullHours":24,"repricesKept":true}', now(), now());
  insert into bookings (id, reference, kind, adviser, name, email, mailbox, starts_at, ends_at, occupied, created_at, changed_at)
    overriding system value values (8, 'BB-555555', 'virtual-tour', 1, 'Ada', 'ada@example.com', 'ada@example.com', now(),
      now() + interval '1 hour', tstzrange(now(), now() + interval '1 hour'), now(), now());
  insert into waiting_entries (id, reference, course_id, seats, name, email, mailbox, joined_at)
    overriding system value values (9, 'BB-444444', 1, 1, 'Mary', 'm@example.com', 'm@example.com', now());
  insert into waiting_offers (id, entry_id, training_session_id, seats, made_at, hold_id)
    overriding system value values (10, 9, 1, 1, now(), 1);
  insert into enquiries (id, reference, kind, idempotency_key, body_hash, first_name, last_name, email, marketing_consent, details, created_at)
    overriding system value values (11, 'BB-333333', 'contact', gen_random_uuid(), 'h', 'Ada', 'Byron', 'ada@example.com', false, '{}', now());
  insert into enrolment_drafts (id, token_hash, created_at, changed_at) overriding system value values (12, 'draft', now(), now());
  insert into mails (id, kind, recipient, subject, body_text, body_html, headers, links, dedupe_key) values
    ('00000000-0000-0000-0000-000000000001', 'enrolment-placed', 'a@b.example', 'You', '', '', '{}', '{enrolment:7}', null),
    ('00000000-0000-0000-0000-000000000002', 'place-given', 'a@b.example', 'You', '', '', '{}', '{place:7:3}', 'place-reminder:1:2025-09-15:7'),
    ('00000000-0000-0000-0000-000000000003', 'waiting-offer', 'a@b.example', 'You', '', '', '{}', '{waiting-offer:10,waiting-offer-end:10}', null),
    ('00000000-0000-0000-0000-000000000004', 'enrolment-links', 'a@b.example', 'You', '', '', '{}', '{enrolment:7,enrolment:8}', null),
    ('00000000-0000-0000-0000-000000000005', 'invoice-copy', 'a@b.example', 'Tax invoice (BB-222222)', '', '', '{}', '{}', null),
    ('00000000-0000-0000-0000-000000000006', 'booking-notice', 'a@b.example', 'Booked: Tour (BB-555555)', '', '', '{}', '{}', null),
    ('00000000-0000-0000-0000-000000000007', 'enquiry-answer', 'a@b.example', 'Hello', '', '', '{}', '{}', 'enquiry-answer:BB-333333:x'),
    ('00000000-0000-0000-0000-000000000008', 'email-code', 'a@b.example', 'Code', '', '', '{}', '{}', null),
    ('00000000-0000-0000-0000-000000000009', 'job-fault', 'a@b.example', 'Fault BB-999999', '', '', '{}', '{}', null);
  insert into email_codes (draft_id, email, code_hash, sent_at, mail_id)
    values (12, 'a@b.example', 'x', now(), '00000000-0000-0000-0000-000000000008');
  set session_replication_role = origin;`;

test('mails of before say what they are about after the update, where that is known', async () => {
  database = await createTestDatabase('template', 'owner');
  const { db } = database;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(database.db, 1, 55);
  await sql.raw(before).execute(db);
  await migrateBetween(database.db, 56, 59);
  const { rows } = await sql<{ about: string | null }>`
    select about_kind || ' ' || about_id as about from mails order by id`.execute(db);
  expect(rows.map(({ about }) => about)).toEqual([
    'enrolment 7',
    'enrolment 7',
    'waiting-entry 9',
    null,
    'enrolment 7',
    'booking 8',
    'enquiry 11',
    'enrolment-draft 12',
    null,
  ]);
  expect(await db.selectFrom('place_reminders').select('key').execute()).toEqual([
    { key: 'place-reminder:1:2025-09-15:7' },
  ]);
});
