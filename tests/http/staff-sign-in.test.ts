import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { programSecret } from '#app/db/secrets.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { removeStaff } from '#app/features/people/commands.server.ts';
import { sendRequestedLinks } from '#app/features/people/sign-in-links.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { forgetHistory } from '#tests/support/forget-history.ts';
import { makeStaff, signInStaff } from '#tests/support/staff.ts';

const own = { 'Sec-Fetch-Site': 'same-origin' };
/** The true time: better-auth goes by it. */
const now = new Date();

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(async () => {
  academy.setNow(now);
  // Attempts first: the delivery locks an attempt before its mail.
  const tables = ['people', 'verifications', 'mail_attempts', 'mails', 'form_attempts', 'sign_in_requests'] as const;
  await forgetHistory(academy.database.owner);
  for (const table of tables) await academy.database.db.deleteFrom(table).execute();
  await makeStaff(academy.database.db, { email: 'Ada@Example.com', name: 'Ada Byron' }, now);
});

const post = (path: string, fields: Record<string, string>, from?: string) =>
  academy.request(path, { method: 'POST', headers: own, body: new URLSearchParams(fields), ...(from && { from }) });
const ask = (email: string, from?: string) =>
  post('/staff/sign-in?to=%2Fstaff%2Fenquiries%3Fstate%3Dnew', { email }, from);
const locationOf = (response: Response) => response.headers.get('Location');

/** The links that were mailed to Ada, once all that were asked for are. */
async function links(): Promise<string[]> {
  await sendRequestedLinks(academy.services.signIn);
  const mails = await academy.database.db
    .selectFrom('mails')
    .select(['recipient', 'body_text', 'kind'])
    .orderBy('queued_at')
    .execute();
  expect(mails.every(({ recipient, kind }) => recipient === 'ada@example.com' && kind === 'sign-in-link')).toBe(true);
  return mails.map((mail) => /http:\/\/localhost:3000(\S+)/.exec(mail.body_text)?.[1] ?? '');
}

/** Presses the button of the page a link opens. */
async function enter(link: string): Promise<Response> {
  const { searchParams } = new URL(link, 'http://localhost:3000');
  return post('/staff/sign-in/confirm', Object.fromEntries(searchParams));
}

const cookieOf = (response: Response) => response.headers.getSetCookie().find((cookie) => /sign-in=[^;]/.test(cookie));

test('a link by mail signs in once, and leads to where one wanted to go', async () => {
  const refused = await academy.request('/staff/enquiries?state=new');
  expect([refused.status, locationOf(refused)]).toEqual([302, '/staff/sign-in?to=%2Fstaff%2Fenquiries%3Fstate%3Dnew']);
  expect(locationOf(await ask('ADA@example.com'))).toBe('/staff/sign-in?sent=&to=%2Fstaff%2Fenquiries%3Fstate%3Dnew');
  const [link = ''] = await links();

  // A scanner that opens the link, however often, leaves it whole.
  for (const method of ['GET', 'HEAD', 'GET']) expect((await academy.request(link, { method })).status).toBe(200);
  expect(await (await academy.request(link)).text()).toContain('name="token" value="');
  const { db } = academy.database;
  const { value, identifier } = await db.selectFrom('verifications').selectAll().executeTakeFirstOrThrow();
  expect(value + identifier).not.toContain(new URL(link, 'http://x').searchParams.get('token'));

  const entered = await enter(link);
  expect([entered.status, locationOf(entered)]).toEqual([303, '/staff/enquiries?state=new']);
  const cookie = cookieOf(entered);
  expect(cookie).toMatch(/^sign-in=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  const headers = { Cookie: cookie?.split(';')[0] ?? '' };
  const page = await academy.request('/staff/enquiries', { headers });
  expect(await page.text()).toContain('Ada Byron');
  // Whoever reads the database finds no token to sign in with: neither the one in the cookie nor one to put there.
  const { token: kept } = await db.selectFrom('sign_ins').select('token').executeTakeFirstOrThrow();
  const [token = ''] = decodeURIComponent(headers.Cookie.split('=')[1] ?? '').split('.');
  expect([token.length, kept.includes(token)]).toEqual([32, false]);
  const key = await programSecret(db, 'sign-in');
  const signature = createHmac('sha256', key).update(kept).digest('base64');
  const stolen = { Cookie: `sign-in=${encodeURIComponent(`${kept}.${signature}`)}` };
  expect((await academy.request('/staff/enquiries', { headers: stolen })).status).toBe(302);
  // Used after ten minutes the sign-in is prolonged, under the same token.
  await db
    .updateTable('sign_ins')
    .set({ expires_at: new Date(Date.now() + 60_000) })
    .execute();
  const used = await academy.request('/staff/enquiries', { headers });
  expect([used.status, cookieOf(used)?.split(';')[0]]).toEqual([200, headers.Cookie]);
  expect((await academy.request('/staff/sign-in', { headers })).status).toBe(302);

  const again = await enter(link);
  expect([again.status, cookieOf(again)]).toEqual([403, undefined]);
  expect(await again.text()).toContain('This link no longer works');

  const left = await academy.request('/staff/sign-out', { method: 'POST', headers: { ...headers, ...own } });
  expect([left.status, locationOf(left)]).toEqual([303, '/staff/sign-in']);
  expect((await academy.request('/staff/enquiries', { headers })).status).toBe(302);
  const entries = await db.selectFrom('audit_entries').select(['action', 'person_id']).orderBy('id').execute();
  expect(entries.map(({ action, person_id }) => [action, person_id === null])).toEqual([
    ['invite', true],
    ['sign-in', false],
  ]);
});

test('nobody learns who is staff, and links are limited by email address and by network', async () => {
  const known = await ask('ada@example.com', '192.0.2.9');
  const unknown = await ask('eve@example.com', '192.0.2.9');
  expect([unknown.status, locationOf(unknown)]).toEqual([known.status, locationOf(known)]);
  expect([(await ask('no address')).status, (await post('/staff/sign-in', {})).status]).toEqual([400, 400]);

  // One network has three sent to an address, and all together nine.
  for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    const statuses = [];
    for (let time = 0; time < 4; time++) statuses.push((await ask('ada@example.com', from)).status);
    // The last has its third and fourth swallowed, because all together had nine; it is not told.
    expect(statuses).toEqual([303, 303, 303, from === '192.0.2.3' ? 303 : 429]);
  }
  expect(await links()).toHaveLength(9);
  // Nobody is told that all together reached theirs, whoever it is.
  expect((await ask('ada@example.com', '192.0.2.5')).status).toBe(303);
  expect(await links()).toHaveLength(9);
  const strangers = Array.from({ length: 12 }, (_, at) => ask(`eve-${at}@example.com`, '192.0.2.4'));
  const statuses = await Promise.all(strangers);
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(2);
  academy.setNow(new Date(now.getTime() + 10 * 60 * 1000));
  expect((await ask('ada@example.com', '192.0.2.4')).status).toBe(303);
  expect(await links()).toHaveLength(10);
});

