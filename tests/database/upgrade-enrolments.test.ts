import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { migrate } from '#app/db/migrate.server.ts';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { refundSilent } from '#app/features/enrolments/session-changes.server.ts';
import { askForWayIn, tellBelowMinimum } from '#app/features/enrolments/session-notices.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { releaseExpiredHolds } from '#app/features/seats/commands.server.ts';
import { miscountedSessions, momentAt } from '#tests/support/enrolments.ts';
import { migrateTo } from '#tests/support/migrate-to.ts';
import { sampleContent } from '#tests/support/sample-content.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase('template', 'owner');
  db = database.db;
});
afterAll(() => database.drop());

const catalogue = `
  insert into categories values ('soc', 'SOC', 'eye', 1, 0);
  insert into instructors values ('mara', 'Mara Whitlock', 'SOC', '16 years', 'Mara ran a SOC.', 0);
  insert into courses (slug, title, category_slug, level, price_cents, hours, learners, rating, published_on,
      instructor_slug, description, overview, objectives, curriculum, prerequisites, credential, guided)
    select slug, upper(slug), 'soc', 'Beginner', 150000, 30, 100, 4.7, '2025-01-06', 'mara', 'A course.', 'It is one.',
      '{One}', '[{"module": "First", "topics": ["One"]}, {"module": "Second", "topics": ["Two"]}]', '{None.}', 'Badge', true
    from unnest(array['a', 'b']) slug;
  insert into training_sessions (slug, course_id, starts_on, ends_on, starts_at, ends_at, zone, instructor_slug, capacity,
      delivery, enrolment_ends_on, state, minimum, decided_by)
    select session.slug, courses.id, starts, starts + 4, '09:00', '17:00', 'Australia/Brisbane', 'mara', 6, 'online', starts - 1,
      state, 1, decided
    from courses, (values
      ('held', date '2025-09-15', 'confirmed', null::date), ('moved', '2025-11-03', 'confirmed', null),
      ('open', '2025-11-10', 'tentative', '2025-10-20'), ('off', '2025-11-17', 'cancelled', null)
    ) session (slug, starts, state, decided) where courses.slug = 'a';`;

/** An enrolment with a place of every kind, by what stands in \`why\`. */
const enrolments = `
  insert into people (name, email, email_verified, created_at, updated_at) values ('Staff', 'staff@example.com', true, now(), now());
  insert into enrolments (reference, title, buyer_name, email, mailbox, payer, terms_version, placed_at, changed_at)
    select reference, 'A', name, name || '@example.com', name || '@example.com', 'person', '2025-09-01',
      '2025-09-01T00:00:00Z', '2025-09-01T00:00:00Z'
    from (values ('BB-222222', 'ada'), ('BB-333333', 'mary')) buyer (reference, name);
  insert into attendees (enrolment_id, name) select id, 'Ada' from enrolments order by id;
  insert into places (enrolment_id, attendee_id, course_id, way, training_session_id, guided_from, opened_at, price_cents,
      state, placed_at, cancelled_at, cancelled_why, choose_by, choose_why)
    select e.id, t.id, c.id, way, s.id, monday, opened, 150000, coalesce(ended, 'active'), '2025-09-01T00:00:00Z',
      case when ended = 'cancelled' then timestamptz '2025-09-02T00:00:00Z' end, why, choose,
      case s.slug when 'moved' then 'session-moved' when 'off' then 'session-cancelled' end
    from (values
      (1, 'session', 'held', null::date, null::timestamptz, null, null, null::date),
      (2, 'session', 'held', null, null, 'cancelled', 'buyer', null),
      (3, 'session', 'moved', null, null, null, null, '2025-11-20'),
      (4, 'session', 'open', null, null, 'cancelled', 'transfer', null),
      (5, 'session', 'off', null, null, null, null, '2025-10-20'),
      (6, 'guided', null, '2025-09-15', '2025-09-16T00:00:00Z', null, null, null),
      (7, 'guided', null, '2024-09-02', '2024-09-03T00:00:00Z', null, null, null),
      (8, 'guided', null, '2025-09-15', null, 'cancelled', 'staff', null),
      (9, 'next-date', null, null, null, null, null, null)
    ) place (number, way, slug, monday, opened, ended, why, choose)
      join enrolments e on e.reference = 'BB-222222' join attendees t on t.enrolment_id = e.id join courses c on c.slug = 'a'
      left join training_sessions s on s.slug = place.slug
    order by number;
  update places set choose_by = null, choose_why = null where state <> 'active' or choose_by is null;
  -- Moved from the tentative session to the one that is held.
  insert into places (enrolment_id, attendee_id, course_id, way, training_session_id, price_cents, placed_at, transferred_from)
    select enrolment_id, attendee_id, course_id, 'session', (select id from training_sessions where slug = 'held'), 150000,
      '2025-09-03T00:00:00Z', id from places where cancelled_why = 'transfer';
  insert into seat_movements (training_session_id, kind, seats, place_id, at)
    select training_session_id, 'sale', 1, id, placed_at from places where way = 'session' and state <> 'cancelled'
    and training_session_id <> (select id from training_sessions where slug = 'off');
  insert into waiting_entries (reference, course_id, training_session_id, seats, name, email, mailbox, joined_at, enrolment_id)
    select 'BB-444444', course_id, null::bigint, 1, 'ada', 'ada@example.com', 'ada@example.com', placed_at, enrolment_id
      from places where way = 'next-date'
    union all select 'BB-555555', course_id, id, 2, 'mo', 'mo@example.com', 'mo@example.com', now(), null
      from training_sessions where slug = 'held';
  insert into enrolment_drafts (token_hash, created_at, changed_at) values ('draft', now(), now());
  insert into seat_holds (training_session_id, seats, purpose, draft_id, made_at, expires_at)
    select s.id, h.seats, purpose, d.id, '2025-09-08T00:00:00Z', expires from training_sessions s,
      (values (1, 'enrolment', timestamptz '2025-09-08T00:15:00Z'), (1, 'offer', null), (1, 'quote', null)) h (seats, purpose, expires)
      left join enrolment_drafts d on h.purpose = 'enrolment' where s.slug = 'held';
  insert into seat_movements (training_session_id, kind, seats, hold_id, at)
    select training_session_id, 'hold', seats, id, made_at from seat_holds;
  insert into waiting_offers (entry_id, training_session_id, hold_id, seats, made_at, mailed_at)
    select w.id, h.training_session_id, h.id, 1, h.made_at, h.made_at from seat_holds h, waiting_entries w
    where h.purpose = 'offer' and w.reference = 'BB-555555';`;

