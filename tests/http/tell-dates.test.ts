import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import { locationOf } from '#tests/support/sign-in.ts';
import { signInStaff } from '#tests/support/staff.ts';

// A Monday.
const opened = new Date('2025-09-08T09:00:00+10:00');
let academy: AcademyApp;
let email: string;
beforeAll(async () => {
  academy = await openAcademyApp();
});
beforeEach(() => {
  academy.setNow(opened);
  email = `${crypto.randomUUID()}@example.com`;
});
afterAll(() => academy.close());

const read = async (path: string) => mainText(await academy.request(path));
const post = (path: string, fields: Record<string, string>) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
const join = (query: string, fields: Record<string, string> = {}) =>
  academy.submit(`/waiting-list?${query}`, { name: 'Mary Shelley', email, seats: '1', ...fields });
const entry = () =>
  academy.database.db.selectFrom('waiting_entries').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
/** The private link in the latest email of a kind. */
async function linkIn(kind: string): Promise<string> {
  const { body_text } = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', kind)
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  return /\/waiting\/[0-9a-f]{48}/.exec(await withLinks(academy.database.db, body_text))?.[0] ?? 'none';
}
async function joinAndConfirm(query: string, fields?: Record<string, string>): Promise<string> {
  expect((await join(query, fields)).status).toBe(303);
  const link = await linkIn('waiting-joined');
  expect((await post(link, { intent: 'confirm' })).status).toBe(303);
  return link;
}
const checked = async (path: string) =>
  [...(await (await academy.request(path)).text()).matchAll(/<input[^>]*name="week-([\d-]+)"[^>]*>/g)]
    .filter(([input]) => input.includes('checked'))
    .map(([, week]) => week);

test('P98: every course tells of dates: with dates, without one, and by agreement', async () => {
  for (const slug of ['cissp', 'ccsp', 'threat-hunting', 'job-guarantee-soc-analyst']) {
    const page = await (await academy.request(`/course/${slug}`)).text();
    expect(page, slug).toMatch(new RegExp(`href="/waiting-list\\?course=${slug}"[^>]*>Tell me about dates<`));
  }
  expect(await read('/enrol?course=ccsp')).toContain('Tell me about dates');
});

test('P98: the calendar leads to a choice of course where no date fits', async () => {
  for (const path of ['/training-calendar', '/training-calendar?mode=online&month=2030-01']) {
    expect(await (await academy.request(path)).text()).toContain('href="/waiting-list"');
  }
  const page = await academy.request('/waiting-list');
  expect([page.status, (await page.text()).includes('<option value="ccsp">')]).toEqual([200, true]);
});

test('P98: a person names weeks and a place of a course, and changes them by the private link', async () => {
  expect(await read('/waiting-list?course=ccsp')).toContain('Week of 15 September');
  const weeks = { 'week-2025-09-15': 'on', 'week-2025-12-01': 'on', 'week-2025-12-08': 'on', 'week-2025-09-16': 'on' };
  const link = await joinAndConfirm('course=ccsp', { ...weeks, venue: 'Sydney' });
  // Twelve Mondays, from the next one on.
  expect(await entry()).toMatchObject({ weeks: ['2025-09-15', '2025-12-01'], venue: 'Sydney' });
  expect(await checked(link)).toEqual(['2025-09-15', '2025-12-01']);
  const saved = await post(link, { intent: 'save', 'week-2025-11-24': 'on', venue: '' });
  expect([saved.status, locationOf(saved)]).toEqual([303, `${link}?saved`]);
  expect(await entry()).toMatchObject({ weeks: ['2025-11-24'], venue: null });
  expect(await read(`${link}?saved`)).toContain('Saved.');
});

test('P98: the list of a date asks for neither', async () => {
  const { db } = academy.database;
  const { id } = await makeCourseDate(db, { course: 'cism', startsOn: '2025-10-20' });
  const courseDates = db.selectFrom('course_dates').select('slug').where('id', '=', id);
  const { slug } = await courseDates.executeTakeFirstOrThrow();
  await until(() => academy.services.snapshot.current().courseDates.some((one) => one.slug === slug));
  expect(await read(`/waiting-list?courseDate=${slug}`)).not.toContain('Weeks that suit you');
});

test('P98: an unknown place counts as any place', async () => {
  await join('course=ccsp', { venue: 'Atlantis' });
  expect(await entry()).toMatchObject({ weeks: [], venue: null });
});

test('P98: with an account the entry is in the account, to confirm and then to change', async () => {
  const player = await signInPlayer(academy, await personOf(academy.database.db, email));
  await join('course=ccsp', { 'week-2025-09-15': 'on', venue: 'online' });
  const asked = await player.get('/account');
  expect(await mainText(asked)).toContain('Confirm your place on the list: Certified Cloud Security Professional');
  await post(await linkIn('waiting-joined'), { intent: 'confirm' });
  const page = await player.get('/account');
  const link = /href="(\/waiting\/[0-9a-f]{48})"/.exec(await page.clone().text())?.[1] ?? '';
  const text = await mainText(page);
  expect(text).toContain('Waiting lists Certified Cloud Security Professional');
  expect(text).toContain('The next date, week of 15 September, Online, 1 seat');
  expect(text).not.toContain('Confirm your place on the list');
  expect((await player.post(link, { intent: 'leave' })).status).toBe(303);
  expect(await mainText(await player.get('/account'))).not.toContain('Waiting lists');
});

test('P98: staff see by course, week and place who would come, on the page and in the file', async () => {
  await joinAndConfirm('course=ccsp', { seats: '3', 'week-2025-09-29': 'on', venue: 'Melbourne' });
  const ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  expect(await mainText(await ada.get('/staff/waiting'))).toMatch(
    /Who would come .*Week of 29 September Melbourne 1 person, 3 seats/,
  );
  expect(await mainText(await ada.get('/staff/waiting/course:ccsp'))).toContain('week of 29 September, Melbourne');
  const [head = '', ...rows] = (await (await ada.get('/staff/waiting.csv')).text()).split('\r\n');
  expect(head).toContain('"Weeks","Place"');
  expect(rows.find((row) => row.includes(email))).toContain('"2025-09-29","Melbourne"');
});

test('P28, P98: accepting a date of a course with an agreement sends the request first', async () => {
  await joinAndConfirm('course=job-guarantee-soc-analyst');
  academy.setNow(new Date(opened.getTime() + 60_000));
  await makeCourseDate(academy.database.db, { course: 'job-guarantee-soc-analyst', startsOn: '2026-01-12' });
  await keepWaitingLists(academy.database.db, momentOf(academy.services.academy));
  const accepted = await post(await linkIn('waiting-offer'), { intent: 'accept' });
  expect(locationOf(accepted)).toMatch(/^\/enrol\/[0-9a-f]{48}\/payer$/);
  const next = await academy.request(locationOf(accepted) ?? '');
  expect(locationOf(next)).toBe(locationOf(accepted)?.replace('payer', 'request'));
});

test('P98: /wishes leads to the account, and its other addresses answer 404', async () => {
  const old = await academy.request('/wishes');
  expect([old.status, locationOf(old)]).toEqual([301, '/account']);
  for (const path of [`/unsubscribe/wishes/${'0'.repeat(48)}`, '/api/wishes']) {
    expect([path, (await academy.request(path)).status]).toEqual([path, 404]);
  }
  const player = await signInPlayer(academy, await personOf(academy.database.db, email));
  expect((await player.get('/account/wishes')).status).toBe(404);
});
