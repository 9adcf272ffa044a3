import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { theProgram } from '#app/features/people/actor.ts';
import { removeStaff, resetFactors } from '#app/features/people/commands.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { forgetHistory } from '#tests/support/forget-history.ts';
import { appCode, type Browser, keyOn, locationOf, mailedTo, openBrowser, setUpApp } from '#tests/support/sign-in.ts';
import { makeStaff, signInStaff } from '#tests/support/staff.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const hour = 60 * minute;

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(async () => {
  academy.setNow(now);
  // Attempts first: the delivery locks an attempt before its mail.
  const tables = ['mail_attempts', 'mails', 'form_attempts', 'sign_in_asks', 'players', 'people'] as const;
  await forgetHistory(academy.database.owner);
  for (const table of tables) await academy.database.db.deleteFrom(table).execute();
  await makeStaff(academy.database.db, { email: 'Ada@Example.com', name: 'Ada Byron' }, now);
});

const wanted = '/staff/enquiries?state=new';
const ask = (browser: Browser, email: string, from?: string) =>
  browser.post('/staff/sign-in', { email, to: wanted }, from);
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));
const links = () => mailedTo(academy, 'ada@example.com');

/** Signs Ada in by mail and sets the app up; returns its key and the recovery codes. */
const setUp = (browser: Browser) => setUpApp(academy, browser, 'ada@example.com');

/** Signs Ada in by mail up to the second factor. */
async function upToFactor(browser: Browser): Promise<void> {
  await ask(browser, 'ada@example.com');
  const { token } = (await links()).at(-1) ?? { token: '' };
  expect(locationOf(await browser.post('/staff/sign-in/confirm', { token }))).toBe('/staff/sign-in/factor');
}

test('P52, P53: at the first sign-in staff set up a second factor, and only then see anything', async () => {
  const browser = openBrowser(academy);
  expect(locationOf(await browser.get(wanted))).toBe('/staff/sign-in?to=%2Fstaff%2Fenquiries%3Fstate%3Dnew');
  expect(locationOf(await ask(browser, 'ADA@example.com'))).toBe('/staff/sign-in/code');
  const [mailed] = await links();
  const { db } = academy.database;

  // A scanner that opens the link, however often, leaves it whole.
  for (const method of ['GET', 'HEAD', 'GET']) {
    expect((await academy.request(mailed?.link ?? '', { method })).status).toBe(200);
  }
  const opened = await (await academy.request(mailed?.link ?? '')).text();
  expect(opened).toContain('name="token" value="');
  expect(opened).toMatch(/signs you in.* as .…@/);
  const stored = await db.selectFrom('sign_in_asks').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(mailed?.token ?? '');
  expect(stored.map(({ code_hash }) => code_hash?.includes(mailed?.code ?? ''))).toEqual([false]);

  const entered = await browser.post('/staff/sign-in/confirm', { token: mailed?.token ?? '' });
  expect(locationOf(entered)).toBe('/staff/sign-in/set-up');
  expect(entered.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^sign-in=\w{48}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
  );
  for (const path of [wanted, '/staff', '/staff/live']) {
    expect([path, locationOf(await browser.get(path))]).toEqual([path, '/staff/sign-in/set-up']);
  }
  expect((await browser.post('/staff/mail', { act: 'x' })).status).toBe(401);
  expect(await db.selectFrom('audit_entries').select('action').orderBy('id').execute()).toEqual([{ action: 'invite' }]);

  const page = await (await browser.get('/staff/sign-in/set-up')).text();
  const key = keyOn(page);
  expect([key.replaceAll(' ', '').length, page.includes('<path d="M')]).toEqual([32, true]);
  const wrong = await browser.post('/staff/sign-in/set-up', { code: '000000' });
  const refused = await wrong.text();
  expect([wrong.status, refused.includes('That code is not right')]).toEqual([409, true]);
  expect(refused).toMatch(/<input id="code"[^>]* autofocus=""[^>]* aria-describedby="code-error"/);
  const pending = browser.cookies.get('sign-in');
  const done = await browser.post('/staff/sign-in/set-up', { code: appCode(key, academy.now()) });
  const codes = (await done.text()).match(/<li>[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}</g) ?? [];
  expect([done.status, new Set(codes).size]).toEqual([200, 10]);
  // The token of before the second factor opens nothing now.
  expect(browser.cookies.get('sign-in')).not.toBe(pending);
  const old = await academy.request('/staff', { headers: { Cookie: `sign-in=${pending}` } });
  expect(locationOf(old)).toContain('/staff/sign-in?');
  const shown = await browser.get(wanted);
  expect([shown.status, (await shown.text()).includes('Ada Byron')]).toEqual([200, true]);
  // A reader of the database finds no token to sign in with.
  const rows = await db.selectFrom('sign_ins').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('sign-in'));
  expect(rows).toMatchObject([{ audience: 'staff', awaits: null, browser: 'Firefox on Linux' }]);
  expect(locationOf(await browser.get('/staff/sign-in'))).toBe('/staff');

  const again = await openBrowser(academy).post('/staff/sign-in/confirm', { token: mailed?.token ?? '' });
  expect([again.status, again.headers.getSetCookie()]).toEqual([403, []]);
  const left = await browser.post('/staff/sign-out');
  expect([left.status, locationOf(left), browser.cookies.has('sign-in')]).toEqual([303, '/staff/sign-in', false]);
  expect(await db.selectFrom('sign_ins').selectAll().execute()).toEqual([]);
  const entries = await db.selectFrom('audit_entries').select(['action', 'person_id']).orderBy('id').execute();
  expect(entries.map(({ action, person_id }) => [action, person_id === null])).toEqual([
    ['invite', true],
    ['sign-in', false],
  ]);
});