const money = `
  insert into tax_invoices (number, enrolment_id, issued_on, total_cents, gst_cents, facts, created_at)
    select number, e.id, '2025-09-01', cents, gst,
      jsonb_build_object('number', 'INV-0000' || number, 'dueOn', '2025-09-15', 'replaces', replaces), now()
    from enrolments e, (values (1, 300000, 27273, null), (2, 150000, 13636, 'INV-00001'))
      invoice (number, cents, gst, replaces) where reference = 'BB-222222';
  insert into tax_invoice_lines select i.id, row_number() over (partition by i.id order by p.id), p.id, 'A', 150000, 13636
    from tax_invoices i join places p on p.enrolment_id = i.enrolment_id and p.way = 'session'
      and (i.number = 1 and p.cancelled_why in ('buyer', 'transfer') or i.number = 2 and p.cancelled_why = 'transfer');
  insert into adjustment_notes (number, tax_invoice_id, issued_on, reason, total_cents, gst_cents, facts, created_at)
    select 1, id, '2025-09-02', 'Corrected', 225000, 20455, '{"number": "ADJ-00001"}', now() from tax_invoices where number = 1;
  -- All of the moved place, which stands on the second invoice, and half of the cancelled one.
  insert into adjustment_note_lines
    select n.id, l.position, l.position, l.place_id, case when p.cancelled_why = 'transfer' then 150000 else 75000 end, 0
    from adjustment_notes n join tax_invoice_lines l on l.tax_invoice_id = n.tax_invoice_id join places p on p.id = l.place_id;
  insert into payments (enrolment_id, amount_cents, received_on, method, source, words, recorded_at)
    select id, 100000, date '2025-09-05', 'bank', 'one', 'INV 1', now() from enrolments where reference = 'BB-222222'
    union all select null, 5000, '2025-09-05', 'bank', 'two', 'no reference', now()
    union all select id, 20000, '2025-09-05', 'card', 'pi_1', null, now() from enrolments where reference = 'BB-222222';
  insert into refunds (payment_id, enrolment_id, amount_cents, state, reason, source, recorded_at)
    select id, enrolment_id, 10000, state, 'Too much', 'refund-' || state, now() from payments, unnest(array['sent', 'failed']) state
    where source = 'one';
  insert into card_checkouts (key, enrolment_id, amount_cents, stripe_id, url, state, made_at, expires_at)
    select gen_random_uuid(), id, 115000, 'cs_1', 'https://pay.example', 'open', now(), now() from enrolments where reference = 'BB-222222';
  insert into mails (kind, recipient, subject, body_text, body_html, headers, queued_at, dedupe_key)
    select 'payment-reminder', 'ada@example.com', 'Due', '', '', '{}', '2025-09-12T00:00:00Z', 'payment-reminder:' || id || ':2025-09-15:-3'
    from tax_invoices where number = 2;
  insert into audit_entries (at, action, subject, details) values ('2025-09-02T00:00:00Z', 'confirm-session', 'training-session:moved', '{}');`;

