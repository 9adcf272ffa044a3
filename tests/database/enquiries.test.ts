import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { readErased, rewriteErased, wholeHold } from '#app/db/rewrite-tables.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { eraseEnquiry, eraseExpired, eraseExpiredDaily } from '#app/features/inbox/enquiries/erase.server.ts';
import { findEnquiry, listEnquiries } from '#app/features/inbox/enquiries/queries.server.ts';
import { submitEnquiry } from '#app/features/inbox/enquiries/submit.server.ts';
import { type Academy, academyContext } from '#app/http/academy.server.ts';
import { freshForm } from '#app/http/forms.server.ts';
import { loader } from '#app/routes/enrol/sent.tsx';
import { until } from '#scripts/support/until.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

/** Tests of other files have their transactions on the same server, and what they could read is waited for. */
const patienceMs = 60_000;

let database: SharedDatabase;
let enquiries: Academy;
let now: Date;

beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  now = new Date('2025-09-08T00:00:00Z');
  const { db } = database;
  const clock = { now: () => now, aheadMs: 0 };
  enquiries = {
    db,
    clock,
    academy: () => ({
      name: 'A',
      company: 'A Pty Ltd',
      address: 'B',
      phone: 'C',
      email: 'hello@academy.example',
      url: 'http://localhost',
    }),
    forms: {
      db,
      clock,
      secret: await programSecret(db, 'form'),
      limit: { attempts: 5, attemptsOfWideNetwork: 20, windowMs: 600_000, key: 'key' },
      log: { warn: () => undefined, error: (fields) => expect.unreachable(JSON.stringify(fields)) },
    },
  };
});

const person = { firstName: 'Ada', lastName: "O'Byron", email: 'ada@example.com', message: 'Line one\nLine two' };
let sentSoFar = 0;

/** A form filled in ten seconds after it was opened. */
function filled(parts: Record<string, string> = {}): FormData {
  const form = new FormData();
  const { token } = freshForm(enquiries.forms);
  for (const [name, value] of Object.entries({ ...person, form: token, website: '', ...parts })) form.set(name, value);
  now = new Date(now.getTime() + 10_000);
  return form;
}
/** The same with a message that was not sent before. */
const another = () => filled({ message: `Message ${++sentSoFar}` });
const send = (form: FormData, parts: Partial<Parameters<typeof submitEnquiry>[1]> = {}) =>
  submitEnquiry(enquiries, { form, kind: 'contact', address: '203.0.113.9', isOffered: () => true, ...parts });
async function accepted(form: FormData, parts: Parameters<typeof send>[1] = {}): Promise<string> {
  const result = await send(form, parts);
  if (!result.ok) expect.unreachable(result.form.fault ?? JSON.stringify(result.form.errors));
  return result.reference;
}
const enquiry = (reference: string) => findEnquiry(database.db, reference);

test('P23: an enquiry is stored unchanged, with a reference', async () => {
  const reference = await accepted(filled({ interest: 'cloud-security', consent: 'on' }));
  expect(reference).toMatch(/^BB-/);
  const [row] = await listEnquiries(database.db);
  expect(row).toMatchObject({ kind: 'contact', first_name: 'Ada', last_name: "O'Byron", phone: null });
  expect(row).toMatchObject({ message: 'Line one\nLine two', marketing_consent: true, created_at: now });
  expect(row?.details).toEqual({ interest: 'cloud-security' });
});

test('P25: the same form sent twenty times at once is one enquiry with one reference, and one attempt', async () => {
  const form = filled();
  const references = await Promise.all(Array.from({ length: 20 }, () => accepted(form)));
  expect(new Set(references).size).toBe(1);
  expect(await listEnquiries(database.db)).toHaveLength(1);
  for (let sent = 0; sent < 4; sent++) await accepted(another());
  expect(await send(another())).toMatchObject({ status: 429 });
});