test('P53: a code of the app is taken once, a recovery code too, and five wrong ones close the step for 15 minutes', async () => {
  const { key, recovery } = await setUp(openBrowser(academy));
  const first = openBrowser(academy);
  await upToFactor(first);
  const tryCode = async (browser: Browser, code: string) =>
    (await browser.post('/staff/sign-in/factor', { code })).status;
  // The code that set it up is the one the app still shows.
  expect(await tryCode(first, appCode(key, academy.now()))).toBe(409);
  later(30_000);
  const shown = appCode(key, academy.now());
  const second = openBrowser(academy);
  await upToFactor(second);
  const both = await Promise.all([tryCode(first, shown), tryCode(second, shown)]);
  expect(both.sort()).toEqual([303, 409]);

  later(11 * minute);
  const third = openBrowser(academy);
  await upToFactor(third);
  expect(await tryCode(third, ` ${recovery[0]?.toUpperCase().replaceAll('-', ' ')}`)).toBe(303);
  expect((await third.get(wanted)).status).toBe(200);
  const fourth = openBrowser(academy);
  await upToFactor(fourth);
  // Two were wrong before, and this one is the third.
  const tries: number[] = [];
  for (const code of [recovery[0], 'x', '', recovery[1]]) tries.push(await tryCode(fourth, code ?? ''));
  expect(tries).toEqual([409, 409, 409, 409]);
  const closed = await (await fourth.post('/staff/sign-in/factor', { code: recovery[1] ?? '' })).text();
  expect(closed).toContain('Five codes were wrong. Please wait 15 minutes and try again.');
  expect(closed).toMatch(/<input id="code"[^>]* autofocus=""[^>]* aria-describedby="code-error code-hint"/);
  later(15 * minute);
  const fifth = openBrowser(academy);
  await upToFactor(fifth);
  expect(await tryCode(fifth, recovery[1] ?? '')).toBe(303);
});

test('P53: the database holds no seed that an app could use', async () => {
  const { key } = await setUp(openBrowser(academy));
  const rows = await academy.database.db.selectFrom('totp_keys').select('secret').execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.secret).not.toContain(key.replaceAll(' ', ''));
  expect(rows[0]?.secret).not.toMatch(/^[A-Z2-7]{32}$/);
});

