import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { addKey, showKey } from '#tests/support/authenticator.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import {
  type Browser,
  locationOf,
  logInByMail,
  mailedTo,
  openBrowser,
  recoveryCodesOn,
  setUpApp,
} from '#tests/support/sign-in.ts';
import { makeStaff } from '#tests/support/staff.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const day = 24 * 60 * minute;

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
const someone = () => `player-${++addresses}@example.org`;
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));
const byMail = (browser: Browser, email: string) => logInByMail(academy, browser, email);
async function logIn(email = someone()): Promise<{ browser: Browser; email: string }> {
  const browser = openBrowser(academy);
  expect(await byMail(browser, email)).toBe('/account/settings');
  return { browser, email };
}
const act = (browser: Browser, name: string, fields: Record<string, string> = {}) =>
  browser.post('/account/settings', { act: name, ...fields });
const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200;
/** The mails about changes, as recipient, sentence and link, the oldest first. */
async function told() {
  const mails = await academy.database.db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'account-changed')
    .orderBy('queued_at')
    .execute();
  return mails.map(({ recipient, body_text: text }) => ({
    to: recipient,
    what: /^(?:Your|A|The|New|An|Another) .*\.$/m.exec(text)?.[0],
    token: /\/login\/undo\?token=(\w+)/.exec(text)?.[1] ?? '',
  }));
}
const undo = (link = '') => openBrowser(academy).post('/login/undo', { token: link });

test('P54: a change asks for a login of the last ten minutes, and keeps what was typed', async () => {
  const { browser, email } = await logIn();
  const { key } = await addKey(browser);
  later(10 * minute);
  const page = await (await browser.get('/account/settings')).text();
  expect(page).toContain('Please log in again before you change how you log in.');
  expect(page).toContain('action="/login"');
  expect((await addKey(browser)).status).toBe(403);
  for (const [name, fields] of [
    ['remove-passkey', { passkey: key.id }],
    ['main-address', { email }],
    ['remove-address', { email }],
    ['add-address', { email: 'mine@work.example' }],
  ] as const) {
    const stale = await act(browser, name, fields);
    expect([name, stale.status, (await stale.text()).includes('Nothing was changed yet')]).toEqual([name, 409, true]);
  }
  const typed = await act(browser, 'add-address', { email: 'mine@work.example' });
  expect(await typed.text()).toMatch(/<input[^>]* name="email"[^>]* value="mine@work.example"/);
  expect(await told()).toHaveLength(1);
  expect(await (await browser.get('/login?again=&to=%2Faccount%2Fsettings')).text()).toContain('Please log in again');
});

test('P54: a change ends the logins of other browsers and tells the address', async () => {
  const { browser, email } = await logIn();
  const { browser: other } = await logIn(email);
  await addKey(browser);
  expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  expect(await told()).toEqual([{ to: email, what: 'A passkey was added.', token: expect.any(String) }]);
  expect(await mainText(await browser.get('/account/settings'))).toContain('that we email you or by a passkey');
});

/** An owner whose passkey somebody removed who read their mail for a moment, and added one of their own. */
async function stolen() {
  const { browser: owner, email } = await logIn();
  const { key } = await addKey(owner);
  later(minute);
  const { browser: thief } = await logIn(email);
  const { key: foreign } = await addKey(thief);
  await act(thief, 'remove-passkey', { passkey: key.id });
  return { owner, thief, key, foreign, links: (await told()).map(({ token }) => token) };
}

test('P54: "this was not me" puts passkeys back and logs every browser out, once', async () => {
  const { owner, thief, key, foreign, links } = await stolen();
  expect((await told()).map(({ what }) => what)).toEqual([
    'A passkey was added.',
    'A passkey was added.',
    'A passkey was removed.',
  ]);
  const page = await openBrowser(academy).get(`/login/undo?token=${links[1]}`);
  expect(await page.text()).toContain('Take the change back');
  expect(await isIn(thief)).toBe(true);
  const presses = await Promise.all(Array.from({ length: 4 }, () => undo(links[1])));
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  expect([await isIn(thief), await isIn(owner)]).toEqual([false, false]);
  expect((await undo(links[2])).status).toBe(200);
  expect([(await showKey(academy, foreign)).status, (await showKey(academy, key)).status]).toEqual([403, 200]);
  expect((await undo('x')).status).toBe(403);
});

