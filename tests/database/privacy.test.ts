import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { readErased, rewriteErased, wholeHold } from '#app/db/rewrite-tables.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { bookTime } from '#app/features/inbox/bookings/commands.server.ts';
import { queueBookingMails } from '#app/features/inbox/bookings/mails.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { eraseEnquiry } from '#app/features/inbox/enquiries/erase.server.ts';
import { queueEnquiryMails } from '#app/features/inbox/enquiries/mails.server.ts';
import { writeNote } from '#app/features/people/notes.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { beginAttempt, endAttempt, markFailed } from '#app/outbox/attempts.server.ts';
import { expireMailDaily, expireMailFiles } from '#app/outbox/erase-mail.server.ts';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { isUnsubscribeToken, queueMarketingMail, recordConsent, unsubscribe } from '#app/outbox/marketing.server.ts';
import { queues, sendJob } from '#app/outbox/queue.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

/** Tests of other files have their transactions on the same server, and what they could read is waited for. */
const patienceMs = 60_000;

let database: SharedDatabase;
let data: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  data = temporaryFolder();
});
afterEach(async () => {
  data.remove();
});

const academy: MailAcademy = {
  name: 'A',
  company: 'A Pty Ltd',
  address: 'B',
  phone: 'C',
  email: 'hello@academy.example',
  url: 'http://x',
};
const at = new Date('2025-09-08T00:00:00Z');
const forms = { ada: crypto.randomUUID(), bob: crypto.randomUUID() };

/** Sends a message as a form does: stored, acknowledged, handed to the academy. */
async function sent(who: keyof typeof forms, email: string, message: string): Promise<string> {
  const { db } = database;
  const person = { kind: 'contact', firstName: who, lastName: 'Person', email, phone: '' } as const;
  const enquiry = { ...person, message, consent: false, details: {} };
  const recorded = await recordEnquiry(db, enquiry, { idempotencyKey: forms[who], at });
  await queueEnquiryMails(db, enquiry, recorded, academy, at);
  return recorded.reference;
}

test('everything about an address can be read and erased, and nothing of others', async () => {
  const { db } = database;
  // A correction in which even the address was corrected belongs to the same person.
  const references = [await sent('ada', 'Ada@example.com', 'First'), await sent('ada', 'ada.b@example.com', 'Second')];
  const other = await sent('bob', 'bob@example.com', 'Third');
  await recordConsent(db, { address: 'ada@example.com', wording: 'Tell me', at });
  await recordConsent(db, { address: 'bob@example.com', wording: 'Tell me', at });
  const [mail] = await db.selectFrom('mails').select('id').where('recipient', '=', 'Ada@example.com').execute();
  mkdirSync(path.join(data.folder, 'mail'));
  const file = path.join(data.folder, `mail/${mail?.id}.eml`);
  writeFileSync(file, 'First');

  const held = await exportPerson(db, 'ADA@example.com');
  expect(held).toMatchObject({
    enquiries: references.map((reference) => ({ reference })),
    mails: [{ kind: 'contact-acknowledgement' }, { kind: 'enquiry-message', attempts: [] }],
    marketing: [{ wording: 'Tell me' }],
    people: [{ name: null, email: 'ada@example.com', addresses: [{ email: 'ada@example.com', verified_at: null }] }],
  });
  expect(JSON.stringify(held)).not.toContain('bob@');

  expect((await erasePerson(db, 'ada@EXAMPLE.com', { dataDir: data.folder, at: new Date() })).counts).toEqual({
    'bulk actions': 0,
    account: 0,
    enquiries: 2,
    bookings: 0,
    conversations: 0,
    enrolments: 0,
    progress: 0,
    certificates: 0,
    'enrolment drafts': 0,
    'quotes and organisations': 0,
    'waiting lists': 0,
    mails: 2,
    marketing: 1,
    notes: 0,
    people: 1,
  });
  expect(existsSync(file)).toBe(false);
  const empty = {
    'bulk actions': [],
    account: [],
    enquiries: [],
    bookings: [],
    conversations: [],
    enrolments: [],
    progress: [],
    certificates: [],
    'enrolment drafts': [],
    'quotes and organisations': [],
    'waiting lists': [],
    mails: [],
    marketing: [],
    notes: [],
    people: [],
  };
  expect(await exportPerson(db, 'ada@example.com')).toEqual(empty);
  expect(await exportPerson(db, 'bob@example.com')).toMatchObject({
    enquiries: [{ reference: other }],
    marketing: [{}],
  });
});