test('P25: the same text from the same person within a day is the same enquiry, in another form too', async () => {
  const first = await accepted(filled({ consent: 'on' }));
  const again = { consent: 'on', email: 'Ada@Example.com', message: ' Line one\r\nLine two ' };
  const copies = Array.from({ length: 10 }, (_, at) => accepted(filled(again), { address: `203.0.113.${at}` }));
  expect(new Set(await Promise.all(copies))).toEqual(new Set([first]));
  expect(await listEnquiries(database.db)).toHaveLength(1);
});

test('P25: simultaneous copies in separate forms are one enquiry; other texts or people are not', async () => {
  const copies = Array.from({ length: 10 }, (_, at) => accepted(filled(), { address: `203.0.113.${at}` }));
  expect(new Set(await Promise.all(copies)).size).toBe(1);
  await accepted(filled({ email: 'eve@example.com' }));
  await accepted(filled({ consent: 'on' }));
  expect(await listEnquiries(database.db)).toHaveLength(3);
});

test('P25: repeats are recognised for 24 hours, across midnight; later ones are new enquiries', async () => {
  now = new Date('2025-09-08T13:59:50Z');
  const first = await accepted(filled());
  now = new Date('2025-09-09T13:59:49Z');
  expect(await accepted(filled())).toBe(first);
  now = new Date('2025-09-09T13:59:50Z');
  const copies = Array.from({ length: 5 }, (_, at) => accepted(filled(), { address: `203.0.113.${at}` }));
  const [second, ...others] = await Promise.all(copies);
  expect(second).not.toBe(first);
  expect(new Set(others)).toEqual(new Set([second]));
  expect(await listEnquiries(database.db)).toHaveLength(2);
});

test('P25: another text under the same form corrects the first and is stored beside it', async () => {
  const form = filled();
  const first = await accepted(form);
  form.set('message', 'Line one, corrected');
  const second = await accepted(form);
  form.set('message', 'Line one, corrected twice');
  const third = await accepted(form);
  expect(await enquiry(first)).toEqual({ kind: 'contact', corrects: null });
  expect(await enquiry(second)).toEqual({ kind: 'contact', corrects: first });
  expect(await enquiry(third)).toEqual({ kind: 'contact', corrects: first });
  form.set('message', 'Line one, corrected');
  expect(await accepted(form)).toBe(second);
});

test('P25: different texts under one form, sent at once, are all kept, and all but one correct that one', async () => {
  const token = String(filled().get('form'));
  const forms = Array.from({ length: 8 }, (_, at) => filled({ form: token, message: `Version ${at}` }));
  await Promise.all(forms.map((form, at) => accepted(form, { address: `203.0.113.${at}` })));
  const rows = await listEnquiries(database.db);
  const [first, ...more] = rows.filter(({ corrects }) => corrects === null);
  expect([rows.length, more.length]).toEqual([8, 0]);
  expect(rows.filter(({ corrects }) => corrects === first?.reference)).toHaveLength(7);
});

test('P23: a refusal keeps every word and the token, so that the corrected form is still the same one', async () => {
  const form = filled({ email: 'nowhere', message: 'x'.repeat(60_000) });
  form.set('__proto__', 'x');
  const result = await send(form);
  if (result.ok) expect.unreachable();
  expect(result).toMatchObject({ status: 400, form: { fault: null, token: form.get('form') } });
  expect(result.form.values).toMatchObject({ firstName: 'Ada', email: 'nowhere', message: 'x'.repeat(60_000) });
  expect(Object.keys(result.form.errors)).toEqual(['email', 'message']);
  expect(Object.getOwnPropertyNames(result.form.values)).not.toContain('__proto__');
  expect(await listEnquiries(database.db)).toEqual([]);
});

test('spaces before an emoji, control characters and lone surrogates are accepted', async () => {
  const company = `${' '.repeat(5999)}😀`;
  await accepted(filled({ item: 'x', attendees: '1', payer: 'employer', company }), { kind: 'enrolment' });
  await accepted(filled({ firstName: 'A\u0000da\u001b[2J\nBB-FORGED', message: 'a\u0000b\ud83d\r\nc' }));
  const [first, second] = await listEnquiries(database.db);
  expect(first?.details).toMatchObject({ company: '😀' });
  expect(second).toMatchObject({ first_name: 'Ada[2J BB-FORGED', message: 'ab\ufffd\nc' });
});

