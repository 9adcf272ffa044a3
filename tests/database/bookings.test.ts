import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import {
  type BookingWish,
  bookTime,
  cancelBooking,
  moveBooking,
} from '#app/features/inbox/bookings/commands.server.ts';
import { expireBookingsDaily } from '#app/features/inbox/bookings/erase.server.ts';
import { makeBookingLink } from '#app/features/inbox/bookings/links.server.ts';
import { queueBookingMails, queueReminders } from '#app/features/inbox/bookings/mails.server.ts';
import {
  findBooking,
  findBookingByToken,
  listBookings,
  readTakenAhead,
} from '#app/features/inbox/bookings/queries.server.ts';
import { bookableDays, freeStartsOn } from '#app/features/inbox/bookings/rules.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { beginAttempt } from '#app/outbox/attempts.server.ts';
import { changeBooking } from '#app/routes/links/booking/change.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner } from '#tests/support/staff.ts';
import { patientLimits } from '#tests/support/test-database.ts';

const attemptAt = (mailId: string) => ({ mailId, domain: 'academy.example', links: mailLinks() });

const settings: BookingSettings = {
  advisers: 3,
  pause: 10,
  breaks: [],
  lengths: { 'career-counseling': 30, 'virtual-tour': 20 },
  holidays: new Set(),
};
const brisbane = (text: string) => new Date(`${text}:00+10:00`);
const now = brisbane('2025-09-08T09:00');
const nine = brisbane('2025-09-09T09:00');
const context = { settings, now };

let database: SharedDatabase;
const opened: Db[] = [];
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
});

let people = 0;
const wish = (parts: Partial<BookingWish> = {}): BookingWish => ({
  kind: 'career-counseling',
  start: nine,
  name: 'Ada Byron',
  email: `person${++people}@example.com`,
  note: '',
  about: null,
  ...parts,
});
const book = (asked: BookingWish, parts: Partial<typeof context> = {}, db = database.db) =>
  db.transaction().execute((trx) => bookTime(trx, asked, { ...context, ...parts }));
async function booked(asked: BookingWish, parts: Partial<typeof context> = {}) {
  const result = await book(asked, parts);
  if (!result.ok || !result.booking) expect.unreachable(JSON.stringify(result));
  return result.booking;
}
const move = (id: number, start: Date, parts: Partial<typeof context> = {}) =>
  database.db.transaction().execute((trx) => moveBooking(trx, id, start, { ...context, ...parts }));
const cancel = (id: number, parts: Partial<typeof context> = {}) =>
  database.db.transaction().execute((trx) => cancelBooking(trx, id, { ...context, ...parts }));

test('P20: fifty people book the same time at once: as many get it as there are advisers, the others the next', async () => {
  // Two pools of ten connections, as two processes have.
  const pools = [database.db, createDb(database.connection, () => undefined, patientLimits)];
  opened.push(...pools.slice(1));
  const results = await Promise.all(Array.from({ length: 50 }, (_, at) => book(wish(), {}, pools[at % 2])));
  expect(results.filter(({ ok }) => ok)).toHaveLength(3);
  const refused = results.filter((result) => !result.ok);
  expect(new Set(refused.map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify({ ok: false, reason: 'taken', next: brisbane('2025-09-09T09:45') })]),
  );
  const rows = await database.db.selectFrom('bookings').select('adviser').orderBy('adviser').execute();
  expect(rows.map(({ adviser }) => adviser)).toEqual([1, 2, 3]);
});

test('P20: people who book, move and cancel all at once never share an adviser', async () => {
  const starts = bookableDays(now)
    .slice(1, 2)
    .flatMap((day) => freeStartsOn(day, 'career-counseling', settings, { taken: [], now }));
  const at = (index: number) => starts[index % starts.length] ?? nine;
  const first = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      book(wish({ start: at(index), kind: index % 3 === 0 ? 'virtual-tour' : 'career-counseling' })),
    ),
  );
  const ids = first.flatMap((result) => (result.ok && result.booking ? [result.booking.id] : []));
  expect(ids.length).toBeGreaterThan(10);
  await Promise.all([
    ...ids.map((id, index) => (index % 5 === 0 ? cancel(id) : move(id, at(index * 7 + 1)))),
    ...Array.from({ length: 20 }, (_, index) => book(wish({ start: at(index + 3) }))),
  ]);
  const { rows } = await sql<{ overlaps: number }>`
    select count(*) as overlaps from bookings a join bookings b
    on a.id < b.id and a.adviser = b.adviser and a.occupied && b.occupied
      and a.cancelled_at is null and b.cancelled_at is null`.execute(database.db);
  expect(rows).toEqual([{ overlaps: 0 }]);
});