test('P23: after erasing no table, index, statistic or queue of the database holds the person any more', async () => {
  const { db } = database;
  const [first = '', name] = ['Zebrina', 'Quaggafield'];
  const [email, otherEmail] = ['Zebrina@quagga.example', 'z.quaggafield@other.example'];
  const { actor } = await makeStaff(db, { email: 'grace@example.org', name: 'Grace' }, at);
  const form = crypto.randomUUID();
  for (const address of [email, otherEmail]) {
    const enquiry = {
      kind: 'contact' as const,
      phone: '+61755500099',
      consent: true,
      firstName: first,
      lastName: name,
      email: address,
      message: `I am ${first} ${name}, ${address} ${randomBytes(3000).toString('base64')}`,
      details: { aboutLabel: `For ${name}` },
    };
    const recorded = await recordEnquiry(db, enquiry, { idempotencyKey: form, at });
    await queueEnquiryMails(db, enquiry, recorded, academy, at);
    const acting = { reference: recorded.reference, actor, at, seen: 0, academy };
    const acts = [
      { kind: 'answer', body: `Dear ${first} ${name}` },
      { kind: 'state', state: 'closed' },
    ] as const;
    const noted = await db
      .selectFrom('enquiries')
      .select('id')
      .where('reference', '=', recorded.reference)
      .executeTakeFirstOrThrow();
    const note = {
      about: { kind: 'enquiry', id: noted.id },
      text: `${name} telephoned from ${address}`,
      actor,
    } as const;
    await db.transaction().execute((trx) => writeNote(trx, note, { now: at }));
    let seen = 0;
    for (const act of acts) {
      const acted = { ...acting, seen };
      expect(await db.transaction().execute((trx) => actOnEnquiry(trx, act, acted))).toEqual({ ok: true });
      const last = await db
        .selectFrom('enquiry_acts')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      seen = last?.id ?? 0;
    }
  }
  await recordConsent(db, { address: email, wording: 'Tell me', at });
  const settings = { advisers: 1, pause: 10, breaks: [], holidays: new Set<Day>() };
  const lengths = { 'career-counseling': 30, 'virtual-tour': 20 };
  const start = new Date('2025-09-08T23:00:00Z');
  const wish = {
    kind: 'virtual-tour',
    start,
    name: `${first} ${name}`,
    email,
    note: `For ${name}`,
    about: null,
  } as const;
  const now = { settings: { ...settings, lengths }, now: at, at };
  const booked = await db.transaction().execute(async (trx) => {
    const result = await bookTime(trx, wish, now);
    if (result.ok && result.booking) {
      await queueBookingMails(trx, { event: 'booked', booking: result.booking }, { academy, at });
    }
    return result;
  });
  expect(booked.ok).toBe(true);
  // A mail server that quotes the address, and one that refuses for good: jobs then go through both queues.
  const [delivered, ...others] = await db.selectFrom('mails').select('id').execute();
  for (const { id } of [delivered ?? { id: '' }, ...others]) {
    const begun = await beginAttempt(db, { mailId: id, domain: 'academy.example', links: mailLinks() }, at);
    const answer = { outcome: 'refused', text: `550 no mailbox ${email}` } as const;
    if (begun.go)
      await endAttempt(
        db,
        { mailId: id, number: begun.number, answer, keepsSecrets: false, links: mailLinks(), filled: begun.filled },
        at,
      );
    await markFailed(db, id, at);
  }
  await sendJob(db, queues.undelivered, { mailId: delivered?.id ?? '' });
  await sql`analyze`.execute(database.owner);
  expect(await placesOf(database.owner, [first, name])).toEqual(
    expect.arrayContaining([
      'public.enquiries',
      'public.enquiry_acts',
      'public.notes',
      'public.bookings',
      'public.mails',
      'statistics of enquiries.email',
    ]),
  );
  expect(await exportPerson(db, email)).toMatchObject({
    enquiries: [{ acts: [{ by: 'Grace' }, {}] }, { acts: [{}, {}] }],
    notes: [{ about: 'enquiry' }, { about: 'enquiry' }],
    bookings: [{}],
  });

  // While another program uses the database, the tables are not written anew.
  const other = new pg.Client({ ...database.connection, application_name: 'another program' });
  await other.connect();
  const traces = [first, name, 'quagga.example', 'other.example', '755500099'];
  const { inFilesOf } = await erasePerson(db, email, { dataDir: data.folder, at: new Date() });
  await other.end();
  expect(inFilesOf).toEqual(expect.arrayContaining(['enquiries', 'mails', 'person_emails', 'pg_statistic']));
  const left = await placesOf(database.owner, traces);
  expect(left.filter((place) => !/^(?:file|statistics) of /.test(place))).toEqual([]);
  expect(left).toContain('file of mails');
  await rewriteErased(db, wholeHold, patienceMs);
  expect(await placesOf(database.owner, traces)).toEqual([]);
  expect(await readErased(db)).toEqual([]);
  expect(await db.selectFrom('audit_entries').select('action').execute()).toHaveLength(7);
});

