import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { type Browser, locationOf, mailedTo, openBrowser } from '#tests/support/sign-in.ts';
import { makeStaff, signInStaff } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(async () => {
  academy.setNow(now);
  const tables = ['mail_attempts', 'mails', 'mail_counts', 'form_attempts', 'sign_in_asks', 'sign_ins'] as const;
  for (const table of tables) await academy.database.db.deleteFrom(table).execute();
});

let addresses = 0;
/** An address that nobody used before. */
const someone = () => `someone-${++addresses}@example.org`;
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));
const ask = (browser: Browser, email: string, to = '/account', from = `192.0.2.${(addresses % 200) + 1}`) =>
  browser.post('/login', { email, to }, from);
const lastMail = async (email: string) => (await mailedTo(academy, email)).at(-1) ?? { link: '', token: '', code: '' };
const personOf = (email: string) =>
  academy.database.db
    .selectFrom('person_emails')
    .select(['person_id', 'verified_at'])
    .where('email', '=', email)
    .executeTakeFirst();

/** The field that a page begins at without scripts, and what a screen reader reads with it; null for none. */
function focused(html: string): [string, string] | null {
  const inputs = (html.match(/<input[^>]*>/g) ?? []).filter((input) => input.includes('autofocus=""'));
  expect(inputs.length).toBeLessThan(2);
  const [field] = inputs;
  const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(field ?? '')?.[1] ?? '';
  return field === undefined ? null : [of('name'), of('aria-describedby')];
}

/** Logs in by the code of a mail. */
async function logIn(browser: Browser, email: string): Promise<void> {
  await ask(browser, email);
  const { code } = await lastMail(email);
  const entered = await browser.post('/login/code', { code });
  expect([entered.status, locationOf(entered)]).toEqual([303, '/account']);
}

test('P51: the first login makes the account: link or code, from a page that is private', async () => {
  const [browser, email] = [openBrowser(academy), someone()];
  expect(locationOf(await browser.get('/account/settings'))).toBe('/login?to=%2Faccount%2Fsettings');
  const page = await browser.get('/login?to=%2Faccount%2Fsettings');
  const html = await page.text();
  expect(html).toMatch(/<h1[^>]*>Login<\/h1>.*New here\? The same form makes your account\..*Email me a link/s);
  expect([page.headers.get('Cache-Control'), html.includes('name="to" value="/account/settings"')]).toEqual([
    'no-store',
    true,
  ]);
  expect(locationOf(await ask(browser, ` ${email.toUpperCase()} `, '/account/settings'))).toBe('/login/code');
  const sent = await (await browser.get('/login/code')).text();
  expect(sent).toMatch(
    new RegExp(`Check your email.*We are sending .*a link and a code.* to.*${email}.*Six-digit code`, 's'),
  );
  expect(await personOf(email)).toBeUndefined();

  const { link, token, code } = await lastMail(email);
  expect([link, code]).toEqual([`/login/link?token=${token}`, expect.stringMatching(/^\d{6}$/)]);
  expect(await personOf(email)).toBeUndefined();
  for (const method of ['GET', 'HEAD', 'GET']) expect((await academy.request(link, { method })).status).toBe(200);
  expect(await (await academy.request(link)).text()).toContain(` as ${email.slice(0, 1)}…@example.org`);
  // In another browser than the one that asked.
  const phone = openBrowser(academy, 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/18.0 Safari/604.1');
  const entered = await phone.post('/login/link', { token });
  expect([entered.status, locationOf(entered)]).toEqual([303, '/account/settings']);
  expect(entered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^player=\w{48}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    'signed-in=1; Max-Age=2592000; Path=/; SameSite=Lax',
  ]);
  expect(await personOf(email)).toMatchObject({ verified_at: now });
  expect((await phone.get('/account')).status).toBe(200);
  // The browser that asked stays out.
  expect((await browser.get('/account')).status).toBe(302);
  expect((await browser.post('/login/link', { token })).status).toBe(403);
  expect(locationOf(await phone.get('/login'))).toBe('/account');
});

