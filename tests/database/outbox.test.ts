import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimAcknowledgement, reserveAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { beginAttempt } from '#app/outbox/attempts.server.ts';
import { listFailedMail, resendMail } from '#app/outbox/failed-mail.server.ts';
import type { Mail } from '#app/outbox/mail.ts';
import { forgetCounts } from '#app/outbox/mail-counts.server.ts';
import { consentLink, queueMarketingMail, recordConsent, unsubscribe } from '#app/outbox/marketing.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { eraseStaleSecrets } from '#app/outbox/secret-mail.server.ts';
import { fileTransport } from '#app/outbox/transport.server.ts';
import { reportUndelivered } from '#app/outbox/undelivered.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { type SmtpBehaviour, startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { deliverMail, sampleMail as mail, toServer } from '#tests/support/deliver-mail.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

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

const links = mailLinks();

test('a mail is delivered if and only if its transaction commits, once for a dedupe key', async () => {
  const { folder, remove } = temporaryFolder();
  stops.push(remove);
  const { db } = database;
  const refused = db.transaction().execute(async (trx) => {
    await queueMail(trx, { ...mail, subject: 'Rolled back' });
    throw new Error('rolled back');
  });
  await expect(refused).rejects.toThrow('rolled back');
  const ids = [];
  for (const subject of ['First', 'Second'])
    ids.push(await db.transaction().execute((trx) => queueMail(trx, { ...mail, subject, dedupeKey: 'one' })));
  expect(ids).toEqual([expect.any(String), null]);

  const deliver = () => deliverMail(db, fileTransport(folder));
  // Two processes on one database.
  for (const { stop } of await Promise.all([deliver(), deliver()])) stops.push(stop);
  await until(async () =>
    (await db.selectFrom('mails').select('state').execute()).every((row) => row.state === 'sent'),
  );

  const files = await readdir(path.join(folder, 'mail'));
  expect(files).toEqual([`${ids[0]}.eml`]);
  const parsed = await PostalMime.parse(await readFile(path.join(folder, 'mail', files[0] ?? '')));
  expect(parsed).toMatchObject({
    from: { name: 'Academy', address: 'hello@academy.example' },
    to: [{ address: 'ada@example.com' }],
    subject: 'First',
    messageId: `<${ids[0]}@academy.example>`,
  });
  expect(Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]))).toMatchObject({
    'auto-submitted': 'auto-generated',
    // What an answer names where a relay gives the mail another Message-ID.
    references: `<${ids[0]}@academy.example>`,
  });
  const attempts = await db.selectFrom('mail_attempts').selectAll().execute();
  expect(attempts).toMatchObject([{ mail_id: ids[0], number: 1, outcome: 'delivered', ended_at: expect.any(Date) }]);
});

test('mail says that a program wrote it, apart from answers that staff typed', async () => {
  const { folder, remove } = temporaryFolder();
  stops.push(remove);
  const { db } = database;
  for (const kind of ['sample', 'enquiry-answer']) {
    await db.transaction().execute((trx) => queueMail(trx, { ...mail, kind, subject: kind }));
  }
  stops.push((await deliverMail(db, fileTransport(folder))).stop);
  await until(async () =>
    (await db.selectFrom('mails').select('state').execute()).every((row) => row.state === 'sent'),
  );
  const sent = new Map<string | undefined, string | undefined>();
  for (const name of await readdir(path.join(folder, 'mail'))) {
    const { subject, headers } = await PostalMime.parse(await readFile(path.join(folder, 'mail', name)));
    sent.set(subject, headers.find(({ key }) => key === 'auto-submitted')?.value);
  }
  expect(sent.get('sample')).toBe('auto-generated');
  expect([sent.has('enquiry-answer'), sent.get('enquiry-answer')]).toEqual([true, undefined]);
});

test.for(['delivered', 'refused'] as const)(
  'P49: a mail that is %s with NUL in the answer is settled by it',
  async (outcome) => {
    const { db } = database;
    const id = await queueMail(db, mail);
    const transport = {
      description: '',
      keepsSecrets: false,
      deliver: async () => ({ outcome, text: '2.0.0 as \0abc' }),
      check: async () => ({ ok: true, text: '' }),
      close: () => undefined,
    };
    stops.push((await deliverMail(db, transport)).stop);
    const state = outcome === 'delivered' ? 'sent' : 'failed';
    await until(
      async () =>
        (await db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirst())?.state === state,
    );
    expect(await db.selectFrom('mail_attempts').select(['outcome', 'answer']).execute()).toEqual([
      { outcome, answer: '2.0.0 as abc' },
    ]);
  },
);

