import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { setLiveHour } from '#app/features/study/live-hours.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attends, makeClass, pageOf } from '#tests/support/certificates.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import { carriedBy, makeStaff, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

const opening = momentAt('2025-09-08T09:00');
const setNow = (text: string) => academy.setNow(momentAt(text).now);
const read = async (path: string) => mainText(await academy.request(path));
const send = (path: string, fields: Record<string, string>) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });

/** Guided study of CCSP from Monday 13 October 2025. */
async function studying(email: string) {
  const { db } = academy.database;
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'ccsp').executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    attendees: [attendee({ email })],
  });
  const result = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
  if (!result.ok) return expect.unreachable(result.reason);
  const [place] = (await readEnrolment(db, result.enrolmentId)).places;
  if (!place) return expect.unreachable('no place');
  const own = await pageOf(db, { placeId: place.id, enrolmentId: result.enrolmentId, attendeeId: place.attendee.id });
  return { own, placeId: place.id, buyers: `/enrolment/${result.token}` };
}

test('P60: nothing promises a live hour until staff set one; then course, place, account and calendar have it', async () => {
  setNow('2025-09-08T09:00');
  const { db } = academy.database;
  const email = 'mae@example.org';
  const { own, placeId, buyers } = await studying(email);
  const calendar = `${own}/${placeId}/calendar.ics`;
  for (const path of ['/course/ccsp', '/enrol?course=ccsp', own, buyers])
    expect(await read(path), path).not.toMatch(/live hour/i);
  expect((await academy.request(calendar)).status).toBe(404);

  const staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron', { role: 'admissions' });
  const form = await (await staff.get('/staff/live-hours/new')).text();
  const { slug: instructor } = await db.selectFrom('instructors').select('slug').executeTakeFirstOrThrow();
  const wish = {
    ...carriedBy(form, 'new'),
    course: 'ccsp',
    instructor,
    firstOn: '2025-10-14',
    lastOn: '2026-03-24',
    startsAt: '18:00',
    minutes: '60',
    zone: 'Australia/Brisbane',
    link: 'https://live.example/ccsp',
  };
  const late = await staff.post('/staff/live-hours/new', { ...wish, firstOn: '2025-09-08' });
  expect([late.status, await mainText(late)]).toEqual([409, expect.stringContaining('Choose a day after today.')]);
  const answer = await staff.post('/staff/live-hours/new', wish);
  expect(answer.status).toBe(303);
  const page = answer.headers.get('Location') ?? '';
  expect(page).toMatch(/^\/staff\/live-hours\/\d+$/);

  const weekly = 'Tuesdays from Tuesday 14 October 2025, 6:00 PM to 7:00 PM AEST, until Tuesday 24 March 2026';
  await expect.poll(() => read('/course/ccsp')).toContain(weekly);
  const course = await (await academy.request('/course/ccsp')).text();
  expect(course).not.toContain('live.example');
  expect(await read(own)).toContain(weekly);
  expect(await read(own)).not.toContain('live.example');

  setNow('2025-10-13T10:00');
  expect(await read(own)).toContain('https://live.example/ccsp');
  expect(await read(buyers)).not.toContain('live.example');
  const file = await (await academy.request(calendar)).text();
  expect(file).toContain('DTSTART:20251014T080000Z');
  const player = await signInPlayer(academy, await personOf(db, email));
  const account = await mainText(await player.get('/account'));
  expect(account).toContain('Tue 14 Oct, 6:00 PM');
  expect(account).toContain('live hour');

  const listed = await mainText(await staff.get('/staff/classes'));
  expect(listed).toContain('Tue 14 Oct, 6:00 PM AEST');
  const hour = await (await staff.get(page)).text();
  expect(hour).toContain(`/staff/places/${placeId}/certificate`);
  const off = await staff.post(page, { ...carriedBy(hour, 'off'), day: '2025-10-14', reason: 'Priya is away.' });
  expect(off.status).toBe(303);
  expect(await read(own)).toContain('None on Tuesday 14 October 2025: Priya is away.');
  expect(await mainText(await player.get('/account'))).toContain('Tue 21 Oct, 6:00 PM');
  const again = await (await staff.get(page)).text();
  expect((await staff.post(page, { ...carriedBy(again, 'end'), from: '2025-10-14' })).status).toBe(303);
  await expect.poll(() => read('/course/ccsp')).not.toMatch(/live hour/i);
  expect(await read(own)).toContain('No live hour is ahead. If you saved them in your calendar, open this file there.');
  expect(await (await academy.request(calendar)).text()).toContain('STATUS:CANCELLED');
});

test('P60: the page of a cancelled place has the file that takes its live hours out of the calendar', async () => {
  setNow('2025-10-13T10:00');
  const { db } = academy.database;
  const { own, placeId } = await studying('ines@example.org');
  const olive = await makeStaff(db, { email: 'olga@example.com', name: 'Olga' }, opening.now);
  const firstOn = { firstOn: '2025-10-15', lastOn: '2026-03-25' };
  const { slug: instructor } = await db.selectFrom('instructors').select('slug').executeTakeFirstOrThrow();
  const when = { ...firstOn, startsAt: '18:00', minutes: 60, zone: 'Australia/Brisbane' as const };
  const wish = { ...when, course: 'ccsp', instructor, link: 'https://live.example/ccsp' };
  const moment = momentAt('2025-10-13T10:00');
  await db.transaction().execute((trx) => setLiveHour(trx, { wish, actor: olive.actor }, moment));
  expect(await read(own)).toContain('Join the live hour');
  const { enrolment_id: enrolmentId } = await db
    .selectFrom('places')
    .select('enrolment_id')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow();
  const cancellation = { enrolmentId, placeIds: [placeId], why: 'staff' as const, shownCents: null };
  await db.transaction().execute((trx) => cancelPlaces(trx, { ...cancellation, actor: olive.actor }, moment));
  const page = await read(own);
  expect(page).toContain('This place was cancelled.');
  expect(page).toContain('Take live hours out of your calendar');
  const file = await (await academy.request(`${own}/${placeId}/calendar.ics`)).text();
  expect([file.includes('STATUS:CANCELLED'), file.includes('STATUS:CONFIRMED')]).toEqual([true, false]);
});