test('the constraint refuses overlapping bookings that bypass the command', async () => {
  const { id } = await booked(wish());
  const copy = database.db
    .insertInto('bookings')
    .columns([
      'reference',
      'kind',
      'adviser',
      'starts_at',
      'ends_at',
      'occupied',
      'name',
      'email',
      'mailbox',
      'created_at',
      'changed_at',
    ])
    .expression((row) =>
      row
        .selectFrom('bookings')
        .select([
          sql<string>`'BB-222222'`.as('reference'),
          'kind',
          'adviser',
          'starts_at',
          'ends_at',
          'occupied',
          'name',
          'email',
          'mailbox',
          'created_at',
          'changed_at',
        ])
        .where('id', '=', id),
    );
  await expect(copy.execute()).rejects.toMatchObject({ constraint: 'one_booking_at_a_time' });
  await cancel(id);
  await copy.execute();
});

test('references never collide: one that is taken is drawn again', async () => {
  const { reference } = await booked(wish());
  const drawn = [reference, reference, 'BB-333333'];
  const result = await database.db
    .transaction()
    .execute((trx) => bookTime(trx, wish(), context, () => drawn.shift() ?? 'none'));
  expect(result).toMatchObject({ ok: true, reference: 'BB-333333' });
});

test('P25: the same person asking for the same time in the same words has one booking', async () => {
  const asked = wish({ note: 'About the cloud' });
  const copies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => book({ ...asked, email: at % 2 ? asked.email : asked.email.toUpperCase() })),
  );
  expect(new Set(copies.map((result) => result.ok && result.reference)).size).toBe(1);
  expect(copies.filter((result) => result.ok && !result.repeat)).toHaveLength(1);
});

test('P24: an address gets one new booking an hour and three to come, however it is spelled', async () => {
  const email = 'ada@example.com';
  const start = (day: number) => brisbane(`2025-09-${String(day).padStart(2, '0')}T09:00`);
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
  await booked(wish({ email }));
  const soon = [wish({ email: 'ADA+tour@example.com', start: start(10) }), wish({ email, note: 'Other words' })];
  for (const asked of soon) {
    expect(await book(asked, { now: hours(0.99) })).toEqual({ ok: false, reason: 'too-soon' });
  }
  const second = await booked(wish({ email, start: start(10) }), { now: hours(1) });
  await booked(wish({ email, start: start(11) }), { now: hours(2) });
  expect(await book(wish({ email, start: start(12) }), { now: hours(3) })).toEqual({ ok: false, reason: 'too-many' });
  await cancel(second.id);
  await booked(wish({ email, start: start(12) }), { now: hours(3) });
});

test('P20: an address has one booking at a time: it takes one adviser, also by another kind, another note, or a move', async () => {
  const email = 'ada@example.com';
  const hours = (count: number) => ({ now: new Date(now.getTime() + count * 3_600_000) });
  const first = await booked(wish({ email }));
  const overlapping = [
    wish({ email, note: 'Other words' }),
    wish({ email: 'ADA+2@example.com', name: 'Ada' }),
    wish({ email, kind: 'virtual-tour' }),
  ];
  for (const asked of overlapping) expect(await book(asked, hours(2))).toEqual({ ok: false, reason: 'overlaps' });
  const second = await booked(wish({ email, start: brisbane('2025-09-09T09:45') }), hours(2));
  expect(await move(second.id, nine)).toEqual({ ok: false, reason: 'overlaps' });
  expect(await book(wish(), hours(2))).toMatchObject({ ok: true });
  await cancel(first.id);
  expect(await move(second.id, nine)).toMatchObject({ ok: true, booking: { startsAt: nine } });
});

test('P20: a moved booking frees its time and takes another; a cancelled one frees it; both once', async () => {
  const one = { settings: { ...settings, advisers: 1 } };
  const { id, reference } = await booked(wish(), one);
  expect(await book(wish(), one)).toMatchObject({ reason: 'taken' });
  // Its own time does not stand in the way of a move by less than its length.
  const later = brisbane('2025-09-09T09:45');
  expect(await move(id, later, one)).toMatchObject({
    ok: true,
    previous: { startsAt: nine },
    booking: { startsAt: later, sequence: 1 },
  });
  expect(await move(id, later, one)).toMatchObject({ ok: true, previous: null, booking: { sequence: 1 } });
  const other = await booked(wish(), one);
  expect(await move(id, nine, one)).toEqual({ ok: false, reason: 'taken', next: later });
  expect(await move(id, brisbane('2025-09-09T09:50'), one)).toMatchObject({ reason: 'not-offered' });
  expect(await cancel(other.id)).toMatchObject({ ok: true, changed: true, booking: { sequence: 1 } });
  expect(await cancel(other.id)).toMatchObject({ ok: true, changed: false, booking: { sequence: 1 } });
  expect(await move(other.id, later, one)).toEqual({ ok: false, reason: 'cancelled' });
  expect(await move(id, nine, one)).toMatchObject({ ok: true, booking: { sequence: 2 } });
  expect(await findBooking(database.db, reference)).toMatchObject({ startsAt: nine });
  const begun = { ...one, now: nine };
  expect(await move(id, later, begun)).toEqual({ ok: false, reason: 'past' });
  expect(await cancel(id, begun)).toEqual({ ok: false, reason: 'past' });
});