test('P54: a link "this was not me" works for seven days', async () => {
  const { links } = await stolen();
  later(7 * day - minute - 1);
  expect((await undo(links[0])).status).toBe(200);
  const { links: others } = await stolen();
  later(7 * day);
  expect((await undo(others[2])).status).toBe(403);
});

test('P96: an answer of a passkey that was taken does not count again after "this was not me"', async () => {
  const { browser } = await logIn();
  const { key } = await addKey(browser, { counter: 0 });
  await act(browser, 'add-address', { email: someone() });
  const { key: second } = await addKey(browser);
  later(1000);
  const { response } = await showKey(academy, key, { counter: 0 });
  expect((await undo((await told())[1]?.token)).status).toBe(200);
  expect((await showKey(academy, second)).status).toBe(403);
  expect((await openBrowser(academy).post('/login/passkey', { step: 'answer', response })).status).toBe(403);
});

/** A member of staff with an app and ten recovery codes, logged in as a player too, in one browser. */
async function staffMember() {
  const email = someone();
  await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, academy.now());
  const { browser } = await logIn(email);
  return { email, browser, ...(await setUpApp(academy, browser, email)) };
}
/** Whether a code is taken as the second step of a member of staff. */
async function isTaken(email: string, code = ''): Promise<boolean> {
  const browser = openBrowser(academy);
  await browser.post('/staff/sign-in', { email }, `10.1.${++networks}.1`);
  const { token = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  expect(locationOf(await browser.post('/staff/sign-in/confirm', { token }))).toBe('/staff/sign-in/factor');
  return (await browser.post('/staff/sign-in/factor', { code })).status === 303;
}
let networks = 0;

test('P96: players have no second step and no recovery codes', async () => {
  const { browser, email } = await logIn();
  const page = await mainText(await browser.get('/account/settings'));
  expect(page).not.toMatch(/password|second step|recovery/i);
  expect((await act(browser, 'renew-codes')).status).toBe(400);
  expect(await byMail(openBrowser(academy), email)).toBe('/account/settings');
});

test('P54, P96: staff change their account within ten minutes of signing in as staff', async () => {
  const { browser, email } = await staffMember();
  later(10 * minute);
  expect(await byMail(browser, email)).toBe('/account/settings');
  expect((await addKey(browser)).status).toBe(403);
  const page = await (await browser.get('/account/settings')).text();
  expect(page).toContain('You are staff. Please sign in to the staff pages again before you change how you log in.');
  expect(page).toContain('action="/staff/sign-in"');
  const asked = await browser.post('/staff/sign-in', { email, to: '/account/settings' });
  expect(asked.status).toBe(303);
});

test('P53, P96: staff make new recovery codes: the old ones work no more, and both sign-ins of the browser stay', async () => {
  const { browser, email, recovery } = await staffMember();
  const renewed = recoveryCodesOn(await (await act(browser, 'renew-codes')).text());
  expect(renewed).toHaveLength(10);
  expect([await isIn(browser), (await browser.get('/staff')).status]).toEqual([true, 200]);
  expect(await mainText(await browser.get('/account/settings'))).toContain('You have 10 left.');
  expect((await told()).map(({ what }) => what)).toEqual(['New recovery codes were made.']);
  expect([await isTaken(email, recovery[0]), await isTaken(email, renewed[0])]).toEqual([false, true]);
});

test('P54: a link takes back its own change and no other, and staff, who proved more, get none', async () => {
  const { browser } = await logIn();
  const { key: first } = await addKey(browser);
  const { key: second } = await addKey(browser);
  const [link] = (await told()).map(({ token }) => token);
  expect((await undo(link)).status).toBe(200);
  expect([(await showKey(academy, first)).status, (await showKey(academy, second)).status]).toEqual([403, 200]);
  const staff = await staffMember();
  await addKey(staff.browser);
  expect((await told()).find(({ to }) => to === staff.email)?.token).toBe('');
});

test('P54: logins are listed by browser and can be ended one by one, on every process at once', async () => {
  const { browser, email } = await logIn();
  const phone = openBrowser(academy, 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1');
  await byMail(phone, email);
  const beside = await openAcademyApp({ beside: academy });
  const phoneThere = openBrowser(beside);
  for (const [name, value] of phone.cookies) phoneThere.cookies.set(name, value);
  expect(await isIn(phoneThere)).toBe(true);
  later(11 * minute);
  const html = await (await browser.get('/account/settings')).text();
  expect([html.includes('Safari on iOS'), html.includes('Firefox on Linux'), html.includes('this browser')]).toEqual([
    true,
    true,
    true,
  ]);
  const [, signIn = ''] = /name="signIn" value="(\d+)"/.exec(html) ?? [];
  // Nobody ends another person's.
  const { browser: stranger } = await logIn();
  await act(stranger, 'end-sign-in', { signIn });
  expect(await isIn(phone)).toBe(true);
  const ended = await act(browser, 'end-sign-in', { signIn });
  expect(await (await browser.get(locationOf(ended) ?? '')).text()).toContain('That browser is logged out.');
  expect([await isIn(phone), await isIn(phoneThere), await isIn(browser)]).toEqual([false, false, true]);
  await byMail(phone, email);
  const others = await act(browser, 'end-others');
  expect(await (await browser.get(locationOf(others) ?? '')).text()).toContain('Every other browser is logged out.');
  expect([await isIn(phone), await isIn(browser), await isIn(stranger)]).toEqual([false, true, true]);
  await beside.close();
});

test('P50: a further address is added by its link, with what was bought under it, and taken back with it', async () => {
  const { db } = academy.database;
  const [main, work, foreign] = [someone(), someone(), someone()];
  const courseDate = await makeCourseDate(db);
  const { reference } = await placeIn(db, courseDate, {
    buyer: { name: 'Grace Hopper', email: work, phone: null },
    attendees: [attendee({ email: work })],
  });
  const { browser } = await logIn(main);
  const shows = async () => (await (await browser.get('/account')).text()).includes(reference);
  const asked = await act(browser, 'add-address', { email: ` ${work.toUpperCase()} ` });
  expect([asked.status, locationOf(asked), await shows()]).toEqual([303, '/account/settings?asked', false]);
  const linkTo = async (email: string) => {
    const mails = db.selectFrom('mails').select('body_text').where('recipient', '=', email);
    const [mail] = await mails.where('kind', '=', 'address-link').orderBy('queued_at', 'desc').execute();
    return /address\?token=(\w+)/.exec(mail?.body_text ?? '')?.[1] ?? '';
  };
  const token = await linkTo(work);
  // In another account the link does nothing, and the stranger's address is told of nothing.
  const { browser: stranger } = await logIn(foreign);
  expect(await (await stranger.post('/account/address', { token })).text()).toContain('The address was not added');
  expect((await browser.get(`/account/address?token=${token}`)).status).toBe(200);
  expect(await shows()).toBe(false);
  const added = await browser.post('/account/address', { token });
  expect([locationOf(added), await shows()]).toEqual(['/account/settings?saved', true]);
  expect(await (await browser.post('/account/address', { token })).text()).toContain('The link works once');
  const mails = (await told()).filter(({ to }) => [main, work].includes(to));
  expect(mails.map(({ to, what }) => [to, what]).sort()).toEqual(
    [
      [main, 'An email address was added.'],
      [work, 'An email address was added.'],
    ].sort(),
  );
  // Either address logs in to the one account.
  const { browser: second } = await logIn(work);
  expect(await (await second.get('/account')).text()).toContain(reference);
  expect(locationOf(await act(second, 'main-address', { email: work }))).toBe('/account/settings?saved');
  expect((await act(second, 'remove-address', { email: work })).status).toBe(409);
  expect((await act(second, 'remove-address', { email: foreign })).status).toBe(409);
  expect((await act(second, 'main-address', { email: foreign })).status).toBe(409);

  // An account with further addresses stays its own, and so does an address of staff.
  const { browser: third } = await logIn();
  await act(third, 'add-address', { email: main });
  const taken = await third.post('/account/address', { token: await linkTo(main) });
  expect(await taken.text()).toContain('This address belongs to an account with other addresses');
  await makeStaff(db, { email: 'staff@example.org', name: 'Staff' }, now);
  await act(third, 'add-address', { email: 'staff@example.org' });
  const staffs = await third.post('/account/address', { token: await linkTo('staff@example.org') });
  expect(await staffs.text()).toContain('or to a member of our staff');

  // "This was not me" of the addition gives the address, and what was bought under it, back to who reads its mail.
  await openBrowser(academy).post('/login/undo', { token: mails[0]?.token ?? '' });
  const { browser: own } = await logIn(work);
  expect(await (await own.get('/account')).text()).toContain(reference);
  const { browser: left } = await logIn(main);
  expect(await (await left.get('/account')).text()).not.toContain(reference);
});

test('P50: a removed address logs in to nothing of the account, and what was bought under it stays', async () => {
  const { db } = academy.database;
  const [main, work] = [someone(), someone()];
  const { browser } = await logIn(main);
  const { person_id } = await db
    .selectFrom('person_emails')
    .select('person_id')
    .where('email', '=', main)
    .executeTakeFirstOrThrow();
  await db.insertInto('person_emails').values({ email: work, person_id, verified_at: now }).execute();
  const { reference } = await placeIn(db, await makeCourseDate(db), {
    buyer: { name: 'Grace Hopper', email: work, phone: null },
  });
  expect(locationOf(await act(browser, 'remove-address', { email: work }))).toBe('/account/settings?saved');
  expect((await told()).map(({ to }) => to).sort()).toEqual([main, work].sort());
  expect(await (await browser.get('/account')).text()).toContain(reference);
  const { browser: later } = await logIn(work);
  expect(await (await later.get('/account')).text()).not.toContain(reference);
});

test('P58: an address does not come along from an account that is about to be deleted', async () => {
  const { db } = academy.database;
  const { browser: leaving, email } = await logIn();
  await leaving.post('/account/leave', { act: 'leave', word: 'DELETE' });
  const { browser: thief } = await logIn();
  await act(thief, 'add-address', { email });
  const mails = db.selectFrom('mails').select('body_text').where('recipient', '=', email);
  const mail = await mails.where('kind', '=', 'address-link').executeTakeFirst();
  const token = /address\?token=(\w+)/.exec(mail?.body_text ?? '')?.[1] ?? '';
  const refused = await thief.post('/account/address', { token });
  expect(await refused.text()).toContain('is about to be deleted');
  expect(await db.selectFrom('account_closures').select('person_id').execute()).not.toEqual([]);
});

test('the settings say to which address we write about enrolments, also when another is the main one', async () => {
  const { db } = academy.database;
  const [work, home] = [someone(), someone()];
  const { browser } = await logIn(home);
  const { person_id } = await db
    .selectFrom('person_emails')
    .select('person_id')
    .where('email', '=', home)
    .executeTakeFirstOrThrow();
  await db.insertInto('person_emails').values({ email: work, person_id, verified_at: now }).execute();
  const shown = async () => (await browser.get('/account/settings')).text();
  expect(await shown()).not.toContain('about one enrolment');
  await placeIn(db, await makeCourseDate(db), { buyer: { name: 'Grace Hopper', email: work, phone: null } });
  expect(await shown()).toContain('We write to it about one enrolment, also after you remove it here.');
});