test('P49: news that waits is not sent once its reader has withdrawn', async () => {
  const { db } = database;
  const [to, at] = ['grace@example.com', new Date()];
  await recordConsent(db, { address: to, wording: 'Tell me', at });
  const render = (link: string) => ({ subject: 'New dates', text: link, html: link });
  const news = { to, kind: 'news', baseUrl: 'http://academy.example', render };
  const mailId = (await queueMarketingMail(db, news)) ?? '';
  const link = await consentLink(db, news.baseUrl, to);
  expect(await unsubscribe(db, link.split('/').at(-1) ?? '', at)).toBe(true);
  const begun = await beginAttempt(db, { mailId, domain: 'academy.example', links }, at);
  expect(begun).toMatchObject({ go: false, why: 'leads-nowhere' });
});

test('P81: a mail that was sent and comes back has failed', async () => {
  const { db } = database;
  const [id, at] = [await queueMail(db, mail), new Date()];
  const sent = { state: 'sent', settled_at: at, message_id: `<${id}@academy.example>` } as const;
  await db.updateTable('mails').set(sent).where('id', '=', id).execute();
  const report = { messageIds: [sent.message_id], reason: '550 No such mailbox' };
  expect(await db.transaction().execute((trx) => reportUndelivered(trx, report, at))).toBe(true);
  const { state } = await db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  expect(state).toBe('failed');
});

test('a mail whose document cannot be made at the moment is put off, recorded, and sent with it later', async () => {
  const { folder, remove } = temporaryFolder();
  stops.push(remove);
  const { db } = database;
  const attachments = [{ filename: 'INV-00001.pdf', document: 'tax-invoice:1' }];
  const id = await queueMail(db, { ...mail, attachments });
  let asked = 0;
  const { stop } = await deliverMail(db, fileTransport(folder), {
    documentOf: async () =>
      asked++ === 0 ? { ok: false, why: 'busy' } : { ok: true, bytes: new TextEncoder().encode('%PDF') },
  });
  stops.push(stop);
  const attempts = () =>
    db.selectFrom('mail_attempts').select(['outcome', 'answer']).where('mail_id', '=', id).orderBy('number').execute();
  await until(async () => (await attempts()).at(-1)?.outcome === 'delivered');
  expect((await attempts())[0]).toEqual({ outcome: 'deferred', answer: 'A document could not be made: busy' });
  const sent = await PostalMime.parse(await readFile(path.join(folder, 'mail', `${id}.eml`)));
  expect(
    sent.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()]),
  ).toEqual([['INV-00001.pdf', '%PDF']]);
});