test('P24: a filled honeypot, a forged form, a too fast one, and too many are refused with instructions', async () => {
  expect(await send(filled({ website: 'http://spam.example' }))).toMatchObject({ ok: false, status: 403 });
  for (const form of ['made-up', `1.2.${'é'.repeat(43)}`])
    expect(await send(filled({ form }))).toMatchObject({ status: 403 });
  const hasty = filled();
  now = new Date(now.getTime() - 9000);
  expect(await send(hasty)).toMatchObject({
    status: 403,
    form: { fault: expect.stringContaining('Please send it again') },
  });
  for (let sent = 0; sent < 5; sent++) await accepted(another());
  const refused = await send(another());
  expect(refused).toMatchObject({
    status: 429,
    form: { fault: expect.stringContaining('send it again in 10 minutes, or call us') },
  });
  await accepted(another(), { address: '203.0.113.77' });
  now = new Date(now.getTime() + 600_000);
  await accepted(another());
});

test('P24, P25: a repeat of a stored enquiry gets its reference even above the limit', async () => {
  const form = filled();
  const first = await accepted(form);
  for (let sent = 0; sent < 4; sent++) await accepted(another());
  expect(await send(another())).toMatchObject({ status: 429 });
  expect(await accepted(form)).toBe(first);
  expect(await accepted(filled())).toBe(first);
});

test('data added by the program is stored in the details, and does not make a repeat a new enquiry', async () => {
  const enrolment = { item: 'course:cissp', attendees: '2', payer: 'myself' };
  const at = (priceCents: number) => ({ kind: 'enrolment' as const, remarks: () => ({ label: 'CISSP', priceCents }) });
  const first = await accepted(filled(enrolment), at(549_900));
  expect(await accepted(filled(enrolment), at(529_900))).toBe(first);
  const [row] = await listEnquiries(database.db);
  expect(row?.details).toMatchObject({ item: 'course:cissp', attendees: 2, label: 'CISSP', priceCents: 549_900 });
});

test('erasing an enquiry also erases its corrections, and the text goes from the files of the table', async () => {
  const kept = await accepted(another());
  const form = filled({ message: 'MarkedShort' });
  const first = await accepted(form);
  // Long random text is stored outside its row (TOAST) and uncompressed.
  form.set('message', `MarkedLong ${randomBytes(3000).toString('base64')}`);
  await accepted(form);
  expect(await textsOnDisk()).toMatch(/MarkedShort/);
  expect(await textsOnDisk()).toMatch(/MarkedLong/);
  expect(await eraseEnquiry(database.db, first)).toMatchObject({ enquiries: 2 });
  expect(await rewriteErased(database.db, wholeHold, patienceMs)).toBe(8);
  expect(await textsOnDisk()).not.toMatch(/Marked/);
  expect((await listEnquiries(database.db)).map(({ reference }) => reference)).toEqual([kept]);
  expect(await eraseEnquiry(database.db, first)).toEqual({ enquiries: 0, mails: [] });
});

test.each([
  ['reads the same database', () => database.connection, 'select 1'],
  ['writes in another one', () => ({ ...database.connection, database: 'postgres' }), 'select pg_current_xact_id()'],
])('freeing the files waits for an older transaction that %s', async (_, connection, statement) => {
  const first = await accepted(filled({ message: 'MarkedShort' }));
  const other = new pg.Client(connection());
  await other.connect();
  await other.query('begin isolation level repeatable read');
  await other.query(statement);
  expect(await eraseEnquiry(database.db, first)).toMatchObject({ enquiries: 1 });
  const written = rewriteErased(database.db, wholeHold, patienceMs);
  await until(async () => {
    const asked = sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%age(backend_xmin)%'`;
    return (await asked.execute(database.db)).rows.length > 0;
  });
  await other.query('commit');
  await other.end();
  expect(await written).toBe(8);
  expect(await textsOnDisk()).not.toMatch(/Marked/);
});