test('nobody learns who is staff: the same answers and the same code page, also for wrong codes', async () => {
  const [known, unknown] = [openBrowser(academy), openBrowser(academy)];
  const answers = [];
  for (const [browser, email] of [
    [known, 'ada@example.com'],
    [unknown, 'eve@example.com'],
  ] as const) {
    const asked = await ask(browser, email, '192.0.2.9');
    await links();
    const seen = [asked.status, locationOf(asked)];
    const strip = async (response: Response) => [
      response.status,
      (await response.text()).replaceAll(email, 'X').length,
    ];
    seen.push(...(await strip(await browser.get('/staff/sign-in/code'))).map(String));
    for (let time = 0; time < 6; time++) {
      const tried = await browser.post('/staff/sign-in/code', { code: '000000' });
      seen.push(`${tried.status} ${/id="code-error"[^>]*>([^<]*)/.exec(await tried.text())?.[1]}`);
    }
    answers.push(seen);
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]?.slice(-6)).toEqual([
    '409 That code is not right. Four tries are left.',
    '409 That code is not right. Three tries are left.',
    '409 That code is not right. Two tries are left.',
    '409 That code is not right. One try is left.',
    '409 undefined',
    '409 undefined',
  ]);
  const mails = await academy.database.db.selectFrom('mails').select('recipient').execute();
  expect(mails).toEqual([{ recipient: 'ada@example.com' }]);
  expect([(await ask(known, 'no address')).status, (await known.post('/staff/sign-in')).status]).toEqual([400, 400]);
});

test('links are limited by who asks: by network, and by network and mailbox', async () => {
  const browser = openBrowser(academy);
  for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    const statuses = [];
    for (let time = 0; time < 4; time++) statuses.push((await ask(browser, 'ada@example.com', from)).status);
    expect(statuses).toEqual([303, 303, 303, 429]);
  }
  expect(await links()).toHaveLength(9);
  const junk = Array.from({ length: 12 }, (_, at) =>
    ask(openBrowser(academy), `junk-${at}@example.com`, '198.51.100.7'),
  );
  expect((await Promise.all(junk)).filter(({ status }) => status === 429)).toHaveLength(2);
  expect((await ask(browser, 'ada@example.com', '198.51.100.7')).status).toBe(429);
  expect((await ask(browser, 'ada@example.com', '203.0.113.1')).status).toBe(303);
  expect(await links()).toHaveLength(10);
});

test('a link that is too old, forged or of someone removed signs nobody in; twelve presses at once sign in once', async () => {
  const browser = openBrowser(academy);
  await ask(browser, 'ada@example.com');
  const press = (token: string) => openBrowser(academy).post('/staff/sign-in/confirm', { token });
  const [old] = await links();
  later(15 * minute);
  expect([(await press(old?.token ?? '')).status, (await press('x')).status, (await press('')).status]).toEqual([
    403, 403, 403,
  ]);
  academy.setNow(now);
  await ask(browser, 'ada@example.com');
  const raced = (await links()).at(-1)?.token ?? '';
  const entered = await Promise.all(Array.from({ length: 12 }, () => press(raced)));
  expect(entered.filter(({ status }) => status === 303)).toHaveLength(1);

  await ask(browser, 'ada@example.com');
  const removed = (await links()).at(-1)?.token ?? '';
  const { db } = academy.database;
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  await makeStaff(db, { email: 'bob@example.com', name: 'Bob' }, now);
  await db.transaction().execute((trx) => removeStaff(trx, 'ada@example.com', { actor: theProgram, at: now }));
  expect([(await press(removed)).status, (await ada.get('/staff/enquiries')).status]).toEqual([403, 302]);
});