test('P50: a buyer or attendee finds it all under the address, and nobody else does', async () => {
  const courseDate = await makeCourseDate(academy.database.db);
  const [buyer, guest, stranger] = [someone(), someone(), someone()];
  const { reference } = await placeIn(academy.database.db, courseDate, {
    buyer: { name: 'Grace Hopper', email: buyer, phone: null },
    attendees: [attendee({ email: guest })],
  });
  const seen: string[] = [];
  for (const email of [buyer, guest, stranger]) {
    const browser = openBrowser(academy);
    await logIn(browser, email);
    const html = await (await browser.get('/account')).text();
    seen.push(['bought', 'attends'].filter((_, at) => html.includes([reference, '/place/'][at] ?? '')).join());
  }
  expect(seen).toEqual(['bought', 'attends', '']);
});

test('P51: known and unknown addresses get the same bytes, and the answer waits for no mail', async () => {
  const known = someone();
  await logIn(openBrowser(academy), known);
  const unknown = someone();
  const answers = [];
  for (const email of [known, unknown]) {
    const browser = openBrowser(academy);
    const asked = await ask(browser, email);
    const { db } = academy.database;
    const rows = db.selectFrom('sign_in_asks').select(['email', 'taken', 'link_hash']).where('email', '=', email);
    const stored = await rows.execute();
    const page = (await (await browser.get('/login/code')).text()).replaceAll(email, 'X');
    await mailAskedLinks(academy.services.signIn);
    const mails = db.selectFrom('mails').select(['subject', 'kind']).where('recipient', '=', email);
    const mailed = await mails.orderBy('queued_at', 'desc').limit(1).execute();
    answers.push({ status: asked.status, to: locationOf(asked), rows: stored.length, page, mailed });
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ status: 303, to: '/login/code', rows: 1, mailed: [{ kind: 'sign-in-link' }] });
});

test('P51: twelve presses of one link at once log in once, and twelve of one code too', async () => {
  const email = someone();
  await ask(openBrowser(academy), email);
  const { token } = await lastMail(email);
  const presses = Array.from({ length: 12 }, () => openBrowser(academy).post('/login/link', { token }));
  expect((await Promise.all(presses)).filter(({ status }) => status === 303)).toHaveLength(1);
  const browser = openBrowser(academy);
  await ask(browser, email);
  const { code } = await lastMail(email);
  const tries = Array.from({ length: 12 }, () => browser.post('/login/code', { code }));
  const went = (await Promise.all(tries)).filter((response) => locationOf(response) === '/account');
  expect(went).toHaveLength(1);
  const { db } = academy.database;
  const people = await db.selectFrom('person_emails').select('person_id').where('email', '=', email).execute();
  expect(people).toHaveLength(1);
});

test('P51: a code works five times at most, ten minutes, and in the browser that asked', async () => {
  const [browser, email] = [openBrowser(academy), someone()];
  await ask(browser, email);
  const { code, token } = await lastMail(email);
  const wrong = code === '111111' ? '222222' : '111111';
  const errors: (string | undefined)[] = [];
  for (let time = 0; time < 5; time++) {
    const html = await (await browser.post('/login/code', { code: wrong })).text();
    if (time < 4) expect(focused(html)).toEqual(['code', 'code-error code-hint']);
    errors.push(/id="code-error"[^>]*>([^<]*)/.exec(html)?.[1]);
  }
  expect(errors.slice(0, 4)).toEqual([
    'That code is not right. Four tries are left.',
    'That code is not right. Three tries are left.',
    'That code is not right. Two tries are left.',
    'That code is not right. One try is left.',
  ]);
  const refused = await browser.post('/login/code', { code });
  const html = await refused.text();
  expect([refused.status, html.includes('Send a new code'), html.includes('name="code"')]).toEqual([409, true, false]);
  // The link of the same mail goes on working.
  expect((await browser.post('/login/link', { token })).status).toBe(303);
});