/** Where texts stand, whatever their case: tables of every schema, the planner's statistics, and all their files. */
async function placesOf(db: Db, texts: readonly string[]): Promise<string[]> {
  const pattern = `(${texts.map((text) => text.replace('.', '[.]')).join('|')})`;
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  expect(tables.map(({ schema }) => schema)).toContain('pgboss');
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`select from ${sql.id(schema, name)} as t where t::text ~* ${pattern} limit 1`.execute(
      db,
    );
    if (rows.length > 0) found.push(`${schema}.${name}`);
  }
  const { rows: statistics } = await sql<{ name: string }>`
    select tablename || '.' || attname as name from pg_stats as s where s::text ~* ${pattern}`.execute(db);
  found.push(...statistics.map(({ name }) => `statistics of ${name}`));
  await sql`checkpoint`.execute(db);
  const { rows: files } = await sql<{ name: string; folder: string; file: string }>`
    select relname as name, current_setting('data_directory') as folder, pg_relation_filepath(c.oid) as file
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 't', 'i')
      and (nspname not in ('pg_catalog', 'information_schema', 'pg_toast') or c.oid = 'pg_statistic'::regclass
        or exists (select from pg_class o where o.reltoastrelid = c.oid and o.relnamespace <> 'information_schema'::regnamespace))`.execute(
    db,
  );
  for (const { name, folder, file } of files) {
    const text = await readFile(path.join(folder, file), 'latin1').catch(() => '');
    if (new RegExp(pattern, 'i').test(text)) found.push(`file of ${name}`);
  }
  return found;
}

test('P49: news that waited or failed is not sent to an address that has unsubscribed since', async () => {
  const { db } = database;
  const to = 'lovelace@example.com';
  await recordConsent(db, { address: to, wording: 'Tell me', at });
  const links: string[] = [];
  const queue = () =>
    queueMarketingMail(db, {
      to,
      kind: 'course-date-news',
      baseUrl: 'https://academy.example',
      render(link) {
        links.push(link);
        return { subject: 'News', text: 'News', html: 'News' };
      },
    });
  const [waits, failed] = [(await queue()) ?? '', (await queue()) ?? ''];
  await markFailed(db, failed, at);
  const attempt = (mailId: string) => beginAttempt(db, { mailId, domain: 'academy.example', links: mailLinks() }, at);
  expect(await unsubscribe(db, links[0]?.split('/').at(-1) ?? '', at)).toBe(true);
  expect(await attempt(waits)).toMatchObject({ go: false, why: 'leads-nowhere' });
  expect(await resendMail(db, failed, at, mailLinks())).toEqual({ ok: false, reason: 'leads-nowhere' });
});

