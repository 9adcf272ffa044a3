import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { openAuthenticator } from '#tests/support/authenticator.ts';
import { appCode, type Browser, keyOn, locationOf, mailedTo, openBrowser } from '#tests/support/door.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeSession, placeIn } from '#tests/support/enrolments.ts';
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

let [addresses, networks] = [0, 0];
const someone = () => `player-${++addresses}@example.org`;
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));

/** Gets as far as the code of a mail leads. */
async function byMail(browser: Browser, email: string): Promise<string | null> {
  await browser.post('/login', { email, to: '/account/settings' }, `10.0.${++networks}.1`);
  const { code = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  return locationOf(await browser.post('/login/code', { code }));
}
async function logIn(email = someone()): Promise<{ browser: Browser; email: string }> {
  const browser = openBrowser(academy);
  expect(await byMail(browser, email)).toBe('/account/settings');
  return { browser, email };
}
const act = (browser: Browser, name: string, fields: Record<string, string> = {}) =>
  browser.post('/account/settings', { act: name, ...fields });
const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200;
const byPassword = async (email: string, password: string, browser = openBrowser(academy)) => {
  const answer = await browser.post('/login/password', { email, password });
  return answer.status === 303 ? locationOf(answer) : answer.status;
};
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

const words = 'kookaburra sings at dusk';

test('P54: a change asks for a login of the last ten minutes, ends the other logins and tells the address', async () => {
  const { browser, email } = await logIn();
  const { browser: other } = await logIn(email);
  later(10 * minute);
  expect(await (await browser.get('/account/settings')).text()).toContain('please log in again first');
  const stale = await act(browser, 'set-password', { password: words });
  const answer = await stale.text();
  expect([stale.status, answer.includes('Nothing was changed yet'), answer.includes(words)]).toEqual([
    409,
    true,
    false,
  ]);
  expect(answer).toContain('action="/login"');
  const typed = await act(browser, 'add-address', { email: 'mine@work.example' });
  expect(await typed.text()).toMatch(/<input[^>]* name="email"[^>]* value="mine@work.example"/);
  expect(await (await browser.get('/login?again=&to=%2Faccount%2Fsettings')).text()).toContain('Please log in again');
  expect([await byPassword(email, words), await told()]).toEqual([409, []]);

  expect(await byMail(browser, email)).toBe('/account/settings');
  expect(await isIn(other)).toBe(true);
  const saved = await act(browser, 'set-password', { password: words });
  expect([saved.status, locationOf(saved)]).toEqual([303, '/account/settings?saved']);
  expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  expect(await told()).toEqual([{ to: email, what: 'Your password was set or changed.', token: expect.any(String) }]);
  expect(await mainText(await browser.get('/account/settings'))).toContain('that we email you or by your password');
  expect(await byPassword(email.toUpperCase(), words)).toBe('/account');
  const stored = await academy.database.db.selectFrom('passwords').select('hash').execute();
  expect(JSON.stringify(stored)).not.toContain('kookaburra');
});

test('P51: a weak password is refused in words, and not shown again', async () => {
  const { browser } = await logIn();
  for (const password of ['short', 'passwordpassword', 'x'.repeat(129)]) {
    const refused = await act(browser, 'set-password', { password });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain('id="password-error"');
    expect(html).toMatch(/<input[^>]* type="password"/);
    expect(html).not.toContain(`value="${password}"`);
  }
  expect(await told()).toEqual([]);
});

test('P51: after ten wrong passwords in an hour none works, and mail does', async () => {
  const { browser, email } = await logIn();
  await act(browser, 'set-password', { password: words });
  const tries = [];
  for (let round = 0; round < 4; round++) {
    const atOnce = Array.from({ length: 3 }, () => byPassword(email, 'kookaburra sings at dawn'));
    tries.push(...(await Promise.all(atOnce)));
  }
  expect(tries.sort()).toEqual([...Array(10).fill(409), 429, 429]);
  expect(await byPassword(email, words)).toBe(429);
  expect(await byMail(openBrowser(academy), email)).toBe('/account/settings');
  // An address that nobody has is answered the same.
  expect(await byPassword(someone(), 'kookaburra sings at dawn')).toBe(409);
  later(60 * minute);
  expect(await byPassword(email, words)).toBe('/account');
}, 120_000);

test('P53: the second step is asked for after mail and after the password, and codes are shown once', async () => {
  const { browser, email } = await logIn();
  expect(locationOf(await act(browser, 'begin-factor'))).toBe('/account/settings/two-step');
  const key = keyOn(await (await browser.get('/account/settings/two-step')).text());
  // Begun and not confirmed asks for nothing.
  expect(await byMail(openBrowser(academy), email)).toBe('/account/settings');
  const wrong = await browser.post('/account/settings/two-step', { code: '000000' });
  expect([wrong.status, await told()]).toEqual([409, []]);
  const done = await browser.post('/account/settings/two-step', { code: appCode(key, academy.now()) });
  const recovery = [...(await done.text()).matchAll(/<li>([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})<\/li>/g)];
  expect([done.status, recovery.length]).toEqual([200, 10]);
  expect(await (await browser.get('/account/settings/two-step')).text()).not.toContain(recovery[0]?.[1]);
  await act(browser, 'set-password', { password: words });

  later(minute);
  const mailed = openBrowser(academy);
  expect(await byMail(mailed, email)).toBe('/login/factor');
  const typed = openBrowser(academy);
  expect(await byPassword(email, words, typed)).toBe('/login/factor');
  for (const one of [mailed, typed]) expect(locationOf(await one.get('/account'))).toBe('/login/factor');
  const code = appCode(key, academy.now());
  expect(locationOf(await mailed.post('/login/factor', { code }))).toBe('/account/settings');
  expect((await typed.post('/login/factor', { code })).status).toBe(409);
  expect(locationOf(await typed.post('/login/factor', { code: recovery[3]?.[1] ?? '' }))).toBe('/account');

  const renewed = await (await act(typed, 'renew-codes')).text();
  expect(renewed.match(/<li>[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}</g)).toHaveLength(10);
  expect(locationOf(await act(typed, 'end-factor'))).toBe('/account/settings?saved');
  expect(await byMail(openBrowser(academy), email)).toBe('/account/settings');
  expect((await told()).map(({ what }) => what)).toEqual([
    'A second step by an authenticator app was set up.',
    'Your password was set or changed.',
    'New recovery codes were made.',
    'The second step was removed.',
  ]);
});

/** Adds a passkey in a browser that is logged in. */
async function addKey(browser: Browser, faults = {}) {
  const key = openAuthenticator('http://localhost:3000');
  const { options } = await (await browser.post('/account/settings/passkey', { step: 'options' })).json();
  const response = key.make(options, faults);
  const answer = await browser.post('/account/settings/passkey', { step: 'answer', response });
  return { key, options, response, status: answer.status };
}
async function showKey(key: ReturnType<typeof openAuthenticator>, faults = {}, door = '/login/passkey') {
  const browser = openBrowser(academy);
  const { options } = await (await browser.post(door, { step: 'options' })).json();
  const response = key.show(options, faults);
  const answer = await browser.post(door, { step: 'answer', response, to: '/account/settings' });
  return { browser, response, status: answer.status };
}

test('P53: a passkey logs in without mail and second step; each challenge counts once, here and with the person verified', async () => {
  const { browser, email } = await logIn();
  const { browser: other } = await logIn(email);
  const added = await addKey(browser);
  expect([added.status, await isIn(other), (await told()).map(({ what }) => what)]).toEqual([
    200,
    false,
    ['A passkey was added.'],
  ]);
  // A second one in the same browser is told apart by its number and its time.
  later(minute);
  await addKey(browser);
  const listed = await (await browser.get('/account/settings')).text();
  expect(listed.replaceAll('<!-- -->', '')).toMatch(
    /Firefox on Linux, added 8 Sept 2025, 9:00 AM.*Firefox on Linux 2, added 8 Sept 2025, 9:01 AM/,
  );
  await act(browser, 'begin-factor');
  const app = keyOn(await (await browser.get('/account/settings/two-step')).text());
  await browser.post('/account/settings/two-step', { code: appCode(app, academy.now()) });

  const shown = await showKey(added.key);
  expect([shown.status, await isIn(shown.browser)]).toEqual([200, true]);
  const replayed = openBrowser(academy);
  await replayed.post('/login/passkey', { step: 'options' });
  expect((await replayed.post('/login/passkey', { step: 'answer', response: shown.response })).status).toBe(403);
  expect((await browser.post('/account/settings/passkey', { step: 'answer', response: added.response })).status).toBe(
    409,
  );

  const faults = [
    { verified: false },
    { origin: 'https://elsewhere.example' },
    { rpId: 'elsewhere.example' },
    // A copy of the passkey that is behind.
    { counter: 1 },
  ];
  for (const fault of faults) {
    const { status, browser: refused } = await showKey(added.key, fault);
    expect([fault, status, await isIn(refused)]).toEqual([fault, 403, false]);
  }
  for (const fault of faults.slice(0, 3)) expect([fault, (await addKey(browser, fault)).status]).toEqual([fault, 409]);
  expect((await showKey(openAuthenticator('http://localhost:3000'))).status).toBe(403);
  for (const response of ['', 'null', '{}', '{"id":1}', `{"id":"${added.key.id}"}`]) {
    expect((await browser.post('/login/passkey', { step: 'answer', response })).status).toBe(403);
  }
  // A challenge ends after five minutes.
  const late = openBrowser(academy);
  const { options } = await (await late.post('/login/passkey', { step: 'options' })).json();
  later(5 * minute);
  const response = added.key.show(options);
  expect((await late.post('/login/passkey', { step: 'answer', response })).status).toBe(403);

  // It opens the door of staff to staff only, and after a role was granted not before the next mail.
  expect((await showKey(added.key, {}, '/staff/sign-in/passkey')).status).toBe(403);
  await byMail(browser, email);
  await browser.post('/login/factor', { code: appCode(app, academy.now()) });
  expect(locationOf(await act(browser, 'remove-passkey', { passkey: added.key.id }))).toBe('/account/settings?saved');
  expect((await showKey(added.key)).status).toBe(403);
});

test('P52: between the role and their first sign-in staff add no way in; a passkey works at both doors afterwards', async () => {
  const email = someone();
  const { browser } = await logIn(email);
  await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, now);
  expect(await isIn(browser)).toBe(false);
  await byMail(browser, email);
  for (const [name, fields] of [
    ['set-password', { password: words }],
    ['begin-factor', {}],
  ] as const) {
    const refused = await act(browser, name, fields);
    expect([name, refused.status, (await refused.text()).includes('You are staff.')]).toEqual([name, 409, true]);
  }
  expect((await browser.post('/account/settings/passkey', { step: 'options' })).status).toBe(409);

  await browser.post('/staff/sign-in', { email, to: '/staff' });
  const { token = '' } = (await mailedTo(academy, email)).at(-1) ?? {};
  await browser.post('/staff/sign-in/confirm', { token });
  const app = keyOn(await (await browser.get('/staff/sign-in/set-up')).text());
  await browser.post('/staff/sign-in/set-up', { code: appCode(app, academy.now()) });
  const { key, status } = await addKey(browser);
  expect(status).toBe(200);
  const staff = await showKey(key, {}, '/staff/sign-in/passkey');
  expect([staff.status, (await staff.browser.get('/staff')).status]).toEqual([200, 200]);
  const refused = await act(browser, 'end-factor');
  expect([refused.status, (await refused.text()).includes('Staff need a second step')]).toEqual([409, true]);
  // A further role: not before the address is proved again.
  await makeStaff(academy.database.db, { email, name: 'Ada Byron' }, now, { role: 'reader' });
  expect([(await showKey(key)).status, (await showKey(key, {}, '/staff/sign-in/passkey')).status]).toEqual([403, 403]);
});

