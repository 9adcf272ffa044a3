import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mailSamples } from '#app/emails/samples.ts';
import type { MailDelivery } from '#app/outbox/delivery.server.ts';
import { migrateQueues } from '#app/outbox/queue.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { type MailTransport, smtpTransport } from '#app/outbox/transport.server.ts';
import { kindsOutOfOrder } from '#app/outbox/urgency.ts';
import { freePort } from '#scripts/support/program.ts';
import { type SmtpBehaviour, startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { deliverMail, sampleMail as mail, toServer } from '#tests/support/deliver-mail.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: SharedDatabase;
let stops: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** Delivers through a server on a port of this computer, which has so long to answer. */
async function deliverTo(port: number, answerMs = 30_000): Promise<string[]> {
  return deliverBy(toServer(port, answerMs));
}

/** Returns what is logged as a warning or worse, while it happens. */
async function deliverBy(transport: MailTransport, documentOf?: MailDelivery['documentOf']): Promise<string[]> {
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: () => undefined, warn: note, error: note };
  const { stop } = await deliverMail(database.db, transport, { log, ...(documentOf && { documentOf }) });
  stops.push(stop);
  return logged;
}

async function serverThat(onMessage: (message: { recipient: string }) => SmtpBehaviour, port?: number) {
  const server = await startSmtpServer({ ...(port !== undefined && { port }), onMessage });
  stops.push(server.close);
  return server;
}

const knownServer = () => database.db.selectFrom('mail_server').selectAll().executeTakeFirstOrThrow();
const attempts = () => database.db.selectFrom('mail_attempts').selectAll().execute();

test('a server that is away is known as such; few attempts are made, and everything goes out as soon as it is back', async () => {
  const { db } = database;
  const port = await freePort();
  for (let number = 0; number < 60; number++) await queueMail(db, { ...mail, to: `one@domain-${number}.example` });
  const held = await queueMail(db, { ...mail, to: 'planned@example.com', afterSeconds: 3600 });
  const logged = await deliverTo(port);
  await until(async () => (await knownServer()).away_since !== null);
  expect(await knownServer()).toMatchObject({ silent: false, answer: expect.stringContaining('ECONNREFUSED') });
  // What was tried before the outage was noticed; nothing more is, however often the workers look.
  await until(async () => (await attempts()).every(({ ended_at }) => ended_at !== null));
  const { check_after } = await knownServer();
  await until(async () => (await knownServer()).check_after > check_after);
  expect((await attempts()).length).toBeLessThanOrEqual(16);
  // As if it had lasted: those that were tried wait for minutes.
  await sql`update pgboss.job set start_after = now() + interval '5 minutes' where state = 'retry'`.execute(db);

  const server = await serverThat(() => 'take', port);
  await until(() => server.taken.length === 60);
  expect(new Set(server.taken.map(({ recipient }) => recipient)).size).toBe(60);
  expect(await knownServer()).toMatchObject({ away_since: null, answered_at: expect.any(Date) });
  expect(logged.filter((message) => message.includes('does not answer'))).toHaveLength(1);
  // The hour that an acknowledgement waits is none of an outage's.
  const planned = await sql<{ waits: boolean }>`select start_after > now() + interval '50 minutes' as waits
    from pgboss.job where data->>'mailId' = ${held}`.execute(db);
  expect(planned.rows).toEqual([{ waits: true }]);
});

torture('a refused sign-in is an outage of the server, a recipient who is put off is not', async () => {
  const { db } = database;
  let accepts = false;
  const answer = (text: string) => ({ outcome: 'deferred' as const, text });
  await queueMail(db, { ...mail, to: 'greylisted@example.com' });
  await deliverBy({
    description: '',
    keepsSecrets: false,
    deliver: async () => (accepts ? answer('451 4.7.1 Greylisted') : answer('535 5.7.8 Wrong password')),
    check: async () => ({ ok: accepts, text: '535 5.7.8 Wrong password' }),
    close: () => undefined,
  });
  await until(async () => (await knownServer()).answer === '535 5.7.8 Wrong password');
  expect((await knownServer()).away_since).not.toBeNull();
  accepts = true;
  await until(async () => (await knownServer()).away_since === null);
  const before = (await attempts()).length;
  await until(async () => (await attempts()).length > before + 1);
  expect((await knownServer()).away_since).toBeNull();
});