test('P51: after twenty wrong codes for an address in a day none works until the day is over, and links do', async () => {
  const email = someone();
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    const browser = openBrowser(academy);
    await ask(browser, email, '/account', `198.51.100.${round}`);
    const { code } = await lastMail(email);
    for (let time = 0; time < 5; time++) {
      statuses.push((await browser.post('/login/code', { code: code === '111111' ? '222222' : '111111' })).status);
    }
    later(10 * minute);
  }
  expect(statuses).toEqual(Array(20).fill(409));
  const browser = openBrowser(academy);
  await ask(browser, email, '/account', '198.51.100.9');
  const { code, token } = await lastMail(email);
  const refused = await browser.post('/login/code', { code });
  expect([refused.status, (await refused.text()).includes('Open the link in the email')]).toEqual([409, true]);
  expect((await browser.post('/login/link', { token })).status).toBe(303);
  later(24 * 60 * minute);
  await logIn(openBrowser(academy), email);
});

torture('P24: three hundred posts of strangers at each door keep nobody out, and the strangers are told', async () => {
  const [player, staff] = [someone(), 'ada@example.com'];
  await makeStaff(academy.database.db, { email: staff, name: 'Ada Byron' }, academy.now());
  await logIn(openBrowser(academy), player);
  const doors = [
    { email: player, door: '/login', code: '/login/code' },
    { email: staff, door: '/staff/sign-in', code: '/staff/sign-in/code' },
  ];
  for (const { email, door } of doors) {
    let told = 0;
    for (let post = 0; post < 300; post++) {
      if (post % 10 === 0) later(10 * minute);
      const spelling = email.replace('@', `+${post}@`);
      const typed = post % 2 === 0 ? email : spelling;
      told += (await openBrowser(academy).post(door, { email: typed }, `203.0.113.${post % 2}`)).status === 429 ? 1 : 0;
    }
    expect(told).toBeGreaterThan(200);
  }
  for (const { email, door, code: page } of doors) {
    const browser = openBrowser(academy);
    expect((await browser.post(door, { email }, '192.0.2.250')).status).toBe(303);
    expect((await browser.post(page, { code: (await lastMail(email)).code })).status).toBe(303);
  }
});

test('P52: a player’s login opens nothing for staff, nor a sign-in of staff the account', async () => {
  const [browser, email] = [openBrowser(academy), someone()];
  await logIn(browser, email);
  const player = browser.cookies.get('player') ?? '';
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const crossed = await Promise.all([
    academy.request('/staff', { headers: { Cookie: `sign-in=${player}` } }),
    academy.request('/account', { headers: { Cookie: ada.cookie.replace('sign-in=', 'player=') } }),
    ada.get('/account'),
    browser.get('/staff'),
  ]);
  expect(crossed.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
  // Nor does a link, also for one person who is both.
  await browser.post('/logout');
  await ask(browser, 'ada@example.com');
  const { token } = await lastMail('ada@example.com');
  expect((await browser.post('/staff/sign-in/confirm', { token })).status).toBe(403);
  expect((await browser.post('/login/link', { token })).status).toBe(303);
});

test('P51: logging out ends the login for good, and pages behind it are kept by no browser', async () => {
  const browser = openBrowser(academy);
  await logIn(browser, someone());
  const old = browser.cookies.get('player') ?? '';
  const page = await browser.get('/account');
  expect([page.headers.get('Cache-Control'), page.headers.get('X-Robots-Tag')]).toEqual([
    'no-store',
    'noindex, nofollow',
  ]);
  const left = await browser.post('/logout');
  expect([left.status, locationOf(left), [...browser.cookies.keys()]]).toEqual([303, '/', []]);
  expect((await academy.request('/account', { headers: { Cookie: `player=${old}` } })).status).toBe(302);
  expect((await academy.request('/account.data', { headers: { Cookie: `player=${old}` } })).status).toBe(202);
});

test('P51: a login has a token that nobody knew before, and takes the place of the browser’s earlier one', async () => {
  const [browser, email] = [openBrowser(academy), someone()];
  browser.cookies.set('player', 'f'.repeat(48));
  await logIn(browser, email);
  const first = browser.cookies.get('player') ?? '';
  expect(first).not.toBe('f'.repeat(48));
  await logIn(browser, email);
  expect(browser.cookies.get('player')).not.toBe(first);
  expect((await academy.request('/account', { headers: { Cookie: `player=${first}` } })).status).toBe(302);
});

test('a second process knows at once who logged in and who is out', async () => {
  const other = await openAcademyApp({ beside: academy });
  const [browser, email] = [openBrowser(academy), someone()];
  await ask(browser, email);
  const { code } = await lastMail(email);
  const elsewhere = openBrowser(other);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  expect(locationOf(await elsewhere.post('/login/code', { code }))).toBe('/account');
  for (const [name, value] of elsewhere.cookies) browser.cookies.set(name, value);
  expect((await browser.get('/account')).status).toBe(200);
  await browser.post('/logout');
  expect((await elsewhere.get('/account')).status).toBe(302);
  await other.close();
});

test('a form from another site, a wrong address and a path of another site change nothing', async () => {
  const body = new URLSearchParams({ email: someone() });
  const foreign = await academy.request('/login', {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'cross-site' },
    body,
  });
  expect(foreign.status).toBe(403);
  const browser = openBrowser(academy);
  const refused = await ask(browser, 'no address');
  const html = await refused.text();
  expect([refused.status, html.includes('Enter an email address such as name@example.com.')]).toEqual([400, true]);
  expect(focused(html)).toEqual(['email', 'email-error']);
  expect(focused(await (await browser.get('/login')).text())).toBeNull();
  const email = someone();
  await ask(browser, email, '//elsewhere.example/account');
  const { token } = await lastMail(email);
  expect(locationOf(await browser.post('/login/link', { token }))).toBe('/account');
});

