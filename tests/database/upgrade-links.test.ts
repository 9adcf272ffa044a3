import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBookingByToken } from '#app/features/bookings/queries.server.ts';
import { findByToken } from '#app/features/conversations/links.server.ts';
import { findDraft } from '#app/features/enrolling/drafts.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { findWaitingEntry } from '#app/features/waiting/read-entry.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
  await sql`drop schema public cascade; create schema public`.execute(database.db);
});
afterAll(() => database.drop());

const hash = (token: string) => `'${hashOfToken(token)}'`;
/** One of everything a link leads to, with its link; the attendee has one as well. */
const rows = `
  set session_replication_role = replica;
  insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, ladder, placed_at, changed_at)
    values ('BB-222222', 'Before', 'Ada', 'ada@example.com', 'ada@example.com', 'person', '2025-09-08',
      '{"fullDays":14,"halfDays":7,"fullHours":24,"repricesKept":true}', now(), now());
  insert into attendees (enrolment_id, name, email, mailbox)
    select id, 'Mary', 'mary@example.com', 'mary@example.com' from enrolments;
  insert into waiting_entries (reference, course_id, seats, name, email, mailbox, joined_at)
    values ('BB-444444', 1, 1, 'Mary', 'mary@example.com', 'mary@example.com', now());
  insert into bookings (reference, kind, adviser, name, email, mailbox, starts_at, ends_at, occupied, created_at, changed_at)
    values ('BB-555555', 'virtual-tour', 1, 'Ada', 'ada@example.com', 'ada@example.com', now() + interval '3 days',
      now() + interval '3 days 1 hour', tstzrange(now() + interval '3 days', now() + interval '3 days 1 hour'), now(), now());
  insert into conversations (state_at, created_at, last_at, visitor_at) values (now(), now(), now(), now());
  insert into enrolment_drafts (token_hash, created_at, changed_at) values (${hash('first')}, now(), now());
  insert into enrolment_links select ${hash('buyer')}, id, null from enrolments;
  insert into enrolment_links select ${hash('attendee')}, enrolment_id, id from attendees;
  insert into waiting_links select ${hash('waiting')}, id from waiting_entries;
  insert into booking_links select ${hash('booking')}, id from bookings;
  insert into conversation_links select ${hash('chat')}, id from conversations;
  insert into enrolment_draft_links select ${hash('draft')}, id from enrolment_drafts;
  set session_replication_role = origin;`;

test('P32: private links of every kind from before lead where they led, to nothing else, and end with what they led to', async () => {
  const { db } = database;
  await migrateBetween(database.db, 1, 53);
  await sql.raw(rows).execute(db);
  await migrateBetween(database.db, 54, 9999);

  const led = async (token: string) => ({
    enrolment: await findLink(db, token),
    waiting: (await findWaitingEntry(db, token))?.reference ?? null,
    booking: (await findBookingByToken(db, token))?.reference ?? null,
    chat: await findByToken(db, token),
    draft: (await findDraft(db, token))?.id ?? null,
  });
  const nowhere = { enrolment: null, waiting: null, booking: null, chat: null, draft: null };
  const enrolment = { enrolmentId: 1, attendeeId: null };
  expect(await led('buyer')).toEqual({ ...nowhere, enrolment });
  expect(await led('attendee')).toEqual({ ...nowhere, enrolment: { ...enrolment, attendeeId: 1 } });
  expect(await led('waiting')).toEqual({ ...nowhere, waiting: 'BB-444444' });
  expect(await led('booking')).toEqual({ ...nowhere, booking: 'BB-555555' });
  expect(await led('chat')).toEqual({ ...nowhere, chat: 1 });
  expect(await led('draft')).toEqual({ ...nowhere, draft: 1 });
  expect(await led('first')).toEqual({ ...nowhere, draft: 1 });
  expect(await led('guessed')).toEqual(nowhere);

  await sql`delete from conversations`.execute(db);
  await sql`delete from bookings`.execute(db);
  await sql`delete from enrolment_drafts`.execute(db);
  expect(await led('chat')).toEqual(nowhere);
  expect(await db.selectFrom('private_links').select('token_hash').execute()).toHaveLength(3);
});

test('a link leads to one thing, and an attendee’s to an enrolment', async () => {
  const { db } = database;
  const values = (columns: object) => db.insertInto('private_links').values({ token_hash: 'x', ...columns });
  await expect(values({}).execute()).rejects.toThrow('check');
  await expect(values({ waiting_entry_id: 1, enrolment_id: 1 }).execute()).rejects.toThrow('check');
  await expect(values({ waiting_entry_id: 1, attendee_id: 1 }).execute()).rejects.toThrow('check');
});
