import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mostWishes } from '#app/features/wishes/rules.ts';
import { tellWishedDates } from '#app/features/wishes/tell-dates.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeSession } from '#tests/support/enrolments.ts';
import { inNovember, makePast, personOf, signInPlayer } from '#tests/support/players.ts';
import { type Browser, locationOf, openBrowser } from '#tests/support/sign-in.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

let personId: number;
let email: string;
let browser: Browser;
beforeEach(async () => {
  academy.setNow(inNovember.now);
  email = `${crypto.randomUUID()}@example.org`;
  personId = await personOf(academy.database.db, email);
  await academy.database.db
    .updateTable('person_emails')
    .set({ verified_at: inNovember.now })
    .where('email', '=', email)
    .execute();
  browser = await signInPlayer(academy, personId);
});

const wishesOf = async (one: Browser): Promise<string[]> => (await (await one.get('/api/player')).json()).wishes;
const act = async (one: Browser, fields: Record<string, string>) => (await one.post('/api/wishes', fields)).status;
const onPage = (fields: Record<string, string>, query = '') => browser.post(`/account/wishes${query}`, fields);
const idOf = async (slug: string) =>
  (await academy.database.db.selectFrom('courses').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id;
const rows = (id = personId) =>
  academy.database.db.selectFrom('wishes').selectAll().where('person_id', '=', id).orderBy('course_id').execute();

test('P57: a wish is kept once, the latest first, on every device of the player, and can be taken back', async () => {
  expect([await act(browser, { act: 'add', course: 'cissp' }), await wishesOf(browser)]).toEqual([200, ['cissp']]);
  academy.setNow(new Date(inNovember.now.getTime() + 1000));
  expect(await act(browser, { act: 'add', course: 'threat-hunting' })).toBe(200);
  expect(await act(browser, { act: 'add', course: 'cissp' })).toBe(200);
  const phone = await signInPlayer(academy, personId);
  expect(await wishesOf(phone)).toEqual(['threat-hunting', 'cissp']);
  expect(await act(phone, { act: 'remove', course: 'cissp' })).toBe(200);
  expect(await act(browser, { act: 'remove', course: 'cissp' })).toBe(200);
  expect(await wishesOf(browser)).toEqual(['threat-hunting']);
});

test('P57: the wishes of a device are joined with the account’s: twice is once, unknown courses are left out', async () => {
  await act(browser, { act: 'add', course: 'cissp' });
  const courses = 'threat-hunting no-such-course cissp threat-hunting';
  expect(await act(browser, { act: 'join', courses })).toBe(200);
  const joined = await rows();
  expect(await act(browser, { act: 'join', courses })).toBe(200);
  expect([await rows(), (await wishesOf(browser)).sort()]).toEqual([joined, ['cissp', 'threat-hunting']]);
  expect(await act(browser, { act: 'join', courses: '' })).toBe(200);
});

test('P57: nobody but a player keeps wishes here, and no other site sends them', async () => {
  const visitor = openBrowser(academy);
  expect(await act(visitor, { act: 'add', course: 'cissp' })).toBe(401);
  expect(await act(visitor, { act: 'join', courses: 'cissp' })).toBe(401);
  await browser.post('/logout');
  expect(await act(browser, { act: 'add', course: 'cissp' })).toBe(401);
  expect(await rows()).toEqual([]);
  const foreign = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' }, body: new URLSearchParams() };
  expect((await academy.request('/api/wishes', foreign)).status).toBe(403);
  const other = await signInPlayer(academy, personId);
  expect(await act(other, { act: 'add', course: 'no-such-course' })).toBe(404);
  expect(await act(other, { act: 'sing', course: 'cissp' })).toBe(400);
});

test('P57: an account keeps 200 wishes; one more is refused, and of a device the latest come along', async () => {
  const { db } = academy.database;
  const courses = await db.selectFrom('courses').select(['id', 'slug']).where('retired_at', 'is', null).execute();
  const { id: _, ...first } = await db
    .selectFrom('courses')
    .selectAll()
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const needed = mostWishes - 1;
  const made = await db
    .insertInto('courses')
    .values(
      Array.from({ length: needed }, (_, at) => ({
        ...first,
        retired_at: inNovember.now,
        slug: `course-of-a-list-${at}`,
        title: `Course of a list ${at}`,
        details: JSON.stringify(first.details),
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('wishes')
    .values(made.map((course) => ({ person_id: personId, course_id: course.id, wished_at: inNovember.now })))
    .execute();
  const [one, two] = courses.map(({ slug }) => slug);
  expect(await act(browser, { act: 'join', courses: `${one} ${two}` })).toBe(200);
  expect([(await rows()).length, (await wishesOf(browser)).includes(one ?? '')]).toEqual([mostWishes, true]);
  expect(await act(browser, { act: 'add', course: two ?? '' })).toBe(409);
  expect((await onPage({ act: 'add' }, `?wish=${two}`)).status).toBe(409);
  expect(await act(browser, { act: 'add', course: one ?? '' })).toBe(200);
  expect((await rows()).length).toBe(mostWishes);
});

test('P57: without scripts a player adds a course from its page, and a visitor comes back to the button after the login', async () => {
  const page = await (await browser.get('/course/cissp')).text();
  expect(page).toContain('action="/account/wishes?wish=cissp"');
  const added = await onPage({ act: 'add' }, '?wish=cissp');
  expect([added.status, locationOf(added)]).toEqual([303, '/account/wishes']);
  const list = await mainText(await browser.get('/account/wishes'));
  expect(list).toContain('Certified Information Systems Security Professional');
  expect(list).toContain('Email me when it gets a date');
  const visitor = await openBrowser(academy).post('/account/wishes?wish=cissp', { act: 'add' });
  expect([visitor.status, locationOf(visitor)]).toEqual([303, '/login?to=%2Faccount%2Fwishes%3Fwish%3Dcissp']);
  const other = await signInPlayer(academy, await personOf(academy.database.db, `${crypto.randomUUID()}@example.org`));
  const asked = await mainText(await other.get('/account/wishes?wish=threat-hunting'));
  expect(asked).toContain('Add Threat Hunting in Enterprise Networks to your wishes?');
  expect(await wishesOf(other)).toEqual([]);
  expect((await onPage({ act: 'add' }, '?wish=no-such-course')).status).toBe(404);
  for (const course of ['99999999999999999999', '-1', 'x', '']) {
    expect([course, (await onPage({ act: 'tell', course })).status]).toEqual([course, 409]);
  }
  expect((await browser.get('/account/wishes?wish=no-such-course')).status).toBe(200);
});

test('P57: a course that is no longer offered stays on the list, says so and can be removed', async () => {
  const { db } = academy.database;
  await act(browser, { act: 'add', course: 'comptia-network-plus' });
  const course = String(await idOf('comptia-network-plus'));
  const retire = async (at: Date | null) => {
    await db.updateTable('courses').set({ retired_at: at }).where('slug', '=', 'comptia-network-plus').execute();
    await until(() => academy.services.snapshot.current().bySlug.has('comptia-network-plus') === (at === null));
  };
  await retire(inNovember.now);
  expect(await mainText(await browser.get('/account/wishes'))).toContain('We no longer offer this course.');
  expect(await mainText(await browser.get('/account'))).toContain('CompTIA Network+ (N10-009), no longer offered');
  expect((await onPage({ act: 'tell', course })).status).toBe(303);
  await onPage({ act: 'remove', course });
  expect(await rows()).toEqual([]);
  const shown = await (await academy.request('/api/wishes?courses=comptia-network-plus+cissp+cissp')).json();
  expect(shown.map(({ slug }: { slug: string }) => slug)).toEqual(['cissp']);
  await retire(null);
});

const told = () =>
  academy.database.db
    .selectFrom('mails')
    .select(['subject', 'body_text', 'headers'])
    .where('kind', '=', 'wished-dates')
    .where('recipient', '=', email)
    .orderBy('queued_at')
    .execute();
const tell = () => tellWishedDates(academy.database.db, momentOf(academy.services.academy));

test('P57, P49: who asked is mailed each new date once, several in one mail; the dates of before are no news', async () => {
  const { db } = academy.database;
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-03-02' });
  await act(browser, { act: 'add', course: 'threat-hunting' });
  const course = String(await idOf('threat-hunting'));
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-03-09' });
  // Not asked for.
  expect([await tell(), await told()]).toEqual([0, []]);
  await onPage({ act: 'tell', course });
  expect(await rows()).toMatchObject([{ mail_wording: 'Email me when it gets a date.' }]);
  expect(await tell()).toBe(0);
  const lost = await makeSession(db, { course: 'threat-hunting', startsOn: '2026-04-06' });
  await db.updateTable('training_sessions').set({ state: 'cancelled' }).where('id', '=', lost.id).execute();
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-04-13' });
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-05-04' });
  expect(await Promise.all([tell(), tell()])).toContain(1);
  expect(await tell()).toBe(0);
  const [mail, ...more] = await told();
  expect([mail?.subject, more]).toEqual(['New date: Threat Hunting in Enterprise Networks', []]);
  expect(mail?.body_text).toContain('13 to 17 April 2026, online');
  expect(mail?.body_text).toContain('4 to 8 May 2026, online');
  expect(mail?.body_text).not.toMatch(/March|6 to 10 April/);
  const states = async () => {
    const mails = db.selectFrom('mails').select('state').where('kind', '=', 'wished-dates');
    return (await mails.where('recipient', '=', email).execute()).map(({ state }) => state);
  };
  // As if the mail server had been away, and as if it had refused it: staff could send it again weeks later.
  await db.updateTable('mails').set({ state: 'failed' }).where('kind', '=', 'wished-dates').execute();
  await onPage({ act: 'quiet', course });
  expect(await states()).toEqual(['dropped']);
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-06-01' });
  expect([await tell(), (await wishesOf(browser)).length]).toEqual([0, 1]);
});

test('P49, P57: ending the emails of one course takes its undelivered email back, and the other courses are told again', async () => {
  const { db } = academy.database;
  for (const slug of ['threat-hunting', 'cissp']) {
    await act(browser, { act: 'add', course: slug });
    await onPage({ act: 'tell', course: String(await idOf(slug)) });
  }
  await makeSession(db, { course: 'cissp', startsOn: '2026-09-07' });
  await makeSession(db, { course: 'threat-hunting', startsOn: '2026-09-14' });
  expect(await tell()).toBe(1);
  const queued = db.selectFrom('mails').select(['state', 'body_text']).where('kind', '=', 'wished-dates');
  const mine = queued.where('recipient', '=', email).where('state', '=', 'queued');
  expect(
    (await mine.execute()).map(({ body_text }) => /7 to 11 September.*14 to 18 September/s.test(body_text)),
  ).toEqual([true]);
  await onPage({ act: 'quiet', course: String(await idOf('cissp')) });
  expect(await mine.execute()).toEqual([]);
  expect(await tell()).toBe(1);
  const [again] = await mine.execute();
  expect(again?.body_text).toContain('14 to 18 September 2026');
  expect(again?.body_text).not.toContain('7 to 11 September');
  // A wish without an email is in no email.
  await act(browser, { act: 'add', course: 'comptia-network-plus' });
  await onPage({ act: 'remove', course: String(await idOf('comptia-network-plus')) });
  expect(await mine.execute()).toHaveLength(1);
  await onPage({ act: 'remove', course: String(await idOf('threat-hunting')) });
  expect([await mine.execute(), await tell()]).toEqual([[], 0]);
});

test('P49: one press ends these emails, by the button or by the mail program, and only with our link', async () => {
  const { db } = academy.database;
  await act(browser, { act: 'join', courses: 'threat-hunting cissp' });
  for (const slug of ['threat-hunting', 'cissp']) await onPage({ act: 'tell', course: String(await idOf(slug)) });
  await makeSession(db, { course: 'cissp', startsOn: '2026-07-06' });
  expect(await tell()).toBe(1);
  const [mail] = await told();
  const headers = mail?.headers as Record<string, string>;
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const path = /<http:\/\/localhost:3000(\/unsubscribe\/wishes\/[0-9a-f]{48})>/.exec(
    headers['List-Unsubscribe'] ?? '',
  )?.[1];
  expect(path).toBeDefined();
  expect(await mainText(await academy.request(path ?? ''))).toContain('Send me no more of these');
  expect((await rows()).every(({ mail_asked_at }) => mail_asked_at !== null)).toBe(true);
  const changed = `${path?.slice(0, -1)}${path?.endsWith('0') ? '1' : '0'}`;
  expect((await academy.request(changed, { method: 'POST' })).status).toBe(404);
  // As a mail program sends it: from no page of ours.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await academy.request(path ?? '', { method: 'POST', body })).status).toBe(200);
  expect((await rows()).map(({ mail_asked_at }) => mail_asked_at)).toEqual([null, null]);
  await makeSession(db, { course: 'cissp', startsOn: '2026-07-13' });
  expect(await tell()).toBe(0);
});

test('P57: no email goes to who has a place, whose account is closed, or whose address nobody proved', async () => {
  const { db } = academy.database;
  const past = await makePast(db, `grace@${crypto.randomUUID()}.example`);
  const grace = await signInPlayer(academy, past.personId);
  await db.updateTable('person_emails').set({ verified_at: inNovember.now }).where('email', '=', past.email).execute();
  const wish = async (one: Browser, slug: string) => {
    await act(one, { act: 'add', course: slug });
    await one.post('/account/wishes', { act: 'tell', course: String(await idOf(slug)) });
  };
  await wish(grace, 'comptia-security-plus');
  await wish(browser, 'comptia-security-plus');
  await db.updateTable('person_emails').set({ verified_at: null }).where('email', '=', email).execute();
  await makeSession(db, { course: 'comptia-security-plus', startsOn: '2026-08-03' });
  expect(await tell()).toBe(0);
  await db.updateTable('person_emails').set({ verified_at: inNovember.now }).where('email', '=', email).execute();
  const closing = { person_id: personId, asked_at: inNovember.now, delete_from: new Date('2025-11-28T10:00:00+10:00') };
  await db.insertInto('account_closures').values(closing).execute();
  expect(await tell()).toBe(0);
  await db.deleteFrom('account_closures').where('person_id', '=', personId).execute();
  expect(await tell()).toBe(1);
});

test('P55: the private answer has a player’s progress by course, and nothing for others or a closed account', async () => {
  const { db } = academy.database;
  const past = await makePast(db, `grace@${crypto.randomUUID()}.example`);
  const grace = await signInPlayer(academy, past.personId);
  const answer = await grace.get('/api/player');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({
    name: 'Grace',
    initial: 'G',
    wishes: [],
    progress: {
      // 80 hours at 70 points an hour.
      cissp: { percent: 100, xp: 5600, courseXp: 5600, finished: true },
      // One of seven exercises: 1,200 / 7 = 171.4.
      'soc-fundamentals': { percent: 14, xp: 171, courseXp: 1200, finished: false },
    },
  });
  expect(await (await openBrowser(academy).get('/api/player')).json()).toBeNull();
  const html = await (await grace.get('/account/settings')).text();
  expect(html).toContain('Grace Hopper</span>');
});

test('P55: not one byte of a page for everybody differs for a player with wishes', async () => {
  await act(browser, { act: 'add', course: 'cissp' });
  for (const path of ['/', '/course/cissp', '/wishes']) {
    const visitors = await (await academy.request(path)).text();
    expect([path, (await (await browser.get(path)).text()) === visitors]).toEqual([path, true]);
  }
  expect(await mainText(await academy.request('/wishes'))).toContain('Without scripts this device keeps no wishes.');
});

test('P50, P57: an address that is added brings its wishes along, each once', async () => {
  const { db } = academy.database;
  const added = `${crypto.randomUUID()}@work.example`;
  const other = await signInPlayer(academy, await personOf(db, added));
  await act(other, { act: 'join', courses: 'cissp threat-hunting' });
  await act(browser, { act: 'add', course: 'cissp' });
  await browser.post('/account/settings', { act: 'add-address', email: added });
  const { body_text: text } = await db
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'address-link')
    .where('recipient', '=', added)
    .executeTakeFirstOrThrow();
  const token = /token=(\w+)/.exec(text)?.[1] ?? '';
  expect(locationOf(await browser.post('/account/address', { token }))).toBe('/account/settings?saved');
  expect((await wishesOf(browser)).sort()).toEqual(['cissp', 'threat-hunting']);
});
