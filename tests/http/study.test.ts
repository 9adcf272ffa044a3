import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { pay } from '#tests/support/study.ts';

let academy: AcademyApp;
let hamish: SignedIn;
/** The page of the attendee, and those of the modules. */
let own: string;
let module: (number: number) => string;
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const course = await db
    .selectFrom('courses')
    .select(['id', 'instructor_slug', 'details'])
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const curriculum = (course.details as { curriculum: { module: string }[] }).curriculum;
  await db
    .insertInto('course_modules')
    .values({
      course_id: course.id,
      number: 1,
      title: curriculum[0]?.module ?? '',
      body: '## Reading\n\nA claim needs *evidence*. <script>alert(1)</script>\n\n| Log | Says |\n| --- | --- |\n| VPN | who |\n\n## Exercise\n\nName **three** logs.',
    })
    .execute();
  const moment = momentAt('2025-09-08T09:00');
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    attendees: [attendee({ email: 'ada@example.org' })],
  });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, moment));
  if (!placed.ok) throw new Error(placed.reason);
  await pay(db, placed.enrolmentId);
  const [place] = (await readEnrolment(db, placed.enrolmentId)).places;
  const mail = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', 'ada@example.org')
    .executeTakeFirstOrThrow();
  own = /\/place\/[0-9a-f]+/.exec(await withLinks(db, mail.body_text))?.[0] ?? '';
  module = (number) => `${own}/${place?.id}/module/${number}`;
  academy.setNow(momentAt('2025-10-14T09:00').now);
  hamish = await signInStaff(academy, 'hamish@example.com', 'Hamish Doyle', {
    role: 'instructor',
    teachesAs: course.instructor_slug,
  });
});
afterAll(() => academy.close());

const read = async (path: string) => mainText(await academy.request(path));
/** As a browser sends a form with its answer: in parts. */
function send(path: string, fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return academy.request(path, { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' }, body });
}

test('P60: reading and exercise are there once the module is opened, as text, and nothing typed is a page', async () => {
  expect(await read(module(1))).not.toContain('A claim needs');
  expect((await send(module(1), { act: 'hand-in', answer: 'Before opening.' })).status).toBe(409);
  expect((await send(module(1))).status).toBe(303);
  const html = await (await academy.request(module(1))).text();
  expect(html).toContain('A claim needs <em>evidence</em>.');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('Name <strong>three</strong> logs.');
});

test('P60: an answer is refused with its text kept, saved as a draft, handed in, marked, and shown with its points', async () => {
  const refused = await send(module(1), { act: 'hand-in', answer: '', link: 'javascript:alert(1)' });
  expect(refused.status).toBe(400);
  const shown = await refused.text();
  expect(shown).toContain('Enter an address that begins with https:// or http://.');
  expect(shown).toContain('value="javascript:alert(1)"');
  expect((await send(module(1), { act: 'hand-in', answer: 'x'.repeat(20_001), link: '' })).status).toBe(400);

  expect((await send(module(1), { act: 'draft', answer: 'Half <b>', link: '' })).status).toBe(303);
  expect(await (await academy.request(module(1))).text()).toContain('Half &lt;b&gt;</textarea>');
  // Letters of three bytes, as many as may be.
  const long = '語'.repeat(20_000);
  const handed = await send(module(1), { act: 'hand-in', answer: long, link: '' });
  expect([handed.status, handed.headers.get('Location')]).toEqual([303, module(1)]);
  expect(await read(module(1))).toContain('You have handed in an answer.');

  const list = await (await hamish.get('/staff/answers')).text();
  const path = /\/staff\/answers\/\d+/.exec(list)?.[0] ?? '';
  const page = await (await hamish.get(path)).text();
  expect(page).toContain(long.slice(0, 100));
  // The task beside the answer.
  const task = /<h2[^>]*>Exercise<\/h2><div class="prose">(.*?)<\/div>/s.exec(
    await (await academy.request(module(1))).text(),
  );
  expect(page).toContain(task?.[1] ?? 'no exercise');
  for (const hidden of ['AU$', 'ada@example.org', 'Grace Hopper']) expect(page.includes(hidden), hidden).toBe(false);
  const carried = { form: /name="form" value="([^"]*)"/.exec(page)?.[1] ?? '', seen: '0' };
  expect((await hamish.post(path, { ...carried, act: 'not-yet', comment: '' })).status).toBe(409);
  const comment = 'Three, not one.';
  expect((await hamish.post(path, { ...carried, act: 'not-yet', comment })).status).toBe(303);
  const notYet = await read(module(1));
  for (const text of [comment, 'Not yet, hand in again', 'Hamish Doyle']) expect(notYet).toContain(text);
  expect((await hamish.get(path)).status).toBe(200);

  expect((await send(module(1), { act: 'hand-in', answer: '', link: 'https://example.com/logs' })).status).toBe(303);
  const second = /\/staff\/answers\/\d+/.exec(await (await hamish.get('/staff/answers')).text())?.[0] ?? '';
  const form = /name="form" value="([^"]*)"/.exec(await (await hamish.get(second)).text())?.[1] ?? '';
  expect((await hamish.post(second, { form, seen: '0', act: 'accept', comment: '' })).status).toBe(303);
  const accepted = await read(module(1));
  expect(accepted).toContain('Accepted. There is nothing more to hand in.');
  expect(accepted).toContain('12% done · 700 of 5,600 XP');
  const place = await read(own);
  expect(place).toContain('700 of 5,600 XP');
  // P61: the work that the course asked for when the place was sold, and how far the exercises are.
  for (const text of [
    '1 of 8 exercises accepted so far.',
    'Not accepted yet.',
    'Eight domain problem sets handed in',
  ]) {
    expect(place).toContain(text);
  }
  expect(await (await hamish.get('/staff/answers')).text()).toContain('No exercise waits to be marked.');
});

test('P67: nobody reads or hands in by another link', async () => {
  const other = module(1).replace(own, `/place/${'0'.repeat(48)}`);
  expect((await academy.request(other)).status).toBe(404);
  expect((await send(other, { act: 'hand-in', answer: 'Mine.' })).status).toBe(404);
  expect((await send(module(99), { act: 'hand-in', answer: 'Mine.' })).status).toBe(404);
});