test('a database with enrolments, seats, waiting lists and money is upgraded in one step, and every job goes on with it', async () => {
  await migrateTo(db, 26);
  for (const text of [catalogue, enrolments, money]) await sql.raw(text).execute(db);
  const { site, holidays } = sampleContent([]);
  for (const [name, body] of Object.entries({ site, holidays })) {
    await db
      .insertInto('site_content')
      .values({ name, body: JSON.stringify(body) })
      .execute();
  }

  expect(await migrate(db)).toContain('0036_due_since_decided');

  expect(await miscountedSessions(db)).toEqual([]);
  const { rows: seats } = await sql`select slug, sold, held, offered from session_seats
    join training_sessions on id = training_session_id order by slug`.execute(db);
  expect(seats).toEqual([
    { slug: 'held', sold: 2, held: 2, offered: 1 },
    { slug: 'moved', sold: 1, held: 0, offered: 0 },
    { slug: 'off', sold: 0, held: 0, offered: 0 },
    { slug: 'open', sold: 0, held: 0, offered: 0 },
  ]);
  const { id } = await db
    .selectFrom('enrolments')
    .select('id')
    .where('reference', '=', 'BB-222222')
    .executeTakeFirstOrThrow();
  const enrolment = await readEnrolment(db, id);
  // Calendars know these places by their numbers.
  expect(enrolment.places.map(({ calendarId }) => calendarId)).toEqual(enrolment.places.map(() => null));
  expect(enrolment.ladder).toEqual({
    fullDays: 14,
    halfDays: 7,
    fullHours: 24,
    repricesKept: false,
    capsResale: false,
  });
  expect(
    enrolment.places.map(({ way, modules, chooseBy }) => [
      way,
      modules.map(({ openedAt }) => openedAt !== null),
      chooseBy,
    ]),
  ).toEqual([
    ['session', [], null],
    ['session', [], null],
    ['session', [], '2025-11-02'],
    ['session', [], null],
    ['session', [], '2025-10-20'],
    ['guided', [true, false], null],
    ['guided', [true, false], null],
    ['guided', [false, false], null],
    ['next-date', [], null],
    ['session', [], null],
  ]);
  // What was sold before asks for the usual: the courses have 30 hours for Beginners.
  const { rows: rules } = await sql<{ way: string; completion: unknown }>`
    select distinct way, completion from places order by way, completion`.execute(db);
  const dated = { hours: 30, level: 'Beginner', attendance: 80 };
  expect(rules).toEqual([
    { way: 'guided', completion: { hours: 30, level: 'Beginner', exercises: 'all' } },
    { way: 'next-date', completion: dated },
    { way: 'session', completion: dated },
  ]);
  // AU$1,100 is left of what was paid: half of the cancelled place first, then of the moved one, which is AU$1,500.
  expect(
    (await openInvoices(db, id)).map(({ debt, dueOn, openCents, firstDay }) => [debt, dueOn, openCents, firstDay]),
  ).toEqual([[1, '2025-09-15', 115_000, '2025-09-15']]);

  const when = momentAt('2025-09-12T09:00');
  expect(await releaseExpiredHolds(db, when.now)).toBe(1);
  // The reminder of the invoice that replaced the first one was for the same debt.
  const told = await db.selectFrom('payment_reminders').select(['debt', 'step', 'sent_on']).execute();
  expect(told).toEqual([{ debt: 1, step: -3, sent_on: '2025-09-12' }]);
  expect(await queuePaymentReminders(db, momentAt('2025-09-13T09:00'))).toBe(0);
  expect(await queueReceipts(db, when)).toBe(0);
  expect(await completeGuided(db, when)).toBe(1);
  expect(await askForWayIn(db, when)).toBe(1);
  await db.updateTable('training_sessions').set({ joining_link: 'https://class.example/1' }).execute();
  // Of the two places in one session whose attendees have no address, the buyer hears in one mail.
  expect(await queuePlaceReminders(db, when)).toBe(2);
  for (const job of [refundSilent, refundSoldAgain, tellBelowMinimum]) expect(await job(db, when)).toBe(0);
  expect(await db.selectFrom('job_faults').selectAll().execute()).toEqual([]);
  expect(await miscountedSessions(db)).toEqual([]);
});
