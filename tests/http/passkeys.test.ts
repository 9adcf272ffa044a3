import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { addKey, openAuthenticator, showKey } from '#tests/support/authenticator.ts';
import { rowsOf } from '#tests/support/rows-of.ts';
import {
  appCode,
  type Browser,
  locationOf,
  logInByMail,
  mailedTo,
  openBrowser,
  setUpApp,
} from '#tests/support/sign-in.ts';
import { makeStaff } from '#tests/support/staff.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const atStaff = '/staff/sign-in/passkey';

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
const someone = () => `keyed-${++addresses}@example.org`;
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));
const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200;
const answer = (browser: Browser, response: string, at = '/login/passkey') =>
  browser.post(at, { step: 'answer', response });

async function logIn(email = someone()): Promise<{ browser: Browser; email: string }> {
  const browser = openBrowser(academy);
  expect(await logInByMail(academy, browser, email)).toBe('/account/settings');
  return { browser, email };
}

/** A member of staff with an app, logged in as a player too, in one browser. */
async function staffMember() {
  const email = someone();
  await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, academy.now());
  const { browser } = await logIn(email);
  const { key: app } = await setUpApp(academy, browser, email);
  return { email, browser, app };
}

test('P51: a passkey logs its owner in, without mail', async () => {
  const { browser } = await logIn();
  const { key, status } = await addKey(browser);
  const shown = await showKey(academy, key);
  expect([status, shown.status, shown.to, await isIn(shown.browser)]).toEqual([200, 200, '/account/settings', true]);
  expect((await showKey(academy, openAuthenticator('http://localhost:3000'))).status).toBe(403);
});

test('P51: two passkeys of one browser are told apart by number and time', async () => {
  const { browser } = await logIn();
  await addKey(browser);
  later(minute);
  await addKey(browser);
  const listed = await (await browser.get('/account/settings')).text();
  expect(listed.replaceAll('<!-- -->', '')).toMatch(
    /Firefox on Linux, added 8 Sept 2025, 9:00 AM.*Firefox on Linux 2, added 8 Sept 2025, 9:01 AM/,
  );
});

test.each([
  ['counts its uses', {}],
  ['counts to zero for ever', { counter: 0 }],
])('P96: an answer counts once, also of a passkey that %s', async (_, faults) => {
  const { browser } = await logIn();
  const { key, response: added } = await addKey(browser, faults);
  later(1000);
  const { response, status } = await showKey(academy, key, faults);
  expect([status, (await answer(openBrowser(academy), response)).status]).toEqual([200, 403]);
  expect((await browser.post('/account/settings/passkey', { step: 'answer', response: added })).status).toBe(409);
  later(1000);
  expect((await showKey(academy, key, faults)).status).toBe(200);
});

