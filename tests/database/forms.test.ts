import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db } from '#app/db/client.server.ts';
import { type FormCommand, type Forms, freshForm, readForm, takeVisitorForm } from '#app/http/forms.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { until } from '#scripts/support/until.ts';
import { cuttingProxy } from '#tests/support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let forms: Forms;
let now: Date;
let logged: { level: string; fields: object }[];
const opened: Db[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  await sql`create table jottings (text text primary key)`.execute(database.owner);
  await sql`grant all on jottings to public`.execute(database.owner);
  now = new Date('2025-09-08T00:00:00Z');
  logged = [];
  forms = {
    db: database.db,
    clock: { now: () => now, aheadMs: 0 },
    secret: 'secret',
    limit: { attempts: 5, attemptsOfWideNetwork: 20, windowMs: 600_000, key: 'key' },
    log: {
      warn: (fields) => logged.push({ level: 'warn', fields }),
      error: (fields) => logged.push({ level: 'error', fields }),
    },
  };
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
  await database.drop();
});

/** A form of one field, whose text is stored once; for these tests the text is the reference. */
const note: FormCommand<string> = {
  name: 'note',
  fields: ['text'],
  parse: ({ text = '' }) => (text === '' ? { ok: false, errors: { text: 'Enter a text.' } } : { ok: true, data: text }),
  async store(trx, text) {
    const { numAffectedRows } = await sql`insert into jottings values (${text}) on conflict do nothing`.execute(trx);
    return { reference: text, repeat: numAffectedRows === 0n };
  },
  async findRepeat(trx, text) {
    const { rows } = await sql`select from jottings where text = ${text}`.execute(trx);
    return rows.length > 0 ? text : null;
  },
};

async function jottings(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from jottings order by text`.execute(database.db);
  return rows.map(({ text }) => text);
}

function filled(text: string): FormData {
  const form = new FormData();
  form.set('form', freshForm(forms).token);
  form.set('text', text);
  now = new Date(now.getTime() + 10_000);
  return form;
}
const send = (form: FormData | null, parts: Partial<Forms> = {}, command = note) =>
  takeVisitorForm({ ...forms, ...parts }, { form, address: '192.0.2.1' }, command);

/** Settings that make the server, or the client, time out after 200 ms. */
const timeouts = {
  statement_timeout: 'options=-c%20statement_timeout%3D200',
  lock_timeout: 'options=-c%20lock_timeout%3D200',
  query_timeout: 'query_timeout=200',
};

function impatient(timeout: keyof typeof timeouts): Db {
  const url = `${connectionUrl(database.connection)}?${timeouts[timeout]}`;
  return open(createDb({ connectionString: url }, () => undefined));
}

/** The same database behind a proxy. Its clients may lose their connection while they are in use. */
async function behindProxy(at: RegExp, when: 'before' | 'after'): Promise<{ db: Db; close(): Promise<void> }> {
  const proxy = await cuttingProxy(database.connection, at, when);
  return { db: open(createDb({ ...database.connection, host: proxy.host }, () => undefined)), close: proxy.close };
}

function open(db: Db): Db {
  opened.push(db);
  return db;
}

test('P37: with the database stopped a form is a 503 that keeps what was typed, and says nothing was sent', async () => {
  const form = filled('Hello');
  const away = open(createDb({ ...database.connection, host: '/nowhere' }, () => undefined));
  expect(await send(form, { db: away })).toMatchObject({
    status: 503,
    form: {
      values: { text: 'Hello' },
      token: form.get('form'),
      heading: 'Not sent yet',
      fault: expect.stringMatching(/our system is not available\. Nothing was sent/),
    },
  });
  expect(logged).toEqual([{ level: 'warn', fields: { form: 'note', code: 'ENOENT', mayBeStored: false } }]);
  expect(await send(form)).toMatchObject({ ok: true });
});

/** Locks the table; returns a function that releases it. */
async function lockNotes(): Promise<() => Promise<void>> {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  let locked = false;
  const done = database.db.transaction().execute(async (trx) => {
    await sql`lock table jottings in exclusive mode`.execute(trx);
    locked = true;
    await released;
  });
  await until(() => locked);
  return async () => {
    letGo();
    await done;
  };
}

test.each([
  ['statement_timeout', 'Many people are here at the moment, so this was not saved yet'],
  ['lock_timeout', 'Many people are here at the moment, so this was not saved yet'],
  ['query_timeout', 'our system is not available'],
] as const)(
  'an insert that takes longer than %s is neither stored nor reported as stored: %s',
  async (timeout, said) => {
    const form = filled('Hello');
    const release = await lockNotes();
    const slow = impatient(timeout);
    expect(await send(form, { db: slow })).toMatchObject({
      status: 503,
      form: { heading: 'Not sent yet', values: { text: 'Hello' }, fault: expect.stringContaining(said) },
    });
    await release();
    await until(async () => (await busyConnections()) === 0);
    expect(await jottings()).toEqual([]);
    form.set('text', 'Hello, corrected');
    expect(await send(form, { db: slow })).toMatchObject({ ok: true });
    expect(await jottings()).toEqual(['Hello, corrected']);
  },
);

/** How many other connections to this database run a statement or hold a transaction. */
async function busyConnections(): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*) as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state not in ('idle', 'disabled')
  `.execute(database.db);
  return rows[0]?.busy ?? 0;
}

