import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Messages to the people of a course date, and of other rows of lists (P80). The clock stands at 8 September 2025, 9:00.
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

async function dateOf(names: readonly string[]) {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-24' });
  const attendees = names.map((name) => attendee({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.org` }));
  await placeIn(db, courseDate, { attendees });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  return { courseDate, slug, path: `/staff/bulk-actions/message/course-dates?row=${slug}` };
}
const formOf = async (path: string) => sentForm(await (await ada.get(path)).text(), 'message-form');
const said = { subject: 'Bring a laptop, {first name}', body: 'Hello {first name},\n\nsee https://maps.example/x' };

const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '');

test('P80: the page shows three samples; sent, it leads to its number, and a second press sends nothing', async () => {
  const { path } = await dateOf(['Mary Shelley', 'Percy Shelley', 'Claire Clairmont', 'John Polidori']);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const html = await textOf(shown);
  expect(shown.status).toBe(200);
  for (const part of [
    '4 people get it',
    'Bring a laptop, Mary',
    'Bring a laptop, Percy',
    'Bring a laptop, Claire',
    'Send it to 4',
  ]) {
    expect(html.includes(part), part).toBe(true);
  }
  expect(html.includes('Bring a laptop, John')).toBe(false);
  const fields = { ...sentForm(html, 'message-form'), act: 'send' };
  const sent = await ada.post(path, fields);
  const action = sent.headers.get('Location') ?? '';
  expect([sent.status, action]).toEqual([303, expect.stringMatching(/^\/staff\/bulk-actions\/\d+$/)]);
  expect((await ada.post(path, fields)).headers.get('Location')).toBe('/staff/bulk-actions');
  expect(await academy.database.db.selectFrom('bulk_actions').select('number').execute()).toHaveLength(1);
  const page = await textOf(await ada.get(action));
  for (const part of ['Message: Bring a laptop, {first name}', '4 emails: 4 waiting', 'see https://maps.example/x']) {
    expect(page.includes(part), part).toBe(true);
  }
  expect(await textOf(await ada.get(path))).toContain(`href="${action}"`);
});

test('P80: the same number of people, but other ones than the page showed, is refused', async () => {
  const { courseDate, path } = await dateOf(['Mary Shelley', 'Percy Shelley']);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const fields = { ...sentForm(await shown.text(), 'message-form'), act: 'send' };
  const { db } = academy.database;
  const elsewhere = await makeCourseDate(db, { startsOn: '2025-12-01' });
  await db
    .updateTable('places')
    .set({ course_date_id: elsewhere.id })
    .where('course_date_id', '=', courseDate.id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('attendees')
          .select('attendees.id')
          .whereRef('attendees.id', '=', 'attendee_id')
          .where('email', '=', 'percy@example.org'),
      ),
    )
    .execute();
  await placeIn(db, courseDate, { attendees: [attendee({ name: 'Claire Clairmont', email: 'claire@example.org' })] });
  const refused = await ada.post(path, fields);
  expect([refused.status, (await refused.text()).includes('Something changed since this page was shown')]).toEqual([
    409,
    true,
  ]);
});

test('P80: unknown fields, links of other kinds and an empty list of people are refused, and the text stays', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const form = await formOf(path);
  const wrong: Record<string, string>[] = [
    { body: 'Hello {surname}' },
    { body: 'See ftp://files.example/x' },
    { attendees: '' },
  ];
  for (const fields of wrong) {
    const answer = await ada.post(path, { ...form, ...said, ...fields, act: 'send' });
    expect(answer.status, JSON.stringify(fields)).toBeGreaterThanOrEqual(400);
    expect((await answer.text()).includes('Bring a laptop, {first name}')).toBe(true);
  }
});

test('P80: a test goes to the author, without anybody’s private link', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const answer = await ada.post(path, { ...(await formOf(path)), ...said, act: 'test' });
  expect((await answer.text()).includes('We sent a test to ada@example.com.')).toBe(true);
  const mail = await academy.database.db
    .selectFrom('mails')
    .select(['recipient', 'subject', 'links'])
    .where('kind', '=', 'course-date-message-test')
    .executeTakeFirstOrThrow();
  expect(mail).toEqual({ recipient: 'ada@example.com', subject: 'Test: Bring a laptop, Ada', links: [] });
});

test('P68: a person who lost the role while writing gets a 403 with the typed text', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const form = { ...(await formOf(path)), ...said, expects: '1', act: 'send' };
  const reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  const answer = await reader.post(path, form);
  expect(answer.status).toBe(403);
  expect((await answer.text()).includes('Bring a laptop, {first name}')).toBe(true);
});

test('P80: boxes on the list of course dates lead to one message, which names the dates that were ticked', async () => {
  const slugs = [(await dateOf(['Ada Lovelace'])).slug, (await dateOf(['Grace Hopper', 'Hedy Lamarr'])).slug];
  const list = await (await ada.get('/staff/course-dates')).text();
  expect(slugs.every((slug) => list.includes(`value="${slug}"`))).toBe(true);
  const path = `/staff/bulk-actions/message/course-dates?${slugs.map((slug) => `row=${slug}`).join('&')}`;
  expect(await textOf(await ada.get(path))).toContain('To the people of 2 course dates.');
  const html = await textOf(await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' }));
  for (const part of ['3 people get it', 'Send it to 3', 'Bring a laptop, Ada', 'Bring a laptop, Grace']) {
    expect(html.includes(part), part).toBe(true);
  }
  // Ticked off meanwhile: other people than the page showed.
  const fields = { ...sentForm(html, 'message-form'), act: 'send' };
  const other = await ada.post(`/staff/bulk-actions/message/course-dates?row=${slugs[0]}`, fields);
  expect(other.status).toBe(409);
  expect((await ada.post(path, fields)).status).toBe(303);
});

test('P80: staff write to the buyers of ticked enrolments, whose place is about the course', async () => {
  await dateOf(['Ada Lovelace']);
  const { reference } = await academy.database.db
    .selectFrom('enrolments')
    .select('reference')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const path = `/staff/bulk-actions/message/enrolments?row=${reference}`;
  const typed = { ...(await formOf(path)), ...said, buyers: 'on', attendees: '' };
  const html = await textOf(await ada.post(path, { ...typed, act: 'preview' }));
  expect([html.includes('1 person gets it'), html.includes(reference)]).toEqual([true, true]);
  const sent = await ada.post(path, { ...sentForm(html, 'message-form'), attendees: '', act: 'send' });
  expect(sent.status).toBe(303);
});

test('P80: no row ticked is said; a reader sees no boxes', async () => {
  for (const [list, none] of [
    ['enrolments', 'No enrolment is ticked.'],
    ['course-dates', 'No course date is ticked.'],
    ['waiting', 'No person who waits is ticked.'],
  ] as const) {
    expect(await textOf(await ada.get(`/staff/bulk-actions/message/${list}?list=x`))).toContain(none);
  }
  const reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  expect(await (await reader.get('/staff/course-dates')).text()).not.toContain('name="row"');
});
