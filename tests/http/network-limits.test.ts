import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetAttempts } from '#app/http/form-limit.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';

let academy: AcademyApp;
const opening = new Date('2025-09-08T09:00:00+10:00');
const after = (minutes: number) => academy.setNow(new Date(opening.getTime() + minutes * 60_000));
const guided = { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' };
const location = (response: Response) => response.headers.get('Location') ?? '';

beforeAll(async () => {
  academy = await openAcademyApp({ trueTimeAhead: true });
});
afterAll(() => academy.close());
beforeEach(async () => {
  academy.setNow(opening);
  await academy.database.db.deleteFrom('form_attempts').execute();
});

const codesTo = async (email: string) => {
  const { db } = academy.database;
  const rows = await db.selectFrom('mails').select('id').where('recipient', '=', email).execute();
  return rows.length;
};
const drafts = async () => {
  const { db } = academy.database;
  return (await db.selectFrom('enrolment_drafts').select('id').execute()).length;
};

/** Fills in up to the code, which is asked for. */
async function askForCode(from: string, email: string) {
  const one = visitor(academy, from);
  const draft = await one.choose('course=cissp', guided);
  await one.post(`${draft}/attendees`, { self: 'on' });
  await one.post(`${draft}/payer`, { buyerName: 'Eve', email, payer: 'person' });
  const answer = await one.send(`${draft}/terms`, { accepted: 'on' });
  return { one, draft, answer };
}

test('P24: whoever is over the codes of their network uses up none of somebody else’s mailbox, and is told why', async () => {
  const stranger = '198.51.100.7';
  for (let at = 0; at < 10; at++) await askForCode(stranger, `own-${at}@example.com`);
  const { one, draft, answer } = await askForCode(stranger, 'victim@example.com');
  expect(location(answer)).toContain('code?code=network');
  for (let time = 0; time < 3; time++) await one.post(`${draft}/code`, { intent: 'again' });
  expect(await codesTo('victim@example.com')).toBe(0);
  const page = await one.read(`${draft}/code?code=network`);
  expect(page).toContain('other people share that address');
  expect(page).not.toContain('We sent a code');
  const victim = await askForCode('203.0.113.1', 'victim@example.com');
  expect(location(victim.answer)).toMatch(/\/code$/);
  expect(await codesTo('victim@example.com')).toBe(1);
});

test('P24: a date that is full costs no attempt and leaves no draft', async () => {
  const { db } = academy.database;
  const capacity = (seats: number) =>
    db.updateTable('training_sessions').set({ capacity: seats }).where('slug', '=', 'cissp-melbourne').execute();
  const one = visitor(academy, '198.51.100.8');
  const way = { attendees: '6', 'way-cissp': 'session:cissp-melbourne' };
  const form = await one.filled('/enrol?session=cissp-melbourne', way);
  const before = await drafts();
  await capacity(5);
  for (let time = 0; time < 25; time++) expect((await one.post('/enrol', form)).status).toBe(409);
  expect(await drafts()).toBe(before);
  expect(await db.selectFrom('form_attempts').selectAll().execute()).toEqual([]);
  await capacity(20);
  expect((await one.post('/enrol', form)).status).toBe(303);
});

test('P24: an IPv6 customer begins at most a hundred drafts a day, and is told so with the choice kept', async () => {
  const { db } = academy.database;
  const begin = async (at: number) => {
    const one = visitor(academy, `2001:db8:1:${at.toString(16)}::1`);
    return one.post('/enrol', await one.filled('/enrol?course=cissp', { attendees: '3', ...guided }));
  };
  for (let at = 0; at < 100; at++) {
    // Eighty in ten minutes are the most of a /56.
    if (at === 50) after(11);
    expect((await begin(at)).status).toBe(303);
  }
  after(22);
  const before = await drafts();
  const refused = await begin(200);
  expect(refused.status).toBe(429);
  const html = await refused.text();
  expect(html).toContain('Please send it again in about 24 hours, use another connection, or telephone us');
  expect(html).toMatch(/<option value="3" selected=""|name="attendees"[^>]*value="3"/);
  expect(await drafts()).toBe(before);
  const elsewhere = visitor(academy, '2001:db8:1:100::1');
  await elsewhere.choose('course=cissp', guided);
  after(24 * 60);
  await forgetAttempts(db, academy.trueNow());
  expect((await begin(201)).status).toBe(303);
});

test('P24: a network stores at most 2 MB in drafts a day; what was typed stays in the form, and confirmed people are not asked', async () => {
  const { db } = academy.database;
  const from = '198.51.100.9';
  const one = visitor(academy, from);
  const draft = await one.choose('course=cissp', { ...guided, attendees: '6' });
  const confirmed = visitor(academy, from);
  const real = await confirmed.choose('course=cissp', guided);
  await confirmed.fillIn(real, 'real@example.com');

  const fields = ['name', 'email', 'needs', 'guardianName', 'guardianEmail'];
  const long = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].flatMap((number) => fields.map((field) => [`${field}-${number}`, 'x'.repeat(1900)])),
  );
  const short = { 'name-1': 'Ada' };
  // Each time it grows by some 57 KB; what shrinks does not count, and gives nothing back.
  const statuses: number[] = [];
  for (let time = 0; time < 40; time++) {
    await one.post(`${draft}/attendees`, {
      ...short,
      ...Object.fromEntries(Object.keys(long).map((name) => [name, ''])),
    });
    statuses.push((await one.post(`${draft}/attendees`, long)).status);
  }
  const accepted = statuses.filter((status) => status === 400).length;
  expect(accepted).toBeGreaterThanOrEqual(33);
  expect(accepted).toBeLessThanOrEqual(35);
  expect(statuses.slice(accepted)).toEqual(Array(40 - accepted).fill(429));

  const typed = 'Typed with care. '.repeat(20).trim();
  const refused = await one.post(`${draft}/attendees`, { ...long, 'needs-1': typed });
  expect(refused.status).toBe(429);
  const html = await refused.text();
  expect(html).toContain('is not stored yet, but it is still below');
  expect(html).toContain(typed);
  const { size } = await db
    .selectFrom('enrolment_drafts')
    .select(sql<number>`pg_column_size(attendees::text)`.as('size'))
    .orderBy('id')
    .executeTakeFirstOrThrow();
  expect(Number(size)).toBeLessThan(70_000);
  expect((await confirmed.post(`${real}/attendees`, { 'name-1': 'y'.repeat(150) })).status).toBe(303);
});

test('a search is cut at 200 letters wherever it is typed, and the page shows what was searched', async () => {
  const long = `${'cissp '.repeat(33)}🎯🎯${'and much more '.repeat(250)}`;
  const cut = `${'cissp '.repeat(33)}🎯🎯`;
  expect([...cut]).toHaveLength(200);
  for (const path of ['/enrol', '/courses', '/']) {
    const response = await academy.request(`${path}?${new URLSearchParams({ search: long.slice(0, 1800) })}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(`value="${cut}"`);
    expect(html).not.toContain('and much');
    for (const [input] of html.matchAll(/<input[^>]*name="search"[^>]*>/g)) expect(input).toContain('maxLength="200"');
  }
  const { suggestions } = (await (
    await academy.request(
      `/api/suggestions?${new URLSearchParams({ search: `${' '.repeat(10)}cissp${' '.repeat(300)}x` })}`,
    )
  ).json()) as { suggestions: unknown[] };
  expect(suggestions.length).toBeGreaterThan(0);
  expect(await mainText(await academy.request('/enrol?search=cissp'))).toContain('“cissp”');
});