test('a booking is moved ten times at most, and can be cancelled after that', async () => {
  const { id } = await booked(wish());
  const starts = [brisbane('2025-09-09T09:45'), nine];
  for (let moved = 0; moved < 10; moved++)
    expect(await move(id, starts[moved % 2] ?? nine)).toMatchObject({ ok: true });
  expect(await move(id, starts[0] ?? nine)).toEqual({ ok: false, reason: 'too-often' });
  expect(await cancel(id)).toMatchObject({ ok: true, changed: true });
});

test('a private link leads to its booking, and the database holds no token', async () => {
  const { id, reference } = await booked(wish());
  const tokens = await Promise.all([makeBookingLink(database.db, id), makeBookingLink(database.db, id)]);
  for (const token of tokens) {
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(await findBookingByToken(database.db, token)).toMatchObject({ reference });
  }
  const stored = JSON.stringify(await database.db.selectFrom('private_links').selectAll().execute());
  for (const token of [...tokens, '', 'x', reference]) expect(stored).not.toContain(`"${token}"`);
  expect(await findBookingByToken(database.db, `${tokens[0]}x`)).toBeNull();
  const [{ token_hash: hash } = { token_hash: '' }] = await database.db
    .selectFrom('private_links')
    .selectAll()
    .execute();
  expect(await findBookingByToken(database.db, hash)).toBeNull();
});

test('staff list bookings by state, with search and pages', async () => {
  const later = brisbane('2025-09-10T09:00');
  const ada = await booked(wish({ name: 'Ada 100%', start: later }));
  const bob = await booked(wish({ name: 'Bob' }));
  await cancel(ada.id);
  const list = async (parts: Omit<Parameters<typeof listBookings>[2], 'now'>, at = now) => {
    const { bookings, total, pages } = await listBookings(database.db, anOwner, { ...parts, now: at });
    return { names: bookings.map(({ name, state }) => `${name} ${state}`), total, pages };
  };
  expect(await list({})).toEqual({ names: ['Ada 100% cancelled', 'Bob upcoming'], total: 2, pages: 1 });
  expect(await list({ state: 'upcoming' })).toMatchObject({ names: ['Bob upcoming'] });
  expect(await list({ state: 'past' }, later)).toMatchObject({ names: ['Bob past'] });
  expect(await list({ search: '100%' })).toMatchObject({ names: ['Ada 100% cancelled'] });
  expect(await list({ search: bob.reference.toLowerCase() })).toMatchObject({ names: ['Bob upcoming'] });
  expect(await list({ page: 2 })).toMatchObject({ names: [], total: 2 });
});

test('a role that may create objects in a database can migrate it; it need not be a superuser', async () => {
  const role = `owner_${crypto.randomUUID().replaceAll('-', '')}`;
  await sql
    .raw(`create role ${role}; grant create on database ${database.connection.database} to ${role}`)
    .execute(database.owner);
  await sql`drop extension btree_gist cascade`.execute(database.owner);
  await database.owner.connection().execute(async (connection) => {
    await sql.raw(`grant create on schema public to ${role}; set role ${role}`).execute(connection);
    await sql`create extension btree_gist`.execute(connection);
    await sql`reset role`.execute(connection);
  });
  await sql.raw(`drop owned by ${role} cascade; drop role ${role}`).execute(database.owner);
});

test('the times taken are read with the pause, cancelled ones left out', async () => {
  const { id } = await booked(wish());
  expect(await readTakenAhead(database.db, now)).toEqual([
    { adviser: 1, start: nine, end: brisbane('2025-09-09T09:40') },
  ]);
  expect(await readTakenAhead(database.db, now, id)).toEqual([]);
  await cancel(id);
  expect(await readTakenAhead(database.db, now)).toEqual([]);
});

