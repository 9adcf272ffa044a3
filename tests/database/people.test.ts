import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { eraseNeeds } from '#app/features/enrolments/needs.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { queueConversationMails } from '#app/features/inbox/conversations/mails.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import {
  ensurePeople,
  findHeldPerson,
  forgetPeople,
  forgetPeopleDaily,
} from '#app/features/people/addresses.server.ts';
import { inviteStaff, removeStaff } from '#app/features/people/commands.server.ts';
import { findStaff } from '#app/features/people/queries.server.ts';
import { recordConsent } from '#app/outbox/marketing.server.ts';
import { until } from '#scripts/support/until.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
let db: Db;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  db = database.db;
});

const at = new Date('2025-09-08T00:00:00Z');
const here = { dataDir: '/nowhere', at };

const talk = (email: string, trx?: Db) => {
  const start = (one: Db) =>
    startConversation(
      one,
      { name: 'Ada', email, message: 'Hello', about: null },
      { secret: 'x', idempotencyKey: crypto.randomUUID(), at },
    );
  return trx ? start(trx) : db.transaction().execute(start);
};
const enquire = (email: string) =>
  recordEnquiry(
    db,
    {
      kind: 'contact',
      firstName: 'Ada',
      lastName: 'Byron',
      email,
      phone: '',
      message: 'Hello',
      consent: true,
      details: {},
    },
    { idempotencyKey: crypto.randomUUID(), at },
  );
const book = (email: string) => {
  const start = new Date('2025-09-08T23:00:00Z');
  const end = new Date('2025-09-08T23:30:00Z');
  return sql`insert into bookings (reference, kind, adviser, starts_at, ends_at, occupied, name, email, mailbox, created_at, changed_at)
    values ('BB-777777', 'virtual-tour', 1, ${start}, ${end}, tstzrange(${start}, ${end}), 'Ada', ${email}, ${email}, ${at}, ${at})`.execute(
    db,
  );
};
const addresses = () =>
  db.selectFrom('person_emails').select(['email', 'person_id', 'verified_at']).orderBy('email').execute();
const emails = async () => (await addresses()).map(({ email }) => email);

const everybody = async () => (await db.selectFrom('people').select('id').execute()).map(({ id }) => id);

const invite = (email: string) =>
  db.transaction().execute((trx) => inviteStaff(trx, { email, name: 'Grace' }, { actor: theProgram, at }));

test('P50: messages, purchases and attendance name the one person of the address, in any spelling', async () => {
  const courseDate = await makeCourseDate(db);
  const buyer = { name: 'Ada Byron', email: 'Ada@Example.com', phone: null };
  await placeIn(db, courseDate, { buyer, attendees: [attendee({ email: 'ada@example.com' }), attendee()] });
  await enquire('ADA@example.com');
  await recordConsent(db, { address: 'Ada@example.COM', wording: 'Tell me', at });
  await talk('aDa@example.com');
  await talk('');
  await book('ada@examplE.com');
  const { courseId } = courseDate;
  const wish = { courseId, courseDateId: null, seats: 1, name: 'Ada', email: 'Ada@example.com' };
  const joined = await db.transaction().execute((trx) => joinWaitingList(trx, wish, momentAt('2025-09-08T09:00')));
  expect(joined).toMatchObject({ ok: true });

  const [ada, ...others] = await addresses();
  expect([ada?.email, others]).toEqual(['ada@example.com', []]);
  const of = async (table: 'enrolments' | 'enquiries' | 'bookings' | 'waiting_entries' | 'marketing_consents') =>
    (await db.selectFrom(table).select('person_id').execute()).map(({ person_id }) => person_id);
  for (const table of ['enrolments', 'enquiries', 'bookings', 'waiting_entries', 'marketing_consents'] as const) {
    expect([table, await of(table)]).toEqual([table, [ada?.person_id]]);
  }
  // An attendee without an address is no person yet.
  const named = await db.selectFrom('attendees').select('person_id').orderBy('id').execute();
  expect(named).toEqual([{ person_id: ada?.person_id }, { person_id: null }]);
  const talks = await db.selectFrom('conversations').select('person_id').orderBy('id').execute();
  expect(talks).toEqual([{ person_id: ada?.person_id }, { person_id: null }]);
  expect(await exportPerson(db, 'ada@example.com')).toMatchObject({
    enrolments: [{ as: 'buyer' }, { as: 'attendee' }],
    enquiries: [{}],
    bookings: [{}],
    conversations: [{}],
    'waiting lists': [{}],
    marketing: [{}],
  });
});

