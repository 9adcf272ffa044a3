import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const link = 'https://class.example/j/4711';
const staffPage = async (path: string) => (await ada.get(path)).text();
const textOf = async (path: string) => mainText(await academy.request(path));
const unfolded = (ics: string) => ics.replaceAll(/\r\n[ \t]/g, '');

async function courseDateIn(delivery: 'online' | 'both') {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-08', joiningLink: null });
  const venue = delivery === 'both' ? 'Brisbane' : null;
  const { slug } = await db
    .updateTable('course_dates')
    .set({ delivery, venue })
    .where('id', '=', courseDate.id)
    .returning('slug')
    .executeTakeFirstOrThrow();
  return { ...courseDate, slug };
}

test('P39: staff set room and link; the people in it are told, their pages and calendars show it, public pages never the link', async () => {
  const { db } = academy.database;
  const courseDate = await courseDateIn('both');
  const buyer = { name: 'Percy Shelley', email: 'percy@example.org', phone: null };
  const { token } = await placeIn(db, courseDate, {
    attendees: [attendee({ name: 'Mary Shelley', email: 'mary@example.org' })],
    buyer,
  });
  const path = `/staff/course-dates/${courseDate.slug}`;
  const before = await staffPage(path);
  expect(before).toContain('Not set yet: <!-- -->room, street and link');
  const send = (html: string, fields: Record<string, string>) =>
    ada.post(path, {
      ...carriedBy(html, 'joining-details'),
      room: 'Level 4, Room 4.2',
      street: '120 Edward Street',
      ...fields,
    });
  for (const wrong of ['http://class.example/j/4711', 'javascript:alert(1)', 'https://', 'https://a b']) {
    const refused = await send(before, { joiningLink: wrong });
    expect([refused.status, (await refused.text()).includes('Enter a link that begins with https://')], wrong).toEqual([
      400,
      true,
    ]);
  }
  expect((await send(before, { joiningLink: link })).status).toBe(303);
  const again = await send(await staffPage(path), { joiningLink: link });
  expect([again.status, (await again.text()).includes('already has this room and link')]).toEqual([409, true]);

  // Its page says how many people the email was for, not that it was everyone (P84).
  const told = (await staffPage(path)).replaceAll(/<[^>]*>/g, '');
  expect(told).toMatch(/Last email with the room: [^,]*, \d{1,2}:\d\d [AP]M, to 2 people, 0 of 2 sent/);

  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text', 'calendar'])
    .where('kind', '=', 'place-joining-details')
    .orderBy('recipient')
    .execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual(['mary@example.org', 'percy@example.org']);
  for (const { body_text } of mails) {
    expect(body_text).toContain('Level 4, Room 4.2, 120 Edward Street');
    expect(body_text).toContain(link);
  }
  const [calendar = { method: '', content: '' }] = mails.map(
    (mail) => mail.calendar as Record<'method' | 'content', string>,
  );
  const { method, content } = calendar;
  expect(method).toBe('REQUEST');
  expect(unfolded(content)).toContain('LOCATION:Online/In-Person Brisbane: Level 4\\, Room 4.2\\, 120 Edward Street');
  expect(unfolded(content)).toContain(`DESCRIPTION:Join online: ${link}`);
  expect(Number(/SEQUENCE:(\d+)/.exec(content)?.[1])).toBeGreaterThan(0);

  const buyers = await academy.request(`/enrolment/${token}`);
  const html = await buyers.text();
  expect(html).toContain(`href="${link}"`);
  const file = /href="(\/enrolment\/[^"]*calendar\.ics)"/.exec(html)?.[1] ?? '';
  expect(unfolded(await (await academy.request(file)).text())).toContain(link);
  const own = /\/place\/[0-9a-f]+/.exec(await withLinks(db, mails[0]?.body_text))?.[0] ?? '';
  const place = await (await academy.request(own)).text();
  expect(place).toContain(`href="${link}"`);
  expect(place).toContain('Level 4, Room 4.2, 120 Edward Street');

  // Room and street are public, the link is not.
  const page = `/training-calendar/${courseDate.slug}`;
  await until(async () => (await textOf(page)).includes('The room: Level 4, Room 4.2, 120 Edward Street.'));
  const publicPlaces = [page, `${page}/course_date.ics`, '/training-calendar', '/training-calendar.ics', '/api/seats'];
  for (const one of [...publicPlaces, '/llms.txt', '/course/cissp', `/enrol?courseDate=${courseDate.slug}`]) {
    const response = await academy.request(one);
    expect([one, response.status]).toEqual([one, 200]);
    expect((await response.text()).includes('class.example'), one).toBe(false);
  }
  const audit = await db.selectFrom('audit_entries').selectAll().where('action', '=', 'set-joining-details').execute();
  expect(audit).toHaveLength(1);
  expect(JSON.stringify(audit)).not.toContain('class.example');
});

test('P39: a cancelled place, and a course date that moves to another city, take room and link away again', async () => {
  const { db } = academy.database;
  const courseDate = await courseDateIn('online');
  await db.updateTable('course_dates').set({ joining_link: link }).where('id', '=', courseDate.id).execute();
  const { token } = await placeIn(db, courseDate, { attendees: [attendee({ email: 'gone@example.org' })] });
  const given = db.selectFrom('mails').select('body_text').where('recipient', '=', 'gone@example.org');
  expect((await given.executeTakeFirstOrThrow()).body_text).toContain(link);
  const page = await (await academy.request(`/enrolment/${token}/cancel`)).text();
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const cancelled = await academy.request(`/enrolment/${token}/cancel`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value])),
  });
  expect(cancelled.status).toBe(303);
  const told = await given.select('calendar').where('kind', '=', 'place-cancelled').executeTakeFirstOrThrow();
  expect(JSON.stringify(told)).not.toContain('class.example');
});

test('P39: staff see a course date below its minimum on the first page, in the list and on its page, and run it anyway', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-15' });
  const { slug } = await db
    .updateTable('course_dates')
    .set({ minimum: 3, decided_by: '2025-11-20', confirmed_on: '2025-09-08' })
    .where('id', '=', courseDate.id)
    .returning('slug')
    .executeTakeFirstOrThrow();
  await placeIn(db, courseDate);
  const path = `/staff/course-dates/${slug}`;
  expect(await staffPage('/staff')).toMatch(/Below minimum[\s\S]*1 of 3 needed: people cancelled/);
  expect(await staffPage('/staff/course-dates?state=below')).toContain(path);
  const page = await staffPage(path);
  expect(page.replaceAll('<!-- -->', '')).toContain('It is below its minimum: 1 of at least 3 is in it.');
  expect(page).toContain('Cancel it');
  await until(async () =>
    (await textOf(`/training-calendar/${slug}`)).includes('It is confirmed, and stays confirmed'),
  );
  expect((await ada.post(path, carriedBy(page, 'hold-anyway'))).status).toBe(303);
  expect(await staffPage(path)).not.toContain('It is below its minimum');
  expect(await staffPage(path)).toContain('decided to run it anyway');
  expect(await staffPage('/staff/course-dates?state=below')).not.toContain(path);
});