test('a server that puts off, breaks off or refuses: retried, recorded, shown to staff, sent again', async () => {
  const { db } = database;
  const answers: Record<string, SmtpBehaviour[]> = {
    'later@example.com': ['defer', 'take'],
    'dropped@example.com': ['drop', 'take'],
    'twice@example.com': ['take-silently', 'take'],
    'refused@example.com': ['take'],
  };
  let mailboxes = 0;
  const server = await startSmtpServer({
    onRecipient: (recipient) => (recipient.startsWith('refused') && mailboxes++ === 0 ? 'refuse' : 'take'),
    onMessage: ({ recipient }) => answers[recipient]?.shift() ?? 'take',
  });
  stops.push(server.close);
  const ids = new Map<string, string | null>();
  for (const to of Object.keys(answers)) ids.set(to, await queueMail(db, { ...mail, to }));
  const staleAfter = new Date(Date.now() - 1);
  const stale = await queueMail(db, { ...mail, to: 'stale@example.com', staleAfter });

  const logged: object[] = [];
  const warn = (fields: object) => void logged.push(fields);
  const log = { info: () => undefined, warn, error: () => undefined };
  const { stop } = await deliverMail(db, toServer(server.port), { log });
  stops.push(stop);
  const isSettled = async () =>
    (await db.selectFrom('mails').select('state').where('state', '=', 'queued').execute()).length === 0;
  await until(isSettled);

  const idOf = (to: string) => ids.get(to) ?? '';
  expect(await listFailedMail(db, new Date())).toMatchObject([
    {
      id: idOf('refused@example.com'),
      to: 'refused@example.com',
      attempts: 1,
      reason: expect.stringContaining('550'),
      outcome: 'refused',
      ended: null,
    },
  ]);
  expect(await db.selectFrom('mails').select(['state', 'reason']).where('id', '=', stale).execute()).toEqual([
    { state: 'dropped', reason: `Of no use after ${staleAfter.toISOString()}` },
  ]);
  expect(logged).toContainEqual({ mail: stale, kind: 'sample', why: 'stale' });

  const resend = (id: string) => db.transaction().execute((trx) => resendMail(trx, id, new Date(), links));
  expect(await resend(idOf('refused@example.com'))).toEqual({ ok: true });
  expect(await resend(idOf('later@example.com'))).toEqual({ ok: false, reason: 'not-failed' });
  expect(await resend('x')).toEqual({ ok: false, reason: 'unknown' });
  await until(isSettled);

  // A second copy is the same message, and the record of the first attempt says that its end is not known.
  const copies = server.taken.filter(({ recipient }) => recipient === 'twice@example.com');
  expect(copies.map(({ messageId }) => messageId)).toEqual(
    Array(2).fill(`<${idOf('twice@example.com')}@academy.example>`),
  );
  const outcomes = await db.selectFrom('mail_attempts').select(['mail_id', 'outcome']).orderBy('number').execute();
  const of = (to: string) => outcomes.filter((row) => row.mail_id === idOf(to)).map((row) => row.outcome);
  expect(Object.keys(answers).map(of)).toEqual([
    ['deferred', 'delivered'],
    ['unknown', 'delivered'],
    ['unknown', 'delivered'],
    ['refused', 'delivered'],
  ]);
  expect(server.taken).toHaveLength(5);
});

test('the text of a mail with a code is erased once the mail is sent, dropped, taken back or stale, and staff cannot send it again then', async () => {
  const { db } = database;
  const staleAfter = new Date(Date.now() + 600_000);
  const secret = { ...mail, text: 'Secret', html: '<p>Secret</p>', secret: true, staleAfter };
  await expect(queueMail(db, { ...secret, staleAfter: undefined })).rejects.toThrow('must become stale');
  const server = await startSmtpServer({
    onRecipient: (recipient) => (recipient.startsWith('refused') ? 'refuse' : 'take'),
  });
  stops.push(server.close);
  await queueMail(db, { ...secret, to: 'sent@example.com' });
  const refused = await queueMail(db, { ...secret, to: 'refused@example.com' });
  await queueMail(db, { ...secret, to: 'stale@example.com', staleAfter: new Date(Date.now() - 1) });
  await queueMail(db, { ...secret, to: 'late@example.com', afterSeconds: 3600 });
  await queueMail(db, { ...secret, to: 'taken-back@example.com', afterSeconds: 3600, dedupeKey: 'back' });
  await queueMail(db, { ...mail, to: 'open@example.com' });
  await withdrawMail(db, 'back', new Date(), 'Moved');
  const { stop } = await deliverMail(db, toServer(server.port));
  stops.push(stop);
  const rows = () => db.selectFrom('mails').select(['recipient', 'state', 'body_text', 'body_html']).execute();
  await until(async () => (await rows()).filter(({ state }) => state === 'queued').length === 1);
  const kept = new Map((await rows()).map((row) => [row.recipient, [row.state, row.body_text + row.body_html]]));
  expect(Object.fromEntries(kept)).toEqual({
    'sent@example.com': ['sent', ''],
    'refused@example.com': ['failed', 'Secret<p>Secret</p>'],
    'stale@example.com': ['dropped', ''],
    'taken-back@example.com': ['dropped', ''],
    'late@example.com': ['queued', 'Secret<p>Secret</p>'],
    'open@example.com': ['sent', 'Text<p>Text</p>'],
  });
  expect(server.taken.map(({ recipient }) => recipient).sort()).toEqual(['open@example.com', 'sent@example.com']);
  expect(server.taken.find(({ recipient }) => recipient === 'sent@example.com')?.raw).toContain('Secret');
  // Until it is stale it can be sent again.
  expect(await listFailedMail(db, new Date())).toMatchObject([{ id: refused, ended: null }]);
  const later = new Date(staleAfter.getTime() + 1);
  expect(await eraseStaleSecrets(db, later)).toBe(2);
  expect((await rows()).find(({ recipient }) => recipient === 'refused@example.com')?.body_text).toBe('');
  expect(await listFailedMail(db, later)).toMatchObject([{ id: refused, ended: 'stale' }]);
  expect(await resendMail(db, refused ?? '', later, links)).toEqual({ ok: false, reason: 'stale' });
  expect(await resendMail(db, refused ?? '', new Date(), links)).toEqual({ ok: false, reason: 'erased' });
  const { rows: jobs } = await sql`select data, output from pgboss.job`.execute(db);
  expect(JSON.stringify(jobs)).not.toContain('Secret');
});