test('P50: addresses that one mailbox may get are two people, and neither sees what the other has', async () => {
  await enquire('a.b+x@gmail.com');
  await enquire('ab@gmail.com');
  const rows = await db.selectFrom('enquiries').select(['email', 'person_id']).execute();
  expect(new Set(rows.map(({ person_id }) => person_id)).size).toBe(2);
  expect(await exportPerson(db, 'ab@gmail.com')).toMatchObject({ enquiries: [{ email: 'ab@gmail.com' }] });
  await erasePerson(db, 'ab@gmail.com', here);
  expect(await emails()).toEqual(['a.b+x@gmail.com']);
});

test('P50: another address that an attendee is given is another person', async () => {
  await placeIn(db, await makeCourseDate(db), { attendees: [attendee({ email: 'ada@example.com' })] });
  await db.updateTable('attendees').set({ email: 'bob@example.com' }).execute();
  const { id } = await findHeldPerson(db, 'bob@example.com');
  expect(await db.selectFrom('attendees').select('person_id').execute()).toEqual([{ person_id: id }]);
  await db.updateTable('attendees').set({ email: null }).execute();
  expect(await db.selectFrom('attendees').select('person_id').execute()).toEqual([{ person_id: null }]);
});

test('an address that many store at once is one person', async () => {
  await Promise.all(Array.from({ length: 8 }, () => talk('ada@example.com')));
  expect(await emails()).toEqual(['ada@example.com']);
  expect(await db.selectFrom('people').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
  expect(await db.selectFrom('conversations').select('person_id').distinct().execute()).toHaveLength(1);
  // In whatever order they are given, two transactions with the same new people do not block each other.
  const met = Array.from({ length: 30 }, (_, one) => `${one}@example.com`);
  const meet = (list: string[]) => db.transaction().execute((trx) => ensurePeople(trx, [...list, null]));
  await Promise.all([meet(met), meet(met.toReversed()), meet(met), meet(met.toReversed())]);
  expect(await emails()).toHaveLength(31);
});

test('once a day the program forgets people to whom no record refers, but nobody who is being stored', async () => {
  await talk('ada@example.com');
  await talk('bob@example.com');
  await talk('eve@example.com');
  await invite('grace@example.com');
  await db.deleteFrom('conversations').where('email', '<>', 'eve@example.com').execute();
  const open = await db.startTransaction().execute();
  await talk('bob@example.com', open);
  expect(await forgetPeopleDaily(db, at)).toBe(1);
  expect(await forgetPeopleDaily(db, at)).toBeNull();
  await open.commit().execute();
  expect(await emails()).toEqual(['bob@example.com', 'eve@example.com', 'grace@example.com']);

  // The other way round, who stores waits and is a new person.
  const former = await findHeldPerson(db, 'bob@example.com');
  await db.deleteFrom('conversations').execute();
  const forgetting = await db.startTransaction().execute();
  expect(await forgetPeople(forgetting, await everybody())).toBe(2);
  const storing = talk('bob@example.com');
  await until(async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(db)).rows.length > 0;
  });
  await forgetting.commit().execute();
  await storing;
  expect((await findHeldPerson(db, 'bob@example.com')).id).toBeGreaterThan(former.id);
});