/** Everything in the files of the tables, the one of mail included, and of their long values. */
async function textsOnDisk(): Promise<string> {
  await sql`checkpoint`.execute(database.owner);
  const { rows } = await sql<{ folder: string; files: string[] }>`
    select current_setting('data_directory') as folder,
      array(select pg_relation_filepath(oid) from pg_class
        where oid = any(array['enquiries', 'mails']::regclass[])
          or oid = any(array(select reltoastrelid from pg_class where relname in ('enquiries', 'mails')))
      ) as files`.execute(database.owner);
  const [found] = rows;
  return (found?.files ?? []).map((file) => readFileSync(path.join(found?.folder ?? '', file), 'latin1')).join('');
}

test('enquiries are kept for 24 months; a first message is kept as long as its correction', async () => {
  now = new Date('2023-09-07T22:00:00Z');
  const form = filled();
  await accepted(form);
  await accepted(another());
  now = new Date('2023-09-08T12:00:00Z');
  form.set('message', 'corrected');
  await accepted(form);
  expect(await eraseExpired(database.db, new Date('2025-09-07T21:00:00Z'))).toBe(0);
  expect(await eraseExpired(database.db, new Date('2025-09-08T00:00:00Z'))).toBe(1);
  expect(await listEnquiries(database.db)).toHaveLength(2);
  expect(await eraseExpired(database.db, new Date('2025-09-08T12:00:10Z'))).toBe(2);
  // The words by which staff find the person were in a table of their own.
  const erased = (await readErased(database.db)).map(({ name }) => name);
  expect(erased).toEqual(['enquiries', 'enquiry_acts', 'inbound_emails', 'notes', 'person_words', 'pg_statistic']);
});

test('expired enquiries are erased once a day, however many processes run the job', async () => {
  now = new Date('2023-09-08T00:00:00Z');
  await accepted(another());
  const daily = (at: string) =>
    Promise.all(Array.from({ length: 4 }, () => eraseExpiredDaily(database.db, new Date(at))));
  expect((await daily('2025-09-08T00:00:00Z')).filter((done) => done !== null)).toEqual([0]);
  // Still the same day in Brisbane.
  expect(await daily('2025-09-08T13:59:59Z')).toEqual([null, null, null, null]);
  expect((await daily('2025-09-08T14:00:00Z')).filter((done) => done !== null)).toEqual([1]);
  // A clock that is behind by a day does nothing.
  expect(await daily('2025-09-08T00:00:00Z')).toEqual([null, null, null, null]);
  expect(await listEnquiries(database.db)).toEqual([]);
});

test('every process signs forms with the same key, and other purposes have other keys', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => programSecret(database.db, 'form')));
  expect(new Set([...keys, enquiries.forms.secret]).size).toBe(1);
  expect(await programSecret(database.db, 'form-limit')).not.toBe(keys[0]);
});

test('P37: the page of a reference is a 503 while the database is away, a 404 when there is none', async () => {
  const reference = await accepted(filled());
  const away = createDb({ ...database.connection, host: '/nowhere' }, () => undefined);
  const open = (db: Db, asked: string) => {
    const context = new RouterContextProvider();
    context.set(academyContext, { ...enquiries, db });
    const url = new URL(`http://localhost/sent/${asked}`);
    return loader({
      context,
      url,
      request: new Request(url),
      pattern: '/sent/:reference',
      params: { reference: asked },
    });
  };
  expect(await open(database.db, reference)).toMatchObject({ kind: 'contact', corrects: null, reference, sent: null });
  expect(await open(database.db, 'BB-222222')).toMatchObject({ init: { status: 404 } });
  expect(await open(away, reference)).toMatchObject({ init: { status: 503 } });
  await away.destroy();
});