test('a stranger cannot keep links from a member of staff, and what is refused writes nothing', async () => {
  const { db } = academy.database;
  const junk = Array.from({ length: 10 }, (_, at) => ask(`junk-${at}@example.com`, '198.51.100.7'));
  expect((await Promise.all(junk)).map(({ status }) => status)).toEqual(Array(10).fill(303));
  const count = async () => (await db.selectFrom('form_attempts').select('network').execute()).length;
  const before = await count();
  for (let time = 0; time < 3; time++) expect((await ask('ada@example.com', '198.51.100.7')).status).toBe(429);
  expect(await count()).toBe(before);
  expect(await links()).toEqual([]);
  // From a network of its own the address has all of its share, also when the stranger's had used up theirs.
  for (let time = 0; time < 3; time++) await ask('ada@example.com', '203.0.113.1');
  expect(await links()).toHaveLength(3);
  expect(await (await ask('ada@example.com', '203.0.113.1')).text()).toContain(
    'A link from the last 15 minutes still works',
  );
  expect((await ask('ada@example.com', '203.0.113.2')).status).toBe(303);
  expect(await links()).toHaveLength(4);
});

test('a link that is too old, forged or of someone removed signs nobody in; twelve presses at once sign in once', async () => {
  for (let at = 0; at < 2; at++) await ask('ada@example.com');
  const [old = '', raced = ''] = await links();
  const { db } = academy.database;
  const { id } = await db.selectFrom('verifications').select('id').orderBy('id').executeTakeFirstOrThrow();
  await db.updateTable('verifications').set({ expires_at: new Date() }).where('id', '=', id).execute();
  expect([(await enter(old)).status, (await enter('/?token=x')).status, (await enter('/')).status]).toEqual([
    403, 403, 403,
  ]);
  const entered = await Promise.all(Array.from({ length: 12 }, () => enter(raced)));
  expect(entered.filter(({ status }) => status === 303)).toHaveLength(1);
  await ask('ada@example.com');
  const removed = (await links()).at(-1) ?? '';
  const cookie =
    entered
      .map(cookieOf)
      .find((found) => found)
      ?.split(';')[0] ?? '';
  await makeStaff(db, { email: 'bob@example.com', name: 'Bob' }, now);
  await db.transaction().execute((trx) => removeStaff(trx, 'ada@example.com', { actor: theProgram, at: now }));
  expect((await enter(removed)).status).toBe(403);
  expect((await academy.request('/staff/enquiries', { headers: { Cookie: cookie } })).status).toBe(302);
});

test('a sign-in ends after twelve hours without use, and after seven days in all', async () => {
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const { db } = academy.database;
  const status = async () => (await ada.get('/staff/enquiries')).status;
  const hour = 60 * 60 * 1000;
  const used = await ada.get('/staff/enquiries');
  expect(cookieOf(used)).toContain('Max-Age=43200');
  const { expires_at } = await db.selectFrom('sign_ins').select('expires_at').executeTakeFirstOrThrow();
  expect(expires_at.getTime() - Date.now()).toBeGreaterThan(11 * hour);
  academy.setNow(new Date(now.getTime() + 7 * 24 * hour - 1));
  expect(await status()).toBe(200);
  academy.setNow(new Date(now.getTime() + 7 * 24 * hour));
  expect(await status()).toBe(302);
  expect(await db.selectFrom('sign_ins').selectAll().execute()).toEqual([]);

  const again = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  await db.updateTable('sign_ins').set({ expires_at: new Date() }).execute();
  expect((await again.get('/staff/enquiries')).status).toBe(302);
});