torture('a server that connects but answers about no mail is away until it has answered about one', async () => {
  const { db } = database;
  let hangs = true;
  const server = await serverThat(() => (hangs ? 'hang' : 'take'));
  for (let number = 0; number < 12; number++) await queueMail(db, { ...mail, to: `one@domain-${number}.example` });
  await deliverTo(server.port, 3000);
  await until(async () => (await knownServer()).away_since !== null);
  expect(await knownServer()).toMatchObject({ silent: true });
  hangs = false;
  await until(() => server.taken.length === 12);
  expect((await knownServer()).away_since).toBeNull();
});

test.for([
  ['one domain', () => 'slow.example'],
  ['eight domains', (number: number) => `slow-${number}.example`],
] as const)(
  'eight recipients of %s whose server hangs for half a minute do not hold up another mail',
  async ([, domain]) => {
    const { db } = database;
    const server = await serverThat(({ recipient }) => (recipient.includes('@slow') ? 'hang' : 'take'));
    for (let number = 0; number < 8; number++)
      await queueMail(db, { ...mail, kind: 'email-code', to: `${number}@${domain(number)}` });
    await deliverTo(server.port);
    const hanging = domain(0) === domain(1) ? 3 : 8;
    await until(async () => (await attempts()).length === hanging);
    await queueMail(db, mail);
    await until(() => server.taken.length === 1);
    expect((await attempts()).filter(({ outcome }) => outcome !== null && outcome !== 'delivered')).toEqual([]);
    expect((await knownServer()).away_since).toBeNull();
    // Otherwise stopping would wait for what hangs.
    await server.close();
  },
);

torture('a code goes before two hundred mails that were queued earlier, and a reminder after them', async () => {
  const { db } = database;
  const server = await serverThat(() => ({ takeAfterMs: 100 }));
  const reminder = await queueMail(db, { ...mail, kind: 'place-reminder', to: 'later@example.org' });
  for (let number = 0; number < 200; number++) await queueMail(db, { ...mail, to: `${number}@d${number}.example` });
  await deliverTo(server.port);
  await until(() => server.taken.length > 20);
  const before = server.taken.length;
  await queueMail(db, { ...mail, kind: 'email-code', to: 'code@example.com' });
  const placeOf = (name: string) => server.taken.findIndex(({ recipient }) => recipient.startsWith(name));
  await until(() => placeOf('code') >= 0);
  // Those that were under way, and those begun while it was stored.
  expect(placeOf('code') - before).toBeLessThanOrEqual(16);
  await until(() => server.taken.length === 202);
  expect(placeOf('later')).toBeGreaterThan(190);
  expect(reminder).not.toBeNull();
  const kinds = Object.keys(mailSamples);
  expect(kindsOutOfOrder.filter((kind) => !kinds.includes(kind))).toEqual([]);
});

test('documents that cannot be made are no outage of the mail server: other mail goes on, and staff read which and why', async () => {
  const { db } = database;
  const server = await serverThat(() => 'take');
  let isMended = false;
  const transport = smtpTransport({
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    auth: undefined,
    answerMs: 9000,
  });
  for (let number = 1; number <= 8; number++) {
    const attachments = [{ filename: `INV-${number}.pdf`, document: `tax-invoice:${number}` }];
    await queueMail(db, { ...mail, to: `one@domain-${number}.example`, attachments });
  }
  await deliverBy(transport, async (document) => {
    if (isMended) return { ok: true, bytes: new TextEncoder().encode('%PDF') };
    if (document === 'tax-invoice:8') return { ok: false, why: 'too-long' };
    throw new Error(`no page for ${document}`);
  });
  const faults = () => db.selectFrom('job_faults').select(['job', 'item', 'message']).orderBy('item').execute();
  await until(async () => (await attempts()).filter(({ ended_at }) => ended_at !== null).length >= 12);
  await queueMail(db, { ...mail, kind: 'email-code', to: 'code@example.com' });
  await until(() => server.taken.length === 1);
  expect(await knownServer()).toMatchObject({ away_since: null });
  // A document that could not be drawn in time is no fault yet.
  const ones = await faults();
  expect(ones.map(({ item }) => item)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `tax-invoice:${number}`));
  expect(ones[0]).toMatchObject({ job: 'attach documents to emails', message: 'no page for tax-invoice:1' });
  isMended = true;
  await until(async () => {
    await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(db);
    return server.taken.length === 9;
  });
  await until(async () => (await faults()).length === 0);
});

