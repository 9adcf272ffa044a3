import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { pay } from '#tests/support/study.ts';

let academy: AcademyApp;
let teacher: SignedIn;
/** The page of the attendee's first module. */
let module: string;
let own: string;
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const course = await db
    .selectFrom('courses')
    .select(['id', 'instructor_slug'])
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    attendees: [attendee({ email: 'ada@example.org' })],
  });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) throw new Error(placed.reason);
  await pay(db, placed.enrolmentId);
  const [place] = (await readEnrolment(db, placed.enrolmentId)).places;
  own = `/place/${await makeEnrolmentLink(db, placed.enrolmentId, place?.attendee.id)}`;
  module = `${own}/${place?.id}/module/1`;
  academy.setNow(momentAt('2025-10-14T09:00').now);
  const granted = { role: 'instructor', teachesAs: course.instructor_slug } as const;
  teacher = await signInStaff(academy, 'hamish@example.com', 'Hamish Doyle', granted);
});
afterAll(() => academy.close());

const read = async (path: string) => mainText(await academy.request(path));
const open = () =>
  academy.request(module, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(),
  });

test('P105: the course page says before the sale in which form the material comes', async () => {
  expect(await read('/course/cissp')).toContain(
    'There are 8 modules. Each is a text to read on this site, with an exercise. They are not here yet.',
  );
  expect(await read('/course/soc-fundamentals')).not.toContain('not here yet');
});

test('P105: a learner asks for an empty module, its instructor hands it out, and the learner reads it', async () => {
  expect(await read(module)).toContain('we ask your instructor to hand it out by the end of the next business day');
  expect((await open()).status).toBe(303);
  expect(await read(module)).toContain(
    'We have asked your instructor for this module. It comes by the end of Wednesday 15 October 2025',
  );
  expect(await read(own)).toContain('0 of 8 modules opened');

  const task = '/staff/modules/cissp/1';
  for (const list of ['/staff/today', '/staff/answers']) expect(await (await teacher.get(list)).text()).toContain(task);
  const html = await (await teacher.get(task)).text();
  expect(await mainText(new Response(html))).toContain('We promised it by the end of Wednesday 15 October 2025');
  const sent = { ...carriedBy(html, 'hand-out'), reading: 'What a risk is.', exercise: 'Name three.' };
  expect((await teacher.post(task, { ...sent, exercise: '## Not so' })).status).toBe(400);
  expect((await teacher.post(task, sent)).status).toBe(303);
  const page = await read(module);
  for (const text of ['Opened on Tuesday 14 October 2025', 'What a risk is.', 'Name three.']) {
    expect(page).toContain(text);
  }
  expect((await teacher.get(task)).status).toBe(404);
});

test('P105: staff who do not teach the course see the task and cannot hand it out', async () => {
  const { db } = academy.database;
  await db
    .insertInto('module_requests')
    .expression((eb) =>
      eb.selectFrom('places').select(['id', eb.lit(2).as('module'), eb.val(academy.now()).as('asked_at')]),
    )
    .execute();
  const owner = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
  const task = '/staff/modules/cissp/2';
  const html = await (await owner.get(task)).text();
  expect(html).toContain('teaches this course and hands the module out.');
  expect(html).not.toContain('hand-out-form');
  const sent = { form: crypto.randomUUID(), seen: '0', act: 'hand-out', reading: 'x', exercise: 'x' };
  expect((await owner.post(task, sent)).status).toBe(403);
});