test('staff are people too: a customer who is invited stays the same person, and staff are erased only once removed', async () => {
  await talk('Grace@example.com');
  const { id } = await findHeldPerson(db, 'grace@example.com');
  expect(await invite('GRACE@example.com')).toEqual({
    id,
    name: 'Grace',
    email: 'grace@example.com',
  });
  expect(await addresses()).toEqual([{ email: 'grace@example.com', person_id: id, verified_at: at }]);
  expect((await erasePerson(db, 'grace@example.com', here)).counts).toMatchObject({ conversations: 1, people: 0 });
  expect(await findStaff(db, 'grace@example.com')).toMatchObject({ id });
  const leave = db.transaction().execute((trx) => removeStaff(trx, 'Grace@example.com', { actor: theProgram, at }));
  // The last owner stays: another has to be there first.
  expect(await leave).toEqual({ ok: false, reason: 'last-owner' });
  await invite('ada@staff.example');
  const remove = db.transaction().execute((trx) => removeStaff(trx, 'Grace@example.com', { actor: theProgram, at }));
  expect(await remove).toEqual({ ok: true });
  // The history of what was done goes on to name the row.
  await db
    .insertInto('audit_entries')
    .values({ at, person_id: id, action: 'test', subject: 'test', details: '{}' })
    .execute();
  expect((await erasePerson(db, 'grace@example.com', here)).counts).toMatchObject({ people: 1 });
  const row = db.selectFrom('people').select(['id', 'name', 'email']).where('id', '=', id);
  expect(await row.execute()).toEqual([{ id, name: 'Erased', email: null }]);
  expect(await emails()).toEqual(['ada@staff.example']);
});

test('P50: records under any address of a person are shown and erased by each address', async () => {
  await talk('ada@example.com');
  const { id } = await findHeldPerson(db, 'ada@example.com');
  await db.insertInto('person_emails').values({ email: 'ada@work.example', person_id: id, verified_at: at }).execute();
  await talk('Ada@work.example');
  await talk('bob@example.com');
  const held = await exportPerson(db, 'ADA@work.example');
  expect(held).toMatchObject({
    conversations: [{ email: 'ada@example.com' }, { email: 'Ada@work.example' }],
    people: [{ email: 'ada@example.com', addresses: [{ email: 'ada@example.com' }, { verified_at: at }] }],
  });
  await erasePerson(db, 'ada@work.example', here);
  expect(await emails()).toEqual(['bob@example.com']);
  expect(await db.selectFrom('conversations').select('email').execute()).toEqual([{ email: 'bob@example.com' }]);
});

test('erasing takes the notices to staff that quote a chat as well', async () => {
  await talk('ada@example.com');
  const moment = momentAt('2025-09-08T11:00');
  await queueConversationMails(db, moment.academy, moment.now);
  const notices = db.selectFrom('mails').select('body_text').where('kind', '=', 'conversation-notice');
  expect((await notices.executeTakeFirst())?.body_text).toContain('ada@example.com');
  await erasePerson(db, 'ada@example.com', here);
  expect(await notices.execute()).toEqual([]);
});

test('P58: erasing a person also erases people whom only their records named, and checks nobody else', async () => {
  const courseDates = [await makeCourseDate(db), await makeCourseDate(db)];
  const buyer = { name: 'Ada Byron', email: 'ada@example.com', phone: null };
  for (const [index, courseDate] of courseDates.entries()) {
    const attendees = [attendee({ email: `attends-${index}@example.com` }), attendee({ email: 'both@example.com' })];
    const placed = await placeIn(db, courseDate, {
      buyer: index === 0 ? buyer : { ...buyer, email: 'bob@example.com' },
      attendees,
    });
    const owed = (await balancesOf(db, placed.enrolmentId)).computed;
    if (index === 0) await receive(db, placed.enrolmentId, owed, momentAt('2025-10-01T09:00'));
  }
  await talk('eve@example.com');
  await db.deleteFrom('conversations').execute();
  await erasePerson(db, 'ada@example.com', { ...here, at: momentAt('2026-02-02T09:00').now });
  // Eve was forgotten by nobody yet: that is the daily job's.
  expect(await emails()).toEqual(['attends-1@example.com', 'bob@example.com', 'both@example.com', 'eve@example.com']);
  // Two people at a time: those who have records are between those who have none.
  for (const name of ['a', 'b', 'c', 'd', 'e']) await talk(`${name}@example.com`);
  await db.deleteFrom('conversations').where('email', '<>', 'c@example.com').execute();
  expect(await forgetPeopleDaily(db, at, 2)).toBe(5);
  expect(await emails()).toEqual(['attends-1@example.com', 'bob@example.com', 'both@example.com', 'c@example.com']);
});

test('every column that refers to a person, and keeps them, has an index: each person is looked for in each', async () => {
  const { rows } = await sql<{ column: string }>`
    select conrelid::regclass || '.' || attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'people'::regclass and confdeltype = 'a'
      and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1]
        and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname)))`.execute(db);
  expect(rows.map(({ column }) => column)).toEqual([]);
});