test('P55: not one byte of a public page differs for a player, and one private answer has the name', async () => {
  const [browser, email] = [openBrowser(academy), someone()];
  await logIn(browser, email);
  const everyones = openBrowser(academy);
  for (const path of ['/', '/courses', '/course/cissp', '/training-calendar', '/about', '/courses.data']) {
    const [own, other] = [await browser.get(path), await everyones.get(path)];
    expect(await own.text(), path).toBe(await other.text());
    expect([...own.headers].filter(([name]) => name !== 'x-request-id')).toEqual(
      [...other.headers].filter(([name]) => name !== 'x-request-id'),
    );
  }
  const asked = await browser.get('/api/player');
  expect([asked.headers.get('Cache-Control'), await asked.json()]).toEqual(['no-store', { name: null, progress: {} }]);
  await academy.database.db.updateTable('people').set({ name: 'Ada Byron King' }).where('email', '=', email).execute();
  expect(await (await browser.get('/api/player')).json()).toMatchObject({ name: 'Ada' });
  expect(await (await everyones.get('/api/player')).json()).toBeNull();
  // Once the login has ended the answer says so, and takes the cookie that led to it.
  await academy.database.db.deleteFrom('sign_ins').execute();
  expect(await (await browser.get('/api/player')).json()).toBeNull();
  expect([...browser.cookies.keys()]).toEqual([]);
});

test('while the database is away the login says so, and keeps the address that was typed', async () => {
  const { signIn } = academy.services;
  const { db } = signIn;
  const [browser, email] = [openBrowser(academy), someone()];
  await logIn(browser, email);
  signIn.db = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  try {
    expect((await openBrowser(academy).get('/login')).status).toBe(200);
    const asked = await ask(browser, email);
    expect([asked.status, (await asked.text()).includes(`value="${email}"`)]).toEqual([503, true]);
    const answers = [
      await browser.post('/login/link', { token: 'x' }),
      await browser.post('/login/passkey', { step: 'answer', response: '{"id":"x"}' }),
      await browser.post('/login/undo', { token: 'x' }),
      await browser.get('/account'),
      await browser.get('/api/player'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(browser.cookies.has('player')).toBe(true);
  } finally {
    await signIn.db.destroy();
    signIn.db = db;
  }
});