test('a connection lost before the commit: nothing is stored, and the page says so', async () => {
  const form = filled('Hello');
  const cut = await behindProxy(/insert into jottings/, 'after');
  expect(await send(form, { db: cut.db })).toMatchObject({
    status: 503,
    form: { heading: 'Not sent yet', fault: expect.stringContaining('Nothing was sent') },
  });
  await until(async () => (await busyConnections()) === 0);
  expect(await jottings()).toEqual([]);
  await cut.close();
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'a connection lost %s the commit arrives: the page calls it unconfirmed, and a repeat is stored once',
  async (when, stored) => {
    const form = filled('Hello');
    const cut = await behindProxy(/commit/i, when);
    const result = await send(form, { db: cut.db });
    expect(result).toMatchObject({
      status: 503,
      form: { heading: 'Not confirmed yet', values: { text: 'Hello' }, token: form.get('form') },
    });
    expect(result.ok ? '' : result.form.fault).toMatch(/could not confirm.*the repeat is recognised and saved once/);
    expect(result.ok ? '' : result.form.fault).not.toContain('Nothing was sent');
    await until(async () => (await busyConnections()) === 0);
    expect(await jottings()).toHaveLength(stored);
    expect(await send(form)).toEqual({ ok: true, reference: 'Hello' });
    expect(await jottings()).toEqual(['Hello']);
    await cut.close();
  },
);

test('a bug is a 500 that keeps the typed text; the log has its stack and none of the text', async () => {
  const form = filled('My secret');
  const broken: FormCommand<string> = {
    ...note,
    store: (_trx, text) => Promise.reject(new TypeError(`cannot read ${text}\n    at ${text}`)),
  };
  expect(await send(form, {}, broken)).toMatchObject({
    status: 500,
    form: {
      values: { text: 'My secret' },
      fault: expect.stringContaining('went wrong on our side'),
      token: form.get('form'),
    },
  });
  expect(logged).toEqual([
    { level: 'error', fields: expect.objectContaining({ form: 'note', type: 'TypeError', stack: expect.any(String) }) },
  ]);
  expect(JSON.stringify(logged)).toContain('forms.test.ts');
  expect(JSON.stringify(logged)).not.toContain('secret');
});

test('a faulty SQL statement is a bug of ours, too', async () => {
  const wrong: FormCommand<string> = {
    ...note,
    store: async (trx, text) => {
      await sql`insert into jottings values (${text}::integer::text)`.execute(trx);
      return { reference: text, repeat: false };
    },
  };
  expect(await send(filled('My secret'), {}, wrong)).toMatchObject({ status: 500 });
  expect(logged).toMatchObject([{ level: 'error', fields: { code: '22P02' } }]);
  expect(JSON.stringify(logged)).not.toContain('secret');
});

test('P24: refused and repeated forms use up no attempt', async () => {
  const broken = { ...note, store: () => Promise.reject(new Error('broken')) };
  for (let sent = 0; sent < 6; sent++) expect(await send(filled('x'), {}, broken)).toMatchObject({ status: 500 });
  for (let sent = 0; sent < 6; sent++) expect(await send(filled(''))).toMatchObject({ status: 400 });
  for (let sent = 0; sent < 6; sent++) expect(await send(filled('Same'))).toMatchObject({ ok: true });
  for (let sent = 0; sent < 4; sent++) expect(await send(filled(`Note ${sent}`))).toMatchObject({ ok: true });
  expect(await send(filled('One more'))).toMatchObject({ status: 429 });
  expect(await send(filled('Same'))).toMatchObject({ ok: true });
});

test('a body that is not a form is refused with a message that does not claim to have kept the text', async () => {
  const post = (body: string, type: string) =>
    new Request('http://localhost/contact', { method: 'POST', body, headers: { 'Content-Type': type } });
  for (const request of [post('{}', 'application/json'), post('--x\r\nbroken', 'multipart/form-data; boundary=x')]) {
    const result = await send(await readForm(request));
    expect(result).toMatchObject({
      status: 400,
      form: { fault: expect.stringContaining('Part of the form was missing') },
    });
  }
});
