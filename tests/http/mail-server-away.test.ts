import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { openMailHealth } from '#app/outbox/mail-health.server.ts';
import { queueDelivery } from '#app/outbox/queue-mail.server.ts';
import { freePort } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { readStatus } from '#server/status.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { openBrowser } from '#tests/support/sign-in.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let staff: SignedIn;
let port: number;
beforeAll(async () => {
  port = await freePort();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, METRICS_PORT: '9' };
  academy = await openAcademyApp({ env, jobs: true });
  staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const read = async (path: string) => mainText(await academy.request(path));
const json = async () => {
  const response = await academy.request('/status', { headers: { Accept: 'application/json' } });
  const { parts } = (await response.json()) as { parts: { name: string; state: string; since: string | null }[] };
  return Object.fromEntries(parts.map(({ name, state }) => [name, state]));
};
const metric = async (name: string) =>
  new RegExp(`^${name} (.*)$`, 'm').exec((await academy.metrics?.text()) ?? '')?.[1];
const location = (response: Response) => response.headers.get('Location') ?? '';
const away = /Our mail server has not answered since \d{1,2}:\d{2} [AP]M, Brisbane time/;

test('P28, P49, P94: while the mail server is away every page says so, and a code that waited still confirms', async () => {
  const { db } = academy.database;
  await until(async () => (await json()).email === 'down');
  const one = visitor(academy, '198.51.100.1');
  const draft = await one.choose('courseDate=cissp-melbourne', { 'way-cissp': 'course-date:cissp-melbourne' });
  const email = 'grace@example.com';
  await one.post(`${draft}/payer`, { buyerName: 'Grace Hopper', email, payer: 'person' });
  const waiting = await one.read(`${draft}/review`);
  expect(waiting).toMatch(away);
  expect(waiting).toMatch(/The code for grace@example\.com is saved and goes out as soon as the server answers/);
  expect(waiting).toMatch(/We hold your seats until 9:15 AM.*or call \(07\)/);
  expect(waiting).not.toMatch(/We sent|We send|on its way|your spam folder/);
  // A code that never left is not counted, however often another one is asked for.
  for (let again = 0; again < 5; again++) {
    expect(location(await one.post(`${draft}/review`, { intent: 'again' }))).toBe(`${draft}/review?code=waiting`);
  }
  const codes = db.selectFrom('mails').select('id').where('kind', '=', 'email-code');
  expect(await codes.execute()).toHaveLength(1);

  for (const path of ['/enrolments?sent', '/waiting-list?course=cissp&joined=1'])
    expect(await read(path), path).toMatch(away);
  for (const path of ['/login', '/staff/sign-in']) {
    const browser = openBrowser(academy);
    await browser.post(path, { email: 'grace@example.com' });
    const asked = await mainText(await browser.get(`${path}/code`));
    expect(asked, path).toMatch(away);
    expect(asked, path).not.toMatch(/Check your email|Nothing after two minutes/);
  }
  // What the page promises is the code that waits, not what only a delivered mail can do.
  expect(waiting).toContain(`Your address: ${email}`);
  expect(await read('/waiting-list?course=cissp&joined=1')).not.toContain('Check your email');
  const refused = await one.read(`${draft}/review?code=network`);
  expect(refused).toContain('We sent no code');
  expect(refused).not.toMatch(/is saved and goes out|your spam folder/);
  const link = await one.post(`${draft}/review`, { intent: 'link', linkEmail: 'other@example.com' });
  expect(await one.read(location(link))).toContain('We saved the email and send it as soon as the server answers');
  expect(location(await academy.submit('/contact', { ...contact }))).toMatch(/^\/sent\//);

  // Counts are read every two seconds.
  await until(async () => Number(await metric('mail_waiting')) > 2);
  const todo = await mainText(await staff.get('/staff'));
  expect(todo).toMatch(
    /We have sent no email since \d{1,2}:\d{2} [AP]M \d emails waiting, the oldest since .* ECONNREFUSED/,
  );
  const list = await mainText(await staff.get('/staff/mail'));
  expect(list).toMatch(/The mail server has not answered since .* Last answer: .*ECONNREFUSED/);
  expect(list).toMatch(/grace@example\.com .* email-code ?, 0 attempts ?\. We send it when the server answers/);

  expect((await academy.request('/readyz')).status).toBe(200);
  expect(await json()).toEqual({ pages: 'works', database: 'works', enrolling: 'delayed', email: 'down' });
  const page = await academy.request('/status');
  expect([page.status, page.headers.get('Cache-Control'), page.headers.get('X-Robots-Tag')]).toEqual([
    200,
    'no-store',
    'noindex',
  ]);
  const status = await mainText(page);
  expect(status).toMatch(/Not everything works right now .* Email ?: Does not work since /);
  expect(status).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|grace/);
  expect(await metric('mail_server_answering')).toBe('0');
  expect(Number(await metric('mail_oldest_seconds'))).toBeGreaterThan(0);

  const server = await startSmtpServer({ port });
  try {
    // The links to log in go to the same address, in any order.
    const codeOf = () =>
      server.taken.find((mail) => mail.recipient === email && /^Subject: Your code for /m.test(mail.raw))?.raw;
    await until(() => codeOf() !== undefined);
    await until(async () => (await json()).email === 'works');
    expect(await read('/enrolments?sent')).not.toMatch(away);
    expect(await mainText(await staff.get('/staff'))).not.toContain('We have sent no email');
    expect(await metric('mail_server_answering')).toBe('1');
    const { text = '' } = await PostalMime.parse(codeOf() ?? '');
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
    const placed = await one.send(`${draft}/review`, { intent: 'place', accepted: 'on', code });
    expect(location(placed)).toContain(`${draft}/done`);
  } finally {
    await server.close();
  }
});

const contact = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.org', message: 'Hello' };

test('P28: a code holds for a quarter of an hour from when it was handed over', async () => {
  const { db } = academy.database;
  academy.setNow(new Date('2025-09-08T10:00:00+10:00'));
  const one = visitor(academy, '198.51.100.2');
  const draft = await one.choose('courseDate=cissp-melbourne', { 'way-cissp': 'course-date:cissp-melbourne' });
  await one.post(`${draft}/payer`, { buyerName: 'Late', email: 'late@example.com', payer: 'person' });
  const code = await one.code('late@example.com');
  const handedOver = new Date(academy.now().getTime() + 14 * 60_000);
  const mail = db.updateTable('mails').where('recipient', '=', 'late@example.com');
  await mail.set({ state: 'sent', settled_at: handedOver }).execute();
  academy.setNow(new Date('2025-09-08T10:30:00+10:00'));
  const place = () => one.send(`${draft}/review`, { intent: 'place', accepted: 'on', code });
  expect((await place()).status).toBe(409);
  academy.setNow(new Date('2025-09-08T10:28:00+10:00'));
  expect(location(await place())).toContain(`${draft}/done`);
});

/** Queues mails as if their last attempt had failed, the last one as if it had been put off on purpose. */
async function putOff(ids: readonly string[]): Promise<void> {
  const { db } = academy.database;
  for (const [index, id] of ids.entries()) {
    await queueDelivery(db, id, 3600);
    if (index < ids.length - 1)
      await sql`update pgboss.job set state = 'retry', started_on = now() where data->>'mailId' = ${id}`.execute(db);
  }
}

/** Which of the mails were made due, whether or not they were tried since. */
async function due(ids: readonly string[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: string }>`select data->>'mailId' as id from pgboss.job
    where start_after < now() + interval '30 minutes'`.execute(academy.database.db);
  return ids.map((id) => rows.some((row) => row.id === id));
}

test('staff send waiting mails at once: one, or all, but not those planned for later', async () => {
  const { db } = academy.database;
  const ids = [];
  for (const name of ['first', 'second', 'planned']) {
    const { id } = await db
      .insertInto('mails')
      .values({
        kind: 'sample',
        recipient: `${name}@example.com`,
        subject: name,
        body_text: 'x',
        body_html: 'x',
        headers: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  await putOff(ids);
  const shown = await (await staff.get('/staff/mail')).text();
  expect(ids.map((id) => shown.includes(`name="mail" value="${id}"`))).toEqual([true, true, false]);
  expect(await mainText(new Response(shown))).toMatch(/planned@example\.com .* Planned for/);
  const sent = await staff.post('/staff/mail/send-now', { ...carriedBy(shown, 'now'), mail: ids[0] ?? '' });
  expect([sent.status, location(sent)]).toEqual([303, '/staff/mail?now']);
  expect(await due(ids)).toEqual([true, false, false]);
  await staff.post('/staff/mail/send-now', carriedBy(shown, 'now'));
  expect(await due(ids)).toEqual([true, true, false]);
  expect(
    (await academy.request('/staff/mail/send-now', { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } }))
      .status,
  ).not.toBe(303);
});

test('P94: /status says since when pages may be out of date, once they were not compared with the database for a minute', async () => {
  const { snapshot } = academy.services;
  const aged = async (ageMs: number) => {
    // Its answers are kept for two seconds, for each program.
    const services = { ...academy.services, snapshot: { ...snapshot, ageMs: () => ageMs } };
    return (await readStatus(services)).find(({ name }) => name === 'pages');
  };
  expect(await aged(59_000)).toMatchObject({ state: 'works', since: null });
  const late = await aged(61_000);
  expect(late).toMatchObject({ state: 'delayed' });
  expect((late?.checkedAt.getTime() ?? 0) - (late?.since?.getTime() ?? 0)).toBe(61_000);
});

test('/status answers while the database is away', async () => {
  const gone = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  const { database, mailHealth } = academy.services;
  Object.assign(academy.services, {
    database: { ...database, db: gone, probe: gone },
    mailHealth: openMailHealth(gone, academy.services.clock),
  });
  try {
    await until(async () => (await json()).database === 'down');
    expect(await json()).toEqual({ pages: 'works', database: 'down', enrolling: 'down', email: 'unknown' });
    expect(await read('/status')).toMatch(/Database ?: Does not work/);
  } finally {
    Object.assign(academy.services, { database, mailHealth });
    await gone.destroy();
  }
});
