import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { inviteStaff } from '#app/features/people/commands.server.ts';
import { deleteAccounts } from '#server/delete-accounts.ts';
import { parts } from '#server/personal-records.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { inNovember, makePast, type Past, signInPlayer } from '#tests/support/players.ts';
import { type Browser, locationOf, mailedTo, openBrowser } from '#tests/support/sign-in.ts';
import { insertSignIn } from '#tests/support/staff.ts';

const [minute, day] = [60_000, 24 * 60 * 60_000];

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

let past: Past;
let grace: Browser;
const db = () => academy.database.db;
const later = (ms: number) => academy.setNow(new Date(academy.now().getTime() + ms));
beforeEach(async () => {
  academy.setNow(inNovember.now);
  past = await makePast(db(), `grace@${crypto.randomUUID()}.example`);
  await db()
    .updateTable('person_emails')
    .set({ verified_at: inNovember.now })
    .where('email', '=', past.email)
    .execute();
  grace = await signInPlayer(academy, past.personId);
});

const json = async () => JSON.parse(await (await grace.get('/account/data/bowerbird-data.json')).text());
const leave = (one: Browser, word = 'delete') => one.post('/account/leave', { act: 'leave', word });
const deleteDue = () => deleteAccounts(db(), { dataDir: academy.settings.dataDir, at: academy.now() });
const person = () => db().selectFrom('people').selectAll().where('id', '=', past.personId).executeTakeFirst();
const closure = () =>
  db().selectFrom('account_closures').selectAll().where('person_id', '=', past.personId).executeTakeFirst();
const told = async () =>
  db()
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'account-changed')
    .where('about_id', '=', past.personId)
    .orderBy('recipient')
    .execute();

test('P58: one’s own data is one file of JSON or CSV, in the same request, after a login of the last ten minutes', async () => {
  const file = await grace.get('/account/data/bowerbird-data.json');
  expect([file.status, file.headers.get('Content-Disposition'), file.headers.get('Cache-Control')]).toEqual([
    200,
    'attachment; filename="bowerbird-data.json"',
    'no-store',
  ]);
  const data = await json();
  expect(data).toMatchObject({
    people: [{ email: past.email, addresses: [{ email: past.email }] }],
    certificates: [{ number: past.finished.number }],
    account: [{ signIns: [{ browser: 'Firefox on Linux' }] }],
  });
  for (const part of ['enrolments', 'progress', 'mails', 'waiting lists'])
    expect([part, data[part]?.length > 0]).toEqual([part, true]);
  const csv = Buffer.from(await (await grace.get('/account/data/bowerbird-data.csv')).arrayBuffer()).toString();
  expect(csv.startsWith('\uFEFF"kind","record","field","value"\r\n')).toBe(true);
  expect(csv).toContain(`"people","1","email","${past.email}"\r\n`);
  expect((await grace.get('/account/data/other.json')).status).toBe(404);
  // With `download` a browser would save the login page under the file's name once the ten minutes are over.
  expect(await (await grace.get('/account/data')).text()).not.toMatch(/<a[^>]* download/);
  later(10 * minute);
  for (const kind of ['json', 'csv']) {
    const stale = await grace.get(`/account/data/bowerbird-data.${kind}`);
    expect([stale.status, locationOf(stale)]).toEqual([303, '/login?again=&to=%2Faccount%2Fdata']);
  }
  expect(await mainText(await grace.get('/account/data'))).toContain('Please log in again before you download it.');
  expect(locationOf(await openBrowser(academy).get('/account/data/bowerbird-data.json'))).toMatch(/^\/login\?to=/);
});