test('a secret written to a file stays readable until it is stale', async () => {
  const { folder, remove } = temporaryFolder();
  stops.push(remove);
  const { db } = database;
  const staleAfter = new Date(Date.now() + 60_000);
  await queueMail(db, { ...mail, text: 'Secret', secret: true, staleAfter });
  stops.push((await deliverMail(db, fileTransport(folder))).stop);
  const row = () => db.selectFrom('mails').select(['state', 'body_text']).executeTakeFirstOrThrow();
  await until(async () => (await row()).state === 'sent');
  expect(await eraseStaleSecrets(db, staleAfter)).toBe(0);
  expect((await row()).body_text).toBe('Secret');
  expect(await eraseStaleSecrets(db, new Date(staleAfter.getTime() + 1))).toBe(1);
  expect((await row()).body_text).toBe('');
});

test('no value can add a header field or a recipient', async () => {
  const injections: Partial<Mail>[] = [
    { to: 'a@example.com, b@example.com' },
    { to: 'a@example.com\r\nBcc: b@example.com' },
    { replyTo: 'Ada <a@example.com>' },
    { subject: 'Hello\nBcc: b@example.com' },
    { headers: { 'X-Note': 'a\r\nBcc: b@example.com' } },
    { headers: { 'X-Note: a\r\nBcc': 'b@example.com' } },
    { headers: { Bcc: 'b@example.com' } },
  ];
  for (const injection of injections) {
    await expect(queueMail(database.db, { ...mail, ...injection }), JSON.stringify(injection)).rejects.toThrow();
  }
  expect(await database.db.selectFrom('mails').select('id').execute()).toEqual([]);
});

test('an address typed into forms is acknowledged once an hour', async () => {
  const { db } = database;
  const start = new Date('2025-09-08T00:00:00Z');
  const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
  const claims = await Promise.all(
    ['ada@example.com', 'ADA@example.com', 'ada+1@example.com', 'bob@example.com'].map((address) =>
      db.transaction().execute((trx) => claimAcknowledgement(trx, address, start)),
    ),
  );
  expect(claims.slice(0, 3).filter((claimed) => claimed)).toHaveLength(1);
  expect(claims[3]).toBe(true);
  expect(await claimAcknowledgement(db, 'ada@example.com', after(59))).toBe(false);
  expect(await claimAcknowledgement(db, 'ada@example.com', after(60))).toBe(true);
  // A mail that must arrive waits for the next free hour, never more than one ahead, also when several come at once.
  const reserve = () => db.transaction().execute((trx) => reserveAcknowledgement(trx, 'Ada@example.com', after(90)));
  const waits = await Promise.all([reserve(), reserve()]);
  expect(waits.sort((a, b) => a - b)).toEqual([30 * 60, 60 * 60]);
  expect(await claimAcknowledgement(db, 'ada@example.com', after(209))).toBe(false);
  expect(await reserveAcknowledgement(db, 'ada@example.com', after(210))).toBe(0);
});

test('counts of a clock that was ahead keep mail back for an hour at most, until they are forgotten', async () => {
  const { db } = database;
  const now = new Date('2025-09-08T00:00:00Z');
  const ahead = new Date('2026-09-08T00:00:00Z');
  expect(await claimAcknowledgement(db, 'ada@example.com', ahead)).toBe(true);
  expect(await reserveAcknowledgement(db, 'ada@example.com', now)).toBe(60 * 60);
  expect(await forgetCounts(db, now)).toBe(1);
  expect(await reserveAcknowledgement(db, 'ada@example.com', new Date(now.getTime() + 2 * 3_600_000))).toBe(0);
});