test('erasing keeps the note that somebody wants no marketing', async () => {
  const { db } = database;
  await recordConsent(db, { address: 'ada@example.com', wording: 'Tell me', at });
  const links: string[] = [];
  await queueMarketingMail(db, {
    to: 'ada@example.com',
    kind: 'news',
    baseUrl: '',
    render(link) {
      links.push(link);
      return { subject: 'News', text: 'News', html: 'News' };
    },
  });
  const token = links[0]?.split('/').at(-1) ?? '';
  expect(await isUnsubscribeToken(db, token)).toBe(true);
  expect(await unsubscribe(db, token, at)).toBe(true);
  await erasePerson(db, 'ada@example.com', { dataDir: data.folder, at: new Date() });
  expect(await exportPerson(db, 'ada@example.com')).toEqual({
    'bulk actions': [],
    account: [],
    enquiries: [],
    bookings: [],
    conversations: [],
    enrolments: [],
    progress: [],
    certificates: [],
    'enrolment drafts': [],
    'quotes and organisations': [],
    'waiting lists': [],
    mails: [],
    marketing: [{ unsubscribed: at }],
    notes: [],
    people: [],
  });
});

test('erasing an enquiry erases the mails about it', async () => {
  const reference = await sent('ada', 'ada@example.com', 'First');
  await sent('bob', 'bob@example.com', 'Second');
  const { enquiries, mails } = await eraseEnquiry(database.db, reference);
  expect([enquiries, mails.length]).toEqual([1, 2]);
  expect(await database.db.selectFrom('mails').select('reply_to').distinct().orderBy('reply_to').execute()).toEqual([
    { reply_to: 'bob@example.com' },
    { reply_to: 'hello@academy.example' },
  ]);
});

test('mails and their files are kept as long as the settings say, once a day', async () => {
  const { db } = database;
  const [sentDays, failedDays] = [30, 90];
  const day = (count: number) => new Date(at.getTime() + count * 24 * 60 * 60 * 1000);
  await sent('ada', 'ada@example.com', 'First');
  await sent('bob', 'bob@example.com', 'Second');
  await db.updateTable('mails').set({ tries_from: at, settled_at: at, state: 'failed' }).execute();
  await db.updateTable('mails').set({ state: 'sent' }).where('kind', '=', 'enquiry-message').execute();
  const expire = (now: Date) => expireMailDaily(db, { sentDays, failedDays }, { now: () => now, aheadMs: 0 });
  expect(await expire(day(30))).toBe(0);
  expect(await expire(day(31))).toBe(2);
  expect(await expire(day(31))).toBeNull();
  expect(await expire(day(90))).toBe(0);
  expect(await expire(day(91))).toBe(2);

  for (const name of ['old.eml', 'old.eml.part', 'new.eml', 'other.txt']) {
    writeFileSync(path.join(data.folder, name), '');
    const time = name.startsWith('new') ? day(1) : at;
    utimesSync(path.join(data.folder, name), time, time);
  }
  // As one that is renamed between the list of the folder and the look at it: no file has this name.
  symlinkSync('renamed.eml', path.join(data.folder, 'gone.eml.part'));
  expect(await expireMailFiles(data.folder, sentDays, day(30.5))).toBe(2);
  expect(readdirSync(data.folder).sort()).toEqual(['gone.eml.part', 'new.eml', 'other.txt']);
  expect(await expireMailFiles(path.join(data.folder, 'none'), sentDays, day(31))).toBe(0);
});