test('P58: every table that names a person is part of the export', async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct relname as table
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'people'::regclass and attname = 'person_id'`.execute(academy.database.owner);
  const exported = new Set(parts.flatMap(({ tables }) => tables));
  /** Each with the reason why it is not. */
  const others: Record<string, string> = {
    content_revisions: 'content that a member of staff edited',
    prices: 'prices that a member of staff set',
    planned_prices: 'prices that a member of staff planned',
    promotions: 'promotions that a member of staff began',
    saved_views: 'how a member of staff looks at lists',
    staff_roles: 'what the academy gave to a member of staff',
    audit_entries: 'what somebody did as staff, a record of the academy',
    account_closures: 'read with the account; kept until the account is gone',
  };
  const missing = rows.map(({ table }) => table).filter((table) => !exported.has(table) && !(table in others));
  expect(missing).toEqual([]);
});

test('P58: a buyer for others gets their names, and not their own answers', async () => {
  await db().updateTable('attendees').set({ needs: 'A seat near the door' }).where('name', '=', 'Alan Kay').execute();
  await db().updateTable('attendees').set({ needs: 'My own need' }).where('person_id', '=', past.personId).execute();
  const text = JSON.stringify(await json());
  expect(text).toContain('Alan Kay');
  expect(text).toContain('My own need');
  expect(text).not.toContain('A seat near the door');
  expect(text).not.toMatch(/"(?:mailbox|token_hash|idempotency_key|person_id)":/);
});

test('P58: the page says what goes, what stays and which enrolments run; leaving needs a fresh login and the word', async () => {
  const text = await mainText(await grace.get('/account/leave'));
  for (const part of ['seven years', 'number of a certificate', past.next.reference, past.guided.reference]) {
    expect(text).toContain(part);
  }
  // Its class is over, and it is paid.
  expect(text).not.toContain(past.finished.reference);
  expect((await leave(grace, 'yes')).status).toBe(400);
  expect((await grace.post('/account/leave', {})).status).toBe(400);
  later(10 * minute);
  const stale = await leave(grace);
  expect([stale.status, locationOf(stale)]).toEqual([303, '/login?again=&to=%2Faccount%2Fleave']);
  expect([await closure(), await told()]).toEqual([undefined, []]);
});

test('P58: leaving ends every login, tells every proved address, and can be taken back by the link', async () => {
  const phone = await signInPlayer(academy, past.personId);
  const second = `${crypto.randomUUID()}@work.example`;
  await db()
    .insertInto('person_emails')
    .values({ email: second, person_id: past.personId, verified_at: inNovember.now })
    .execute();
  const cookies = [...grace.cookies];
  const left = await leave(grace);
  expect([left.status, locationOf(left)]).toEqual([303, '/login/left']);
  expect(grace.cookies.size).toBe(0);
  // A copy of the cookie opens nothing either.
  for (const [name, value] of cookies) grace.cookies.set(name, value);
  expect((await grace.get('/account')).status).toBe(302);
  expect((await phone.get('/account')).status).toBe(302);
  const mails = await told();
  expect(mails.map(({ recipient }) => recipient)).toEqual([past.email, second].sort());
  expect(mails[0]?.body_text).toContain('We delete the account on Friday 28 November 2025.');
  const token = /\/login\/undo\?token=(\w+)/.exec(mails[0]?.body_text ?? '')?.[1] ?? '';
  later(7 * day - minute);
  expect(await deleteDue()).toBe(0);
  const asked = await openBrowser(academy).get(`/login/undo?token=${token}`);
  expect(await asked.text()).toMatch(/Keep your account\?.*opens it again, as it was/);
  const undone = await openBrowser(academy).post('/login/undo', { token });
  expect([undone.status, await undone.text()]).toEqual([200, expect.stringContaining('Your account is open again')]);
  later(2 * minute);
  expect([await deleteDue(), await closure()]).toEqual([0, undefined]);
  expect((await person())?.email).toBe(past.email);
});

test('P58: a player who logs in before the deletion sees only that the account is closed, and can keep it', async () => {
  await leave(grace);
  later(day);
  const back = await signInPlayer(academy, past.personId);
  for (const path of ['/account', '/account/settings', '/account/data/bowerbird-data.json', '/account/bower']) {
    const answer = await back.get(path);
    expect([path, answer.status, locationOf(answer)]).toEqual([path, 303, '/account/leave']);
  }
  expect(await (await back.get('/api/player')).json()).toBeNull();
  // 21 November and seven days.
  expect(await mainText(await back.get('/account/leave'))).toContain('We delete it on Friday 28 November 2025.');
  expect(locationOf(await back.post('/account/leave', { act: 'keep' }))).toBe('/account');
  expect((await back.get('/account')).status).toBe(200);
  const token = /\/login\/undo\?token=(\w+)/.exec((await told())[0]?.body_text ?? '')?.[1] ?? '';
  const pageOfLink = async () => (await openBrowser(academy).get(`/login/undo?token=${token}`)).text();
  expect(await pageOfLink()).toContain('Your account is not closed');
  expect((await openBrowser(academy).post('/login/undo', { token })).status).toBe(403);
  expect((await back.get('/account')).status).toBe(200);
  // Nor does the link of the first closing take back the second.
  await leave(back);
  expect(await pageOfLink()).toContain('Your account is not closed');
  const again = await signInPlayer(academy, past.personId);
  await again.post('/account/leave', { act: 'keep' });
  later(7 * day);
  expect(await deleteDue()).toBe(0);
});

test('P58: after seven days the account is deleted; what runs goes on by its links and is emptied once it is over', async () => {
  await leave(grace);
  later(7 * day);
  expect(await Promise.all([deleteDue(), deleteDue()])).toContain(1);
  expect(await deleteDue()).toBe(0);
  const count = async (table: 'players' | 'sign_ins' | 'account_changes') =>
    (await db().selectFrom(table).select('person_id').where('person_id', '=', past.personId).execute()).length;
  for (const table of ['players', 'sign_ins', 'account_changes'] as const) {
    expect([table, await count(table)]).toEqual([table, 0]);
  }
  // The course that is over has lost her, its number answers; those that run have not.
  const certificate = await academy.request(`/certificates/${past.finished.number}`);
  expect([certificate.status, (await certificate.text()).includes('Grace')]).toEqual([200, false]);
  const bought = () =>
    db()
      .selectFrom('enrolments')
      .select(['id', 'reference', 'buyer_name'])
      .where('person_id', '=', past.personId)
      .execute();
  const names = Object.fromEntries((await bought()).map(({ reference, buyer_name }) => [reference, buyer_name]));
  expect(names).toMatchObject({ [past.next.reference]: 'Grace Hopper', [past.guided.reference]: 'Grace Hopper' });
  const invoices = await db().selectFrom('tax_invoices').select('id').execute();
  expect(invoices.length).toBeGreaterThan(0);
  expect((await person())?.email).toBe(past.email);
  expect((await closure())?.deleted_at).not.toBeNull();
  // Guided study from 13 October 2025 is open for twelve months.
  academy.setNow(new Date('2026-10-14T12:00:00+10:00'));
  await deleteDue();
  // What is not paid is still owed by her.
  expect((await bought()).map(({ buyer_name }) => buyer_name)).toContain('Grace Hopper');
  const settled = momentAt('2026-10-14T12:00');
  // She did not choose another date for the one that was cancelled.
  await endChoices(db(), settled);
  for (const { id } of await bought()) {
    const { computed } = await balancesOf(db(), id);
    if (computed > 0) await receive(db(), id, computed, settled);
  }
  // A clock that was a year ahead looked last; the right one does not wait for that year to pass.
  const ahead = new Date(academy.now().getTime() + 365 * day);
  await db().updateTable('account_closures').set({ looked_at: ahead }).execute();
  later(day);
  await deleteDue();
  expect((await bought()).map(({ buyer_name }) => buyer_name).filter((name) => name !== 'Erased')).toEqual([]);
  later(2 * day);
  await deleteDue();
  expect([(await person())?.email ?? null, await closure()]).toEqual([null, undefined]);
  expect((await db().selectFrom('tax_invoices').select('id').execute()).length).toBe(invoices.length);
});

test('P58: a player who comes back while an old enrolment runs has a new account, which nothing deletes', async () => {
  await leave(grace);
  later(7 * day);
  expect(await deleteDue()).toBe(1);
  later(day);
  const again = await signInPlayer(academy, past.personId);
  expect((await again.get('/account')).status).toBe(200);
  later(2 * day);
  expect([await deleteDue(), await closure()]).toEqual([0, undefined]);
  expect((await again.get('/account')).status).toBe(200);
});

test('P58: staff cannot leave before their roles are gone, and the last owner reads why', async () => {
  const others = await db().selectFrom('staff_roles').select(['person_id']).where('role', '=', 'owner').execute();
  const { value } = await insertSignIn(db(), { email: past.email, name: 'Grace Hopper' }, academy.now());
  const staff = await signInPlayer(academy, past.personId);
  staff.cookies.set('sign-in', value);
  expect(await mainText(await staff.get('/account/leave'))).toContain(
    'Ask an owner of the academy to take your roles away',
  );
  expect((await leave(staff)).status).toBe(409);
  const ids = others.map(({ person_id }) => person_id);
  await db().updateTable('staff_roles').set({ role: 'reader' }).where('person_id', 'in', ids).execute();
  expect(await mainText(await staff.get('/account/leave'))).toContain('You are the only owner of the academy.');
  expect([(await leave(staff)).status, await closure()]).toEqual([409, undefined]);
  await db().updateTable('staff_roles').set({ role: 'owner' }).where('person_id', 'in', ids).execute();
  await db().deleteFrom('staff_roles').where('person_id', '=', past.personId).execute();
});

test('P58: a role granted before the deletion keeps the account', async () => {
  await leave(grace);
  await db()
    .transaction()
    .execute((trx) =>
      inviteStaff(trx, { email: past.email, name: 'Grace Hopper' }, { actor: theProgram, at: academy.now() }),
    );
  later(8 * day);
  expect([await deleteDue(), await closure(), (await person())?.email]).toEqual([0, undefined, past.email]);
});

test('an address link that was pressed without a fresh login leads back to its button, which then works', async () => {
  const added = `${crypto.randomUUID()}@work.example`;
  await grace.post('/account/settings', { act: 'add-address', email: added });
  const { body_text: text } = await db()
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'address-link')
    .where('recipient', '=', added)
    .executeTakeFirstOrThrow();
  const token = /token=(\w+)/.exec(text)?.[1] ?? '';
  later(11 * minute);
  const stale = await grace.post('/account/address', { token });
  const back = `/account/address?token=${token}`;
  expect([stale.status, locationOf(stale)]).toEqual([303, `/login?${new URLSearchParams({ again: '', to: back })}`]);
  await grace.post('/login', { email: past.email, to: back });
  const { code = '' } = (await mailedTo(academy, past.email)).at(-1) ?? {};
  expect(locationOf(await grace.post('/login/code', { code }))).toBe(back);
  expect(await (await grace.get(back)).text()).toContain(`value="${token}"`);
  expect(locationOf(await grace.post('/account/address', { token }))).toBe('/account/settings?saved');
});

test('an error in the account is shown in its frame, with a way back', async () => {
  // The page takes no form.
  const refused = await grace.post('/account');
  const html = await refused.text();
  expect([refused.status, html.includes('Log out'), html.includes('href="/account/settings"')]).toEqual([
    405,
    true,
    true,
  ]);
});

test('P58: a further enrolment of somebody else does not keep who left', async () => {
  const courseDate = await makeCourseDate(db(), { course: 'cissp', startsOn: '2026-03-02' });
  await placeIn(db(), courseDate, { attendees: [attendee({ name: 'Bob Boole' })] });
  await leave(grace);
  later(7 * day);
  expect(await deleteDue()).toBe(1);
});