test('P50: a link to an address that is not the main one of staff any more signs nobody in', async () => {
  await ask(openBrowser(academy), 'ada@example.com');
  const { token } = (await links()).at(-1) ?? { token: '' };
  const { db } = academy.database;
  const { id } = await db
    .selectFrom('people')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow();
  const other = { person_id: id, email: 'ada@elsewhere.example', verified_at: now };
  await db.insertInto('person_emails').values(other).execute();
  await db.updateTable('people').set({ email: other.email }).where('id', '=', id).execute();
  expect((await openBrowser(academy).post('/staff/sign-in/confirm', { token })).status).toBe(403);
});

test('signing in by one link ends the other links and codes of the same person, and nobody else’s', async () => {
  await makeStaff(academy.database.db, { email: 'bob@example.com', name: 'Bob' }, now);
  const [first, second, bob] = [openBrowser(academy), openBrowser(academy), openBrowser(academy)];
  await ask(first, 'ada@example.com');
  await ask(second, 'ada@example.com');
  await ask(bob, 'bob@example.com');
  const [one, two] = await links();
  const [bobs] = await mailedTo(academy, 'bob@example.com');
  const press = async (token = '') => (await openBrowser(academy).post('/staff/sign-in/confirm', { token })).status;
  expect([await press(two?.token), await press(one?.token), await press(bobs?.token)]).toEqual([303, 403, 303]);
  expect(locationOf(await first.get('/staff/sign-in/code'))).toBe('/staff/sign-in');
});