test('P20: a reminder is queued a day before, once, and taken back when the booking is moved or cancelled', async () => {
  const { db } = database;
  const academy = {
    name: 'A',
    company: 'A Pty Ltd',
    address: 'B',
    phone: 'C',
    email: 'a@academy.example',
    url: 'http://localhost',
  };
  const forms = { clock: { now: () => now, aheadMs: 0 } } as Academy['forms'];
  const bookings = { db, forms, clock: { now: () => now, aheadMs: 0 }, academy: () => academy };
  const remindAt = (text: string) => queueReminders(db, academy, brisbane(text));
  const change = async (id: number, fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const token = await makeBookingLink(db, id);
    expect(await changeBooking(bookings, { token, form, settings })).toMatchObject({ ok: true });
  };
  const last = () =>
    db
      .selectFrom('mails')
      .selectAll()
      .where('kind', '=', 'booking-reminder')
      .orderBy('queued_at', 'desc')
      .executeTakeFirstOrThrow();

  const ada = await booked(wish({ start: brisbane('2025-09-10T09:00') }));
  const bob = await booked(wish({ start: brisbane('2025-09-11T09:00') }));
  // Starts within a day of being booked: the confirmation is as young as a reminder.
  await booked(wish({ start: brisbane('2025-09-08T16:30') }));
  expect(await remindAt('2025-09-08T10:30')).toBe(0);
  expect(await remindAt('2025-09-09T08:59')).toBe(0);
  // Several processes at once.
  const queued = await Promise.all([1, 2, 3].map(() => remindAt('2025-09-09T09:00')));
  expect(queued.toSorted()).toEqual([0, 0, 1]);
  const reminder = await last();
  expect(reminder).toMatchObject({ recipient: ada.email, state: 'queued', stale_after: ada.startsAt });
  expect(reminder.body_text).toContain('Wednesday 10 September 2025, 9:00 AM to 9:30 AM');

  // Moved before the mail server took it: the reminder is taken back, and the new time gets its own.
  await change(ada.id, { intent: 'move', start: brisbane('2025-09-12T09:00').toISOString() });
  expect(await last()).toMatchObject({ state: 'dropped', reason: 'The booking was moved' });
  expect(await beginAttempt(db, attemptAt(reminder.id), now)).toEqual({ go: false, why: 'settled' });
  expect(await remindAt('2025-09-09T10:00')).toBe(0);
  expect(await remindAt('2025-09-11T09:30')).toBe(1);
  expect(await last()).toMatchObject({ recipient: ada.email, body_text: expect.stringContaining('12 September') });
  await change(ada.id, { intent: 'cancel' });
  expect(await last()).toMatchObject({ state: 'dropped', reason: 'The booking was cancelled' });

  // Late, because no process ran, but before the start: still of use. Dropped once the time has come.
  expect(await remindAt('2025-09-11T08:00')).toBe(1);
  const bobs = await last();
  expect(bobs).toMatchObject({ recipient: bob.email, state: 'queued' });
  const later = new Date(bob.startsAt.getTime() + 1);
  expect(await beginAttempt(db, attemptAt(bobs.id), later)).toMatchObject({ go: false, why: 'stale' });
});

test('a person’s bookings are exported and erased with their mails and links; the program keeps bookings twelve months', async () => {
  const { db } = database;
  const academy = {
    name: 'A',
    company: 'A Pty Ltd',
    address: 'B',
    phone: 'C',
    email: 'a@academy.example',
    url: 'http://localhost',
  };
  const ada = await booked(wish({ email: 'Ada@example.com', note: 'By telephone' }));
  const bob = await booked(wish({ name: 'Bob Nguyen' }));
  for (const booking of [ada, bob]) {
    await queueBookingMails(db, { event: 'booked', booking }, { academy, at: now });
    await makeBookingLink(db, booking.id);
  }
  const held = await exportPerson(db, 'ada@EXAMPLE.com');
  expect(held).toMatchObject({
    bookings: [{ reference: ada.reference, note: 'By telephone', starts_at: nine }],
    mails: [{ kind: 'booking-confirmation' }, { kind: 'booking-notice' }],
  });
  expect(JSON.stringify(held)).not.toContain('Bob Nguyen');
  expect(await erasePerson(db, 'ada@example.com', { dataDir: '/nowhere', at: new Date() })).toMatchObject({
    counts: { bookings: 1, mails: 2 },
  });
  const left = { bookings: 1, private_links: 1, mails: 2 } as const;
  for (const [table, count] of Object.entries(left)) {
    const { rows } = await sql<object>`select from ${sql.table(table)}`.execute(db);
    expect([table, rows.length]).toEqual([table, count]);
  }
  expect(await expireBookingsDaily(db, new Date('2026-09-07T23:00:00Z'))).toBe(0);
  expect(await expireBookingsDaily(db, new Date('2026-09-08T23:00:00Z'))).toBe(1);
  expect(await expireBookingsDaily(db, new Date('2026-09-08T23:00:01Z'))).toBeNull();
});