test('everything under /staff stays private: not cached, not listed, no cookie for others, nothing without the origin', async () => {
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const answers = [
    ...(await Promise.all(['/staff', '/staff.data', '/staff/enquiries', '/staff/none', '/staff/sign-in'].map(ada.get))),
    await academy.request('/staff/enquiries.data'),
    await academy.request('/staff/sign-in/confirm?token=x'),
    await academy.request('/staff/sign-out', { method: 'POST' }),
    await academy.request('/staff/%zz'),
  ];
  for (const { headers } of answers) {
    expect([headers.get('Cache-Control'), headers.get('X-Robots-Tag')]).toEqual(['no-store', 'noindex, nofollow']);
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 302, 202, 200, 403, 400]);
  const forged = `${ada.cookie.slice(0, -4)}AAAA`;
  expect((await academy.request('/staff/enquiries', { headers: { Cookie: forged } })).status).toBe(302);
  for (const path of ['/', '/api/auth/get-session']) {
    const { headers } = await academy.request(path, { headers: { Cookie: ada.cookie } });
    expect(headers.getSetCookie()).toEqual([]);
  }
});

test('behind HTTPS the cookie is tied to the host', async () => {
  const secure = await openAcademyApp({ env: { BASE_URL: 'https://academy.example' } });
  await makeStaff(secure.database.db, { email: 'ada@example.com', name: 'Ada' }, now);
  const token = await secure.services.signIn.signIns.createToken('ada@example.com');
  const body = new URLSearchParams({ token, to: '//elsewhere.example' });
  const entered = await secure.request('/staff/sign-in/confirm', { method: 'POST', headers: own, body });
  expect(locationOf(entered)).toBe('/staff');
  expect(cookieOf(entered)).toMatch(/^__Host-sign-in=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  await secure.close();
});

test('the answer waits for no link, and does the same for everybody', async () => {
  const { signIn } = academy.services;
  const { signIns } = signIn;
  const made: string[] = [];
  // Never finishes: an answer that waited for it would not come. The program's own job keeps the true one.
  const createToken = (email: string) => {
    made.push(email);
    return new Promise<string>(() => undefined);
  };
  signIn.signIns = { ...signIns, createToken };
  const [known, unknown] = [await ask('ada@example.com'), await ask('eve@example.com')];
  signIn.signIns = signIns;
  expect([known.status, locationOf(known)]).toEqual([unknown.status, locationOf(unknown)]);
  expect([known.status, made]).toEqual([303, []]);
});

test('the program forgets an address that is no member of staff’s, and sends it nothing', async () => {
  for (const email of ['eve@example.com', 'ada@example.com', 'mallory@example.com']) await ask(email);
  expect(await links()).toHaveLength(1);
  expect(await academy.database.db.selectFrom('sign_in_requests').selectAll().execute()).toEqual([]);
});

test('a link to sign in that was asked for a quarter of an hour ago is not sent any more', async () => {
  const { db } = academy.database;
  const late = { email: 'ada@example.com', leads_to: '/staff', requested_at: new Date(Date.now() - 16 * 60_000) };
  await db.insertInto('sign_in_requests').values(late).execute();
  expect(await links()).toEqual([]);
  expect(await db.selectFrom('sign_in_requests').selectAll().execute()).toEqual([]);
});

test('signing in by one link ends the other links of the same person, and nobody else’s', async () => {
  const { db } = academy.database;
  await makeStaff(db, { email: 'bob@example.com', name: 'Bob' }, now);
  const { createToken } = academy.services.signIn.signIns;
  const [first, second, bobs] = [
    await createToken('ada@example.com'),
    await createToken('ada@example.com'),
    await createToken('bob@example.com'),
  ];
  const press = async (token: string) => (await post('/staff/sign-in/confirm', { token })).status;
  expect([await press(second), await press(first), await press(bobs)]).toEqual([303, 403, 303]);
});

test('addresses that better-auth would refuse sign in like others', async () => {
  const { db } = academy.database;
  await db.deleteFrom('people').execute();
  for (const email of ['r&d@example.com', 'x/y=z@example.com', 'user!@example.xn--p1ai']) {
    const staff = await makeStaff(db, { email, name: 'Ada Byron' }, now);
    expect((await ask(email, '192.0.2.77')).status).toBe(303);
    await sendRequestedLinks(academy.services.signIn);
    const mail = await db.selectFrom('mails').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow();
    const entered = await enter(/http:\/\/localhost:3000(\S+)/.exec(mail.body_text)?.[1] ?? '');
    expect([entered.status, cookieOf(entered) !== undefined]).toEqual([303, true]);
    const { person_id } = await db
      .selectFrom('sign_ins')
      .select('person_id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(person_id).toBe(staff.id);
  }
});