test('P54: "this was not me" puts everything back, once, for seven days, and logs every browser out', async () => {
  const { browser: owner, email } = await logIn();
  await act(owner, 'set-password', { password: words });
  const { key } = await addKey(owner);
  later(minute);
  // Somebody who reads the mail for a moment changes the password and adds a passkey, and removes the owner's.
  const { browser: thief } = await logIn(email);
  await act(thief, 'set-password', { password: 'magpies steal shiny things' });
  const { key: foreign } = await addKey(thief);
  await act(thief, 'remove-passkey', { passkey: key.id });
  const mails = await told();
  expect(mails.map(({ what }) => what).slice(2)).toEqual([
    'Your password was set or changed.',
    'A passkey was added.',
    'A passkey was removed.',
  ]);
  const token = mails[2]?.token ?? '';
  const page = await openBrowser(academy).get(`/login/undo?token=${token}`);
  expect(await page.text()).toContain('Take the change back');
  expect(await isIn(thief)).toBe(true);
  const undo = (link: string) => openBrowser(academy).post('/login/undo', { token: link });
  const presses = await Promise.all(Array.from({ length: 4 }, () => undo(token)));
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  expect([await isIn(thief), await isIn(owner)]).toEqual([false, false]);
  expect([await byPassword(email, 'magpies steal shiny things'), await byPassword(email, words)]).toEqual([
    409,
    '/account',
  ]);
  expect([(await showKey(foreign)).status, (await showKey(key)).status]).toEqual([403, 200]);
  // What came after it cannot bring the thief's back; what came before it still can be taken back.
  expect([(await undo(mails[4]?.token ?? '')).status, (await undo('x')).status]).toEqual([403, 403]);
  later(7 * day - 2 * minute);
  expect((await undo(mails[1]?.token ?? '')).status).toBe(200);
  later(2 * minute);
  expect((await undo(mails[0]?.token ?? '')).status).toBe(403);
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
  const session = await makeSession(db);
  const { reference } = await placeIn(db, session, {
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
  const { reference } = await placeIn(db, await makeSession(db), {
    buyer: { name: 'Grace Hopper', email: work, phone: null },
  });
  expect(locationOf(await act(browser, 'remove-address', { email: work }))).toBe('/account/settings?saved');
  expect((await told()).map(({ to }) => to).sort()).toEqual([main, work].sort());
  expect(await (await browser.get('/account')).text()).toContain(reference);
  const { browser: later } = await logIn(work);
  expect(await (await later.get('/account')).text()).not.toContain(reference);
});

test('P53, P58: an address does not come along from an account with a second step, nor from one that is about to be deleted', async () => {
  const { db } = academy.database;
  const [guarded, leaver] = [someone(), someone()];
  const own = openBrowser(academy);
  await byMail(own, guarded);
  await act(own, 'begin-factor');
  const key = keyOn(await (await own.get('/account/settings/two-step')).text());
  await own.post('/account/settings/two-step', { code: appCode(key, academy.now()) });
  const { browser: leaving } = await logIn(leaver);
  await leaving.post('/account/leave', { act: 'leave', word: 'DELETE' });
  const { browser: thief } = await logIn();
  const add = async (email: string) => {
    await act(thief, 'add-address', { email });
    const mails = db.selectFrom('mails').select('body_text').where('recipient', '=', email);
    const mail = await mails.where('kind', '=', 'address-link').executeTakeFirst();
    const token = /address\?token=(\w+)/.exec(mail?.body_text ?? '')?.[1] ?? '';
    return (await thief.post('/account/address', { token })).text();
  };
  expect(await add(guarded)).toContain('has a second step');
  expect(await db.selectFrom('totp_keys').select('person_id').execute()).not.toEqual([]);
  expect(await add(leaver)).toContain('is about to be deleted');
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
  await placeIn(db, await makeSession(db), { buyer: { name: 'Grace Hopper', email: work, phone: null } });
  expect(await shown()).toContain('We write to it about one enrolment, also after you remove it here.');
});