test('P56: a learner who cannot come says so on the page of the place; the class page suggests Excused', async () => {
  setNow('2025-11-02T09:00');
  const { db } = academy.database;
  const group = await makeClass(db);
  const inClass = await attends(db, group, { name: 'Ada Byron', email: 'byron@example.com' }, 0);
  const own = await pageOf(db, inClass);
  const path = `${own}/${inClass.placeId}/cannot-come`;
  expect(await (await academy.request(own)).text()).toContain(path);
  expect(await read(path)).toContain('You keep your place, and there is no refund for missed days.');
  const none = await send(path, { note: '' });
  expect([none.status, await mainText(none)]).toEqual([400, expect.stringContaining('Choose at least one day.')]);
  const told = await send(path, { 'day-2025-11-03': 'on', note: 'My daughter is ill.' });
  expect([told.status, told.headers.get('Location')]).toEqual([303, path]);
  expect(await read(path)).toContain('Monday 3 November 2025');
  expect(await (await academy.request(path)).text()).toMatch(
    /name="day-2025-11-03"[^>]*checked|checked[^>]*name="day-2025-11-03"/,
  );
  expect((await send(path, { note: '' })).status).toBe(303);
  expect(await read(path)).toContain('you can come after all');
  expect((await send(path, { 'day-2025-11-03': 'on', note: 'My daughter is ill.' })).status).toBe(303);
  expect(await read(path)).toContain('move you to another date once at no charge before the first day, or cancel.');

  setNow('2025-11-03T08:55');
  expect(await read(path)).toContain('The course has begun, so the date can no longer be changed there.');
  await db.updateTable('places').set({ move_cap: 100 }).where('id', '=', inClass.placeId).execute();
  setNow('2025-11-02T10:00');
  expect(await read(path)).toContain('or cancel. They cannot move you to another date there.');
  setNow('2025-11-03T09:05');
  const instructor = await signInStaff(academy, 'mara@staff.example', 'Mara', {
    role: 'instructor',
    teachesAs: group.teachesAs,
  });
  const start = await instructor.get('/staff');
  expect([start.status, start.headers.get('Location')]).toEqual([302, `/staff/classes/${group.courseDate.slug}`]);
  const page = `/staff/classes/${group.courseDate.slug}`;
  expect(await mainText(await instructor.get(page))).toMatch(/Told us they can’t come ?: My daughter is ill\./);
  const details = await (await instructor.get(`${page}/details`)).text();
  expect(details).toMatch(/<option value="excused" selected/);
  setNow('2025-11-06T09:00');
  expect((await academy.request(path)).status).toBe(404);
});

test('P60: an instructor of several guided courses finds the live hours of today on the first page, the next one first', async () => {
  const { db } = academy.database;
  setNow('2025-10-07T09:00');
  await studying('kit@example.org');
  const owner = await signInStaff(academy, 'olive@example.com', 'Olive');
  const teachesAs = 'yuki-tanabe';
  const yuki = await signInStaff(academy, 'yuki@example.com', 'Yuki', { role: 'instructor', teachesAs });
  const form = await (await owner.get('/staff/live-hours/new')).text();
  const way = { minutes: '60', zone: 'Australia/Brisbane', link: 'https://live.example/yuki', lastOn: '2026-03-24' };
  // CCSP and CISM on Tuesdays, CISA on Wednesdays.
  const hours = { ccsp: ['2025-10-14', '18:00'], cism: ['2025-10-14', '12:30'], cisa: ['2025-10-15', '18:00'] };
  for (const [course, [firstOn = '', startsAt = '']] of Object.entries(hours)) {
    const wish = {
      ...carriedBy(form, 'new'),
      form: crypto.randomUUID(),
      course,
      instructor: teachesAs,
      firstOn,
      startsAt,
    };
    expect((await owner.post('/staff/live-hours/new', { ...wish, ...way })).status).toBe(303);
  }
  const own = async () => (await (await yuki.get('/staff/today')).text()).replaceAll('<!-- -->', '');
  const shown = (html: string) =>
    [...html.matchAll(/>([^<]+)<\/a><p[^>]*>Live hour, online/g)].map(([, title]) => title);
  const titles = new Map(
    (await db.selectFrom('courses').select(['slug', 'title']).where('slug', 'in', Object.keys(hours)).execute()).map(
      ({ slug, title }) => [slug, title],
    ),
  );
  setNow('2025-10-14T08:00');
  expect(shown(await own())).toEqual([titles.get('cism'), titles.get('ccsp')]);
  setNow('2025-10-14T13:30');
  expect(shown(await own())).toEqual([titles.get('ccsp')]);
  setNow('2025-10-16T08:00');
  expect(shown(await own())).toEqual([]);
  const list = await (await yuki.get('/staff/classes')).text();
  const order = ['cism', 'ccsp', 'cisa'].map((slug) => list.indexOf(`>${titles.get(slug)}<`));
  // From Thursday on Tuesday comes before Wednesday.
  expect(order.every((at, i) => at > 0 && at > (order[i - 1] ?? 0))).toBe(true);
});