test('two who erase at once do not wait for each other', async () => {
  await talk('ada@example.com');
  await db.deleteFrom('conversations').execute();
  const everyone = await everybody();
  const daily = await db.startTransaction().execute();
  await noteErased(daily, ['bookings']);
  const erasing = db.transaction().execute((trx) => forgetPeople(trx, everyone, ['bookings', 'mails']));
  await until(async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(db)).rows.length > 0;
  });
  await noteErased(daily, ['bookings', 'people']);
  await daily.commit().execute();
  expect(await erasing).toBe(1);
});

test('P50: a link that was used proves the address it was mailed to', async () => {
  const { courseId } = await makeCourseDate(db);
  const now = momentAt('2025-09-08T09:00');
  const wish = { courseId, courseDateId: null, seats: 1, name: 'Ada', email: 'Ada@example.com' };
  const joined = await db.transaction().execute((trx) => joinWaitingList(trx, wish, now));
  expect(await addresses()).toMatchObject([{ verified_at: null }]);
  await db.transaction().execute((trx) => confirmEntry(trx, joined.ok ? joined.entryId : 0, now));
  expect(await addresses()).toMatchObject([{ verified_at: now.now }]);
});

test('needs and guardians are erased 30 days after the last day of the last course', async () => {
  const personal = { needs: 'A ramp', under18: true, guardian: { name: 'Eve', email: 'eve@example.com' } };
  const wish = (name: string) => attendee({ name, ...personal });
  // Five days each: until 7 November and until 12 December 2025.
  const [first, second] = [
    await makeCourseDate(db, { startsOn: '2025-11-03' }),
    await makeCourseDate(db, { startsOn: '2025-12-08' }),
  ];
  await placeIn(db, first, { attendees: [wish('Ada')] });
  await placeIn(db, second, { attendees: [wish('Bob')] });
  const stillWith = async () => {
    const rows = await db.selectFrom('attendees').selectAll().where('needs', 'is not', null).orderBy('id').execute();
    return rows.map(({ name }) => name);
  };
  // Ada attends the second one too.
  const [ada] = await db.selectFrom('attendees').select('id').orderBy('id').execute();
  const later = await placeIn(db, second, { attendees: [wish('Zoe')] });
  await db
    .updateTable('places')
    .set({ attendee_id: ada?.id ?? 0 })
    .where('enrolment_id', '=', later.enrolmentId)
    .execute();
  await db.deleteFrom('attendees').where('name', '=', 'Zoe').execute();
  // Cancelled on the opening day, 8 September 2025.
  const cancelled = await placeIn(db, second, { attendees: [wish('Eve')] });
  await db
    .updateTable('places')
    .set({ state: 'cancelled', cancelled_at: new Date('2025-09-08T09:00:00+10:00'), cancelled_why: 'buyer' })
    .where('enrolment_id', '=', cancelled.enrolmentId)
    .execute();

  expect(await eraseNeeds(db, new Date('2025-10-08T12:00:00+10:00'))).toBe(0);
  expect(await eraseNeeds(db, new Date('2025-10-09T00:01:00+10:00'))).toBe(1);
  expect(await stillWith()).toEqual(['Ada', 'Bob']);
  expect(await eraseNeeds(db, new Date('2026-01-11T23:59:00+10:00'))).toBe(0);
  await db.deleteFrom('places').where('enrolment_id', '=', later.enrolmentId).execute();
  // Ada's last day is now 7 November.
  expect(await eraseNeeds(db, new Date('2026-01-11T23:59:00+10:00'))).toBe(1);
  expect(await stillWith()).toEqual(['Bob']);
  expect(await eraseNeeds(db, new Date('2026-01-12T00:01:00+10:00'))).toBe(1);
  expect(await db.selectFrom('attendees').selectAll().orderBy('id').execute()).toMatchObject(
    ['Ada', 'Bob', 'Eve'].map((name) => ({
      name,
      needs: null,
      under_18: false,
      guardian_name: null,
      guardian_email: null,
    })),
  );
  expect(await db.selectFrom('tables_to_rewrite').select('name').execute()).toContainEqual({ name: 'attendees' });
});