test('P96: one answer from twelve browsers at once logs one in', async () => {
  const { browser } = await logIn();
  const { key } = await addKey(browser);
  const asking = openBrowser(academy);
  const { options } = await (await asking.post('/login/passkey', { step: 'options' })).json();
  const response = key.show(options, { counter: 0 });
  await academy.database.db.updateTable('passkeys').set({ counter: 0 }).where('id', '=', key.id).execute();
  const answers = await Promise.all(Array.from({ length: 12 }, () => answer(openBrowser(academy), response)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('P96: a challenge of the login works neither for staff nor for adding a passkey, and lasts five minutes', async () => {
  const { browser } = await staffMember();
  const { key } = await addKey(browser);
  const asked = async (at: string) => (await (await browser.post(at, { step: 'options' })).json()).options;
  const ofLogin = await asked('/login/passkey');
  expect((await answer(openBrowser(academy), key.show(ofLogin), atStaff)).status).toBe(403);
  const made = openAuthenticator('http://localhost:3000').make(ofLogin);
  expect((await browser.post('/account/settings/passkey', { step: 'answer', response: made })).status).toBe(409);
  later(5 * minute);
  expect((await answer(openBrowser(academy), key.show(ofLogin))).status).toBe(403);
});

test('P96: a challenge of one sign-in adds no passkey in another', async () => {
  const [{ browser: own }, { browser: other }] = [await logIn(), await logIn()];
  const { options } = await (await own.post('/account/settings/passkey', { step: 'options' })).json();
  const response = openAuthenticator('http://localhost:3000').make(options);
  expect((await other.post('/account/settings/passkey', { step: 'answer', response })).status).toBe(409);
  expect((await own.post('/account/settings/passkey', { step: 'answer', response })).status).toBe(200);
});

test('P96: asking for challenges stores nothing', async () => {
  const { browser } = await logIn();
  const { db } = academy.database;
  const before = await rowsOf(db);
  for (const at of ['/login/passkey', atStaff, '/account/settings/passkey']) {
    expect((await browser.post(at, { step: 'options' })).status).toBe(200);
  }
  expect(await rowsOf(db)).toEqual(before);
});

test.each([
  ['did not verify its user', { verified: false }],
  ['signed for another site', { origin: 'https://elsewhere.example' }],
  ['belongs to another site', { rpId: 'elsewhere.example' }],
])('P51: a passkey that %s is not added, and logs nobody in', async (_, faults) => {
  const { browser } = await logIn();
  expect((await addKey(browser, faults)).status).toBe(409);
  const { key } = await addKey(browser);
  const shown = await showKey(academy, key, faults);
  expect([shown.status, await isIn(shown.browser)]).toEqual([403, false]);
});

test('P51: a copy of a passkey that is behind logs nobody in, nor does half an answer', async () => {
  const { browser } = await logIn();
  const { key } = await addKey(browser);
  await showKey(academy, key);
  later(1000);
  expect((await showKey(academy, key, { counter: 1 })).status).toBe(403);
  for (const response of ['', 'null', '{}', '{"id":1}', `{"id":"${key.id}"}`, `{"id":"${key.id}","response":{}}`]) {
    expect([response, (await answer(openBrowser(academy), response)).status]).toEqual([response, 403]);
  }
});

test('P96: a passkey that verified its user signs staff in; a player’s opens nothing for staff', async () => {
  const { browser } = await staffMember();
  const { key } = await addKey(browser);
  const staff = await showKey(academy, key, { at: atStaff });
  expect([staff.status, (await staff.browser.get('/staff')).status]).toEqual([200, 200]);
  const { browser: player } = await logIn();
  const { key: players } = await addKey(player);
  expect((await showKey(academy, players, { at: atStaff })).status).toBe(403);
});

test('P96: staff whose passkey did not verify them are asked for the app’s code', async () => {
  const { browser, app } = await staffMember();
  const { key } = await addKey(browser);
  later(minute);
  const shown = await showKey(academy, key, { at: atStaff, verified: false });
  expect([shown.status, shown.to]).toEqual([200, '/staff/sign-in/factor']);
  expect(locationOf(await shown.browser.get('/staff'))).toBe('/staff/sign-in/factor');
  const entered = await shown.browser.post('/staff/sign-in/factor', { code: appCode(app, academy.now()) });
  expect([locationOf(entered), (await shown.browser.get('/staff')).status]).toEqual(['/account/settings', 200]);
});

test('P96: who only reads the mail of a member of staff changes nothing by which staff sign in', async () => {
  const { email, browser } = await staffMember();
  const { key } = await addKey(browser);
  const { browser: reader } = await logIn(email);
  expect((await addKey(reader)).status).toBe(403);
  const acts: Record<string, string>[] = [
    { act: 'remove-passkey', passkey: key.id },
    { act: 'renew-codes' },
    { act: 'add-address', email: someone() },
  ];
  for (const fields of acts) {
    expect([fields.act, (await reader.post('/account/settings', fields)).status]).toEqual([fields.act, 409]);
  }
});

test('P96: a sign-in of staff at its second step, or of somebody else, proves nothing in the account', async () => {
  const { email } = await staffMember();
  const { browser } = await logIn(email);
  await browser.post('/staff/sign-in', { email });
  const { token = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  expect(locationOf(await browser.post('/staff/sign-in/confirm', { token }))).toBe('/staff/sign-in/factor');
  expect((await addKey(browser)).status).toBe(403);
  const { browser: colleague } = await staffMember();
  browser.cookies.set('sign-in', colleague.cookies.get('sign-in') ?? '');
  expect((await addKey(browser)).status).toBe(403);
});

test('P52: a role ends the sign-ins and removes the passkeys of before, as player and as staff', async () => {
  const { browser, email } = await logIn();
  const { key } = await addKey(browser);
  await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, now);
  later(1000);
  const answers = [await showKey(academy, key), await showKey(academy, key, { at: atStaff })];
  expect([await isIn(browser), ...answers.map(({ status }) => status)]).toEqual([false, 403, 403]);
});

test('P52: a passkey that was on its way while a role was granted is not added', async () => {
  const { browser, email } = await logIn();
  const { db } = academy.database;
  const { options } = await (await browser.post('/account/settings/passkey', { step: 'options' })).json();
  const response = openAuthenticator('http://localhost:3000').make(options);
  const granting = await db.startTransaction().execute();
  await makeStaff(granting, { email, name: 'Ada Byron' }, now);
  const adding = browser.post('/account/settings/passkey', { step: 'answer', response });
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
  await granting.commit().execute();
  expect(locationOf(await adding)).toBe('/login');
  const own = db.selectFrom('passkeys').innerJoin('people', 'people.id', 'person_id').where('email', '=', email);
  expect(await own.select('passkeys.id').execute()).toEqual([]);
});