test('a mail that waited for longer than mail is tried goes out when the server is back; one that is put off even then has failed', async () => {
  const { db } = database;
  const server = await serverThat(({ recipient }) => (recipient.startsWith('later') ? 'defer' : 'take'));
  const [waited, later] = [await queueMail(db, mail), await queueMail(db, { ...mail, to: 'later@example.com' })];
  await db.updateTable('mails').set({ tries_from: sql<Date>`now() - interval '6 days'` }).execute();
  await deliverTo(server.port);
  const state = async (id: string | null) =>
    (await db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirst())?.state;
  await until(async () => (await state(waited)) !== 'queued' && (await state(later)) !== 'queued');
  expect([await state(waited), await state(later), (await attempts()).length]).toEqual(['sent', 'failed', 2]);
});

test('a mail that is delivered hours after it was written says so in front, in both forms; others say nothing', async () => {
  const { db } = database;
  const server = await serverThat(() => 'take');
  const html = '<body><h1>Hello</h1><p>Text</p></body>';
  const late = await queueMail(db, { ...mail, html, to: 'late@example.com' });
  await queueMail(db, { ...mail, html });
  await db
    .updateTable('mails')
    .set({ queued_at: sql<Date>`now() - interval '7 hours'`, tries_from: sql<Date>`now()` })
    .where('id', '=', late)
    .execute();
  await deliverTo(server.port);
  await until(() => server.taken.length === 2);
  const sent = async (recipient: string) =>
    PostalMime.parse(server.taken.find((one) => one.recipient === recipient)?.raw ?? '');
  const note =
    /We wrote this email on \d+ \w+ \d{4}, \d+:\d\d [AP]M \(Brisbane time\) and could not deliver it until now\./;
  expect((await sent('late@example.com')).text).toMatch(new RegExp(`^${note.source}`));
  expect((await sent('late@example.com')).html).toMatch(new RegExp(`<body><p[^>]*>${note.source}[^<]*</p><h1>Hello`));
  const { text, html: inHtml } = await sent('ada@example.com');
  expect(`${text}${inHtml}`).not.toContain('could not deliver');
});

test('after ten attempts only the last of several with the same end is kept, and their number is known', async () => {
  const { db } = database;
  const id = await queueMail(db, mail);
  let tries = 0;
  await deliverBy({
    description: '',
    keepsSecrets: false,
    async deliver() {
      tries += 1;
      if (tries < 15) await sql`update pgboss.job set retry_delay = 0, retry_backoff = false`.execute(db);
      return { outcome: tries === 13 ? 'unknown' : tries < 20 ? 'deferred' : 'delivered', text: '451 Later' };
    },
    check: async () => ({ ok: true, text: '' }),
    close: () => undefined,
  });
  const state = () => db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  await until(async () => (await state()).state === 'sent');
  const kept = (await attempts()).sort((a, b) => a.number - b.number);
  expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 19, 20]);
});

test('a queue and its jobs from before keep their mails, and get the shorter pauses', async () => {
  const { db } = database;
  await queueMail(db, mail);
  await queueMail(db, { ...mail, to: 'planned@example.com', afterSeconds: 3600 });
  await sql`update pgboss.queue set retry_limit = 60, retry_delay_max = 3600`.execute(db);
  await sql`update pgboss.job set retry_limit = 60, retry_delay_max = 3600`.execute(db);
  await sql`update pgboss.job set state = 'retry', start_after = now() + interval '50 minutes'
    where start_after <= now()`.execute(db);
  await migrateQueues(db);
  const jobs = await sql<{ state: string; minutes: number }>`select state, retry_limit, retry_delay_max,
    round(extract(epoch from start_after - now()) / 60)::integer as minutes from pgboss.job order by state`.execute(db);
  expect(jobs.rows).toEqual([
    { state: 'created', retry_limit: 5000, retry_delay_max: 300, minutes: 60 },
    { state: 'retry', retry_limit: 5000, retry_delay_max: 300, minutes: 5 },
  ]);
  const limits = await sql`select retry_limit, retry_delay_max from pgboss.queue where name = 'mail'`.execute(db);
  expect(limits.rows).toEqual([{ retry_limit: 5000, retry_delay_max: 300 }]);
});