test('a code works in the browser that asked for it only, and ten minutes', async () => {
  const [asker, thief] = [openBrowser(academy), openBrowser(academy)];
  await ask(asker, 'ada@example.com');
  const [mailed] = await links();
  const code = mailed?.code ?? '';
  expect(code).toMatch(/^\d{6}$/);
  expect(locationOf(await thief.post('/staff/sign-in/code', { code }))).toBe('/staff/sign-in');
  await ask(thief, 'ada@example.com');
  expect((await thief.post('/staff/sign-in/code', { code })).status).toBe(409);
  later(10 * minute);
  expect((await asker.post('/staff/sign-in/code', { code })).status).toBe(409);
  later(-minute);
  const entered = await asker.post('/staff/sign-in/code', { code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
  expect([entered.status, locationOf(entered)]).toEqual([303, '/staff/sign-in/set-up']);
  // And it is used up, with the cookie that was bound to it.
  expect(asker.cookies.has('ask-staff')).toBe(false);
});

test('a sign-in ends after twelve hours without use, and after seven days in all', async () => {
  const browser = openBrowser(academy);
  await setUp(browser);
  const status = async () => (await browser.get('/staff/enquiries')).status;
  const begun = academy.now().getTime();
  const at = (ms: number) => academy.setNow(new Date(begun + ms));
  at(12 * hour - 1);
  const used = await browser.get('/staff/enquiries');
  expect([used.status, used.headers.getSetCookie()[0]]).toEqual([200, expect.stringContaining('Max-Age=43200')]);
  at(24 * hour - 2);
  expect(await status()).toBe(200);
  at(36 * hour);
  expect(await status()).toBe(302);

  const again = openBrowser(academy);
  academy.setNow(now);
  await resetAda();
  await setUp(again);
  for (let at = 1; at < 7 * 24; at += 11) {
    academy.setNow(new Date(now.getTime() + at * hour));
    expect((await again.get('/staff/enquiries')).status).toBe(200);
  }
  academy.setNow(new Date(now.getTime() + 7 * 24 * hour));
  expect((await again.get('/staff/enquiries')).status).toBe(302);
});

/** Takes Ada's second factor away, as `npm run staff -- reset` does. */
const resetAda = () =>
  academy.database.db
    .transaction()
    .execute((trx) => resetFactors(trx, 'ada@example.com', { actor: theProgram, at: academy.now() }));

test('a lost second factor is removed by the command line: signed out, traced, and set up again', async () => {
  const browser = openBrowser(academy);
  const { key, recovery } = await setUp(browser);
  expect(await resetAda()).toMatchObject({ ok: true, staff: { name: 'Ada Byron' } });
  expect((await browser.get('/staff')).status).toBe(302);
  const { db } = academy.database;
  const last = db.selectFrom('audit_entries').select(['action', 'person_id']).orderBy('id', 'desc').limit(1);
  expect(await last.execute()).toEqual([{ action: 'reset-factors', person_id: null }]);
  later(minute);
  const renewed = await setUp(browser);
  expect([renewed.key === key, renewed.recovery.includes(recovery[0] ?? '')]).toEqual([false, false]);
});

test('a clock that jumps back ends a sign-in that it says was made in the future', async () => {
  const browser = openBrowser(academy);
  await setUp(browser);
  later(-minute);
  expect((await browser.get('/staff/enquiries')).status).toBe(200);
  later(-1);
  expect((await browser.get('/staff/enquiries')).status).toBe(302);
});

test('everything under /staff stays private: not cached, not listed, no cookie for others, nothing without the origin', async () => {
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const answers = [
    ...(await Promise.all(['/staff', '/staff.data', '/staff/enquiries', '/staff/none', '/staff/sign-in'].map(ada.get))),
    await academy.request('/staff/enquiries.data'),
    await academy.request('/staff/sign-in/confirm?token=x'),
    await academy.request('/staff/sign-in/set-up'),
    await academy.request('/staff/sign-out', { method: 'POST' }),
    await academy.request('/staff/%zz'),
  ];
  for (const { headers } of answers) {
    expect([headers.get('Cache-Control'), headers.get('X-Robots-Tag')]).toEqual(['no-store', 'noindex, nofollow']);
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 302, 202, 200, 200, 403, 400]);
  const forged = `${ada.cookie.slice(0, -4)}zzzz`;
  expect((await academy.request('/staff/enquiries', { headers: { Cookie: forged } })).status).toBe(302);
  const { headers } = await academy.request('/', { headers: { Cookie: ada.cookie } });
  expect(headers.getSetCookie()).toEqual([]);
});

test('behind HTTPS the cookies are tied to the host', async () => {
  const secure = await openAcademyApp({ env: { BASE_URL: 'https://academy.example' } });
  await makeStaff(secure.database.db, { email: 'ada@example.com', name: 'Ada' }, now);
  const browser = openBrowser(secure);
  const asked = await browser.post('/staff/sign-in', { email: 'ada@example.com', to: '//elsewhere.example' });
  expect(asked.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-ask-staff=\w{48}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  await mailedTo(secure, 'ada@example.com');
  const { db } = secure.database;
  const { leads_to } = await db.selectFrom('sign_in_asks').select('leads_to').executeTakeFirstOrThrow();
  expect(leads_to).toBe('/staff');
  await db
    .updateTable('sign_in_asks')
    .set({ link_hash: hashOfToken('known') })
    .execute();
  const entered = await browser.post('/staff/sign-in/confirm', { token: 'known' });
  expect(entered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sign-in=\w{48}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  await secure.close();
});

test('a link that was asked for a quarter of an hour ago is not sent any more', async () => {
  const { db } = academy.database;
  await ask(openBrowser(academy), 'ada@example.com');
  await db
    .updateTable('sign_in_asks')
    .set({ asked_at: new Date(now.getTime() - 15 * minute) })
    .execute();
  expect(await links()).toEqual([]);
  expect(await db.selectFrom('sign_in_asks').selectAll().execute()).toEqual([]);
});

test('addresses of every form sign in', async () => {
  for (const email of ['r&d@example.com', 'x/y=z@example.com', 'user!@example.xn--p1ai']) {
    await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, now);
    const browser = openBrowser(academy);
    expect((await ask(browser, email, '192.0.2.77')).status).toBe(303);
    const [mailed] = await mailedTo(academy, email);
    expect(locationOf(await browser.post('/staff/sign-in/code', { code: mailed?.code ?? '' }))).toBe(
      '/staff/sign-in/set-up',
    );
  }
});
