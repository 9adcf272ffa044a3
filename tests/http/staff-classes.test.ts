import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStudy } from '#app/features/study/study.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

const today = '2025-09-08';
let academy: AcademyApp;
let mara: SignedIn;
let office: SignedIn;
let slug: string;
let places: number[];
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, {});
  const attendees = ['Ada Byron', 'Bethany Aldous', 'Tariq Aziz'].map((name) =>
    attendee({ name, needs: name.startsWith('Bethany') ? 'Captions on, please' : null }),
  );
  await placeIn(db, courseDate, { attendees });
  // From Monday to Wednesday of this week.
  const row = await db
    .updateTable('course_dates')
    .set({ starts_on: today, ends_on: '2025-09-10', enrolment_ends_on: today, break_minutes: 60 })
    .where('id', '=', courseDate.id)
    .returning(['slug', 'instructor_slug'])
    .executeTakeFirstOrThrow();
  slug = row.slug;
  const rows = await db.selectFrom('places').select('id').where('course_date_id', '=', courseDate.id).execute();
  places = rows.map(({ id }) => id).sort((a, b) => a - b);
  const granted = { role: 'instructor', teachesAs: row.instructor_slug } as const;
  mara = await signInStaff(academy, 'mara@example.com', 'Mara Whitlock', granted);
  office = await signInStaff(academy, 'office@example.com', 'Olive Office', { role: 'admissions' });
});
afterAll(() => academy.close());

const marks = async (day = today) =>
  Promise.all(
    places.map(
      async (id) => (await readStudy(academy.database.db, id)).days.find((one) => one.day === day)?.mark?.mark,
    ),
  );
const page = async (path: string, by = mara) => (await by.get(path)).text();
const own = async (act: string, path = `/staff/classes/${slug}`, by = mara) => {
  return carriedWithMarks(await page(path, by), act);
};
/** What a form of a class carries, with the marks that its page showed. */
const carriedWithMarks = (html: string, act: string) => {
  const { lastMovement: _, ...carried } = carriedBy(html, act);
  const form = html.slice(html.indexOf(`name="act" value="${act}"`));
  const was = [...form.matchAll(/name="(was-\d+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return { ...carried, ...Object.fromEntries(was), day: today };
};

test('P59: an instructor finds today’s class, marks who is here without scripts, and nothing says what it costs', async () => {
  expect(await page('/staff/classes')).toContain(`/staff/classes/${slug}"`);
  const html = await page(`/staff/classes/${slug}`);
  for (const text of ['day <!-- -->1<!-- --> of <!-- -->3', 'Captions on, please', 'Ada Byron', 'All others here']) {
    expect(html.includes(text), text).toBe(true);
  }
  for (const hidden of ['AU$', 'chargedCents', 'Unpaid', 'buyer']) expect(html.includes(hidden), hidden).toBe(false);
  const [ada, bethany, tariq] = places;
  const was = { [`was-${ada}`]: '', [`was-${bethany}`]: '', [`was-${tariq}`]: '' };
  const saved = await mara.post(`/staff/classes/${slug}`, { ...(await own('save')), ...was, [`here-${ada}`]: 'on' });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, `/staff/classes/${slug}?day=${today}`]);
  expect(await marks()).toEqual(['present', undefined, undefined]);
  // A page that is older than the mark of somebody else leaves that mark alone.
  await mara.post(`/staff/classes/${slug}`, { ...(await own('save')), ...was, [`here-${tariq}`]: 'on' });
  expect(await marks()).toEqual(['present', undefined, 'present']);
  await mara.post(`/staff/classes/${slug}`, await own('all'));
  expect(await marks()).toEqual(['present', 'present', 'present']);
  await mara.post(`/staff/classes/${slug}`, { ...(await own('save')), ...was, [`was-${tariq}`]: 'here' });
  expect(await marks()).toEqual(['present', 'present', 'absent']);
});

test('P59: minutes late are typed on a page of their own, with faults beside the person, and all or nothing', async () => {
  const path = `/staff/classes/${slug}/details?day=${today}`;
  const [ada, bethany] = places;
  const called = { phone: '+61412345678', buyer_name: 'Grace Hopper' };
  await academy.database.db.updateTable('enrolments').set(called).execute();
  expect(await page(path)).toMatch(/href="tel:\+61412345678"[^>]*>Call [^0]*Grace Hopper[^0]*0412 345 678/);
  const typed = { [`mark-${ada}`]: 'present', [`late-${ada}`]: '20', [`mark-${bethany}`]: 'present' };
  const refused = await mara.post(path, { ...(await own('details', path)), ...typed, [`early-${bethany}`]: 'ten' });
  const html = await refused.text();
  expect(refused.status).toBe(409);
  expect(html).toContain('Bethany Aldous: enter the minutes missed as a number');
  expect(html).toContain('value="ten"');
  expect((await readStudy(academy.database.db, ada ?? 0)).minutesAttended).toBe(420);
  await mara.post(path, { ...(await own('details', path)), ...typed, [`early-${bethany}`]: '10' });
  expect(await page(`/staff/classes/${slug}`)).toContain('Here, 20 min late');
  expect((await readStudy(academy.database.db, ada ?? 0)).minutesAttended).toBe(400);
});

test('P59: an old page of minutes saves only its changed marks, and asks before it replaces a colleague’s', async () => {
  const path = `/staff/classes/${slug}/details?day=${today}`;
  const [ada, bethany] = places;
  const before = { ...(await own('details', path)), [`mark-${ada}`]: 'present', [`late-${ada}`]: '20' };
  const old = { ...before, [`mark-${bethany}`]: 'present', [`early-${bethany}`]: '10' };
  await mara.post(path, { ...before, [`mark-${ada}`]: 'absent' });
  await mara.post(path, { ...old, [`early-${bethany}`]: '15' });
  expect((await marks()).slice(0, 2)).toEqual(['absent', 'present']);

  const colleague = { [`mark-${bethany}`]: 'present', [`early-${bethany}`]: '30' };
  await mara.post(path, { ...(await own('details', path)), ...colleague });
  const refused = await mara.post(path, { ...old, [`late-${ada}`]: '5', [`early-${bethany}`]: '10' });
  const html = await refused.text();
  expect(refused.status).toBe(409);
  expect(html).toContain('Ada Byron: somebody saved &quot;Absent&quot; after you opened this page.');
  // Bethany was not touched: the page shows what the colleague saved, so saving again leaves it.
  expect([html.includes('value="10"'), html.includes('value="30"')]).toEqual([false, true]);
  const again = { ...carriedWithMarks(html, 'details'), ...colleague };
  await mara.post(path, { ...again, [`mark-${ada}`]: 'present', [`late-${ada}`]: '5' });
  expect((await marks()).slice(0, 2)).toEqual(['present', 'present']);
});

test('P59: a phone sends its kept taps; each refused tap is explained, and a resend is one mark', async () => {
  const [ada] = places;
  const key = crypto.randomUUID();
  const other = crypto.randomUUID();
  const tap = { key, slug, placeId: ada, day: today, mark: 'absent', tappedMs: 1_000 };
  const sent = (by = mara) =>
    by.post('/staff/class-taps', {
      taps: JSON.stringify({ sentMs: 1_000, taps: [tap, { ...tap, key: other, day: '2025-09-09' }] }),
    });
  const first = await sent();
  expect([first.status, await first.json()]).toEqual([
    200,
    { results: { [key]: null, [other]: 'Tuesday 9 September 2025 has not come.' } },
  ]);
  expect(await (await sent()).json()).toMatchObject({ results: { [key]: null } });
  expect((await marks())[0]).toBe('absent');
  const { count } = await academy.database.db
    .selectFrom('attendance_marks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('client_key', '=', key)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(1);
  expect((await mara.post('/staff/class-taps', { taps: '{' })).status).toBe(400);
  // Somebody whose role was taken away in the meantime.
  const reader = await signInStaff(academy, 'reader@example.com', 'Rita', { role: 'reader' });
  expect((await sent(reader)).status).toBe(403);
});

test('P59: all others here, tapped on an old page, leaves alone whom somebody marked since', async () => {
  const [ada, bethany] = places;
  const path = `/staff/classes/${slug}/details?day=${today}`;
  await mara.post(path, { ...(await own('details', path)), [`mark-${ada}`]: 'excused' });
  const tap = { slug, day: today, mark: 'present', tappedMs: 1_000, onlyUnmarked: true };
  const taps = [ada, bethany].map((placeId) => ({ ...tap, placeId, key: crypto.randomUUID() }));
  const answer = await mara.post('/staff/class-taps', { taps: JSON.stringify({ sentMs: 1_000, taps }) });
  expect(await answer.json()).toEqual({ results: Object.fromEntries(taps.map(({ key }) => [key, null])) });
  expect((await marks()).slice(0, 2)).toEqual(['excused', 'present']);
  // One tap on one person is meant for them, whatever was marked before.
  const { onlyUnmarked: _, ...meant } = { ...tap, placeId: ada, key: crypto.randomUUID() };
  await mara.post('/staff/class-taps', { taps: JSON.stringify({ sentMs: 1_000, taps: [meant] }) });
  expect((await marks())[0]).toBe('present');
});

test('P68: nobody marks in the class of another instructor, or before its day', async () => {
  const { slug: teachesAs } = await academy.database.db
    .selectFrom('instructors')
    .select('slug')
    .where(
      'slug',
      'not in',
      academy.database.db.selectFrom('course_dates').select('instructor_slug').where('slug', '=', slug),
    )
    .executeTakeFirstOrThrow();
  const another = await signInStaff(academy, 'hamish@example.com', 'Hamish', { role: 'instructor', teachesAs });
  expect((await another.get(`/staff/classes/${slug}`)).status).toBe(404);
  const posted = await another.post(`/staff/classes/${slug}`, await own('all', undefined, office));
  expect(posted.status).toBe(404);
  expect(await page(`/staff/classes/${slug}?day=2025-09-09`)).toContain('This day has not come yet.');
});

test('P59: staff give a class that has begun to another instructor, who marks it from then on', async () => {
  const { db } = academy.database;
  const courseDate = db.selectFrom('course_dates').select('instructor_slug').where('slug', '=', slug);
  const { instructor_slug: former } = await courseDate.executeTakeFirstOrThrow();
  const another = db.selectFrom('instructors').select('slug').where('slug', '<>', former).orderBy('slug', 'desc');
  const { slug: teachesAs } = await another.where('retired_at', 'is', null).executeTakeFirstOrThrow();
  const sol = await signInStaff(academy, 'sol@example.com', 'Sol Substitute', { role: 'instructor', teachesAs });
  expect((await sol.get(`/staff/classes/${slug}`)).status).toBe(404);
  const owner = await signInStaff(academy, 'owner@example.com', 'Oona Owner');
  const move = `/staff/course-dates/${slug}/move`;
  expect(await page(`/staff/course-dates/${slug}`, owner)).toContain('Change the instructor');
  const opened = await page(move, owner);
  expect(opened).toContain('The new instructor sees this class and marks it from now on');
  expect(opened).toContain('No money changes.');
  expect(opened).not.toMatch(/type="date"|full refund/);
  const give = async (instructor: string) => {
    const html = await page(move, owner);
    const hidden = [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const fixed = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return owner.post(move, { ...fixed, ...carriedBy(html, 'move'), instructor, reason: 'Mara is ill.' });
  };
  const [ada] = places;
  const minuteAgo = (mark: string, minutes: number) => {
    const sentMs = 60_000_000;
    const tap = { key: crypto.randomUUID(), slug, placeId: ada, day: today, mark, tappedMs: sentMs - minutes * 60_000 };
    return mara.post('/staff/class-taps', { taps: JSON.stringify({ sentMs, taps: [tap] }) });
  };
  expect((await give(teachesAs)).status).toBe(303);
  const told = await db
    .selectFrom('mails')
    .select(['recipient', 'subject'])
    .where('kind', '=', 'class-changed')
    .execute();
  expect(told.map(({ recipient, subject }) => `${recipient} ${subject.split(':')[0]}`).sort()).toEqual([
    'mara@example.com No longer your class',
    'sol@example.com You teach this class',
  ]);
  // What Mara tapped without a network before that still counts; what she taps now does not.
  expect(Object.values((await (await minuteAgo('absent', 30)).json()).results)).toEqual([null]);
  expect(Object.values((await (await minuteAgo('present', 0)).json()).results)).toEqual([
    expect.stringContaining('another instructor has it now'),
  ]);
  await sol.post(`/staff/classes/${slug}/details`, {
    ...(await own('details', `/staff/classes/${slug}/details`, sol)),
    [`mark-${ada}`]: 'excused',
  });
  expect((await marks())[0]).toBe('excused');
  expect((await mara.get(`/staff/classes/${slug}`)).status).toBe(404);
  expect((await give(former)).status).toBe(303);
});

test('P80: an instructor reads who can write to everybody in the class, and cannot do it themselves', async () => {
  const words = 'Owners and admissions can write to everybody in this course date.';
  for (const at of [`/staff/classes/${slug}`, `/staff/course-dates/${slug}`]) {
    const text = async (by: SignedIn) => (await page(at, by)).replaceAll('<!-- -->', '');
    expect([at, (await text(mara)).includes(words), (await text(office)).includes(words)]).toEqual([at, true, false]);
  }
  expect((await mara.get(`/staff/course-dates/${slug}/message`)).status).toBe(403);
  expect((await mara.post(`/staff/course-dates/${slug}/message`, { act: 'send' })).status).toBe(403);
});

test('P59: after the last day an instructor reads the marks, and nothing asks to write them or leads into the class', async () => {
  const { db } = academy.database;
  const link = 'https://class.example/late';
  const [ada] = places;
  const open = db.updateTable('course_dates').set({ joining_link: link }).where('slug', '=', slug);
  await open.execute();
  expect(await page(`/staff/classes/${slug}`)).toContain(link);
  await db
    .updateTable('course_dates')
    .set({ starts_on: '2025-09-01', ends_on: '2025-09-03', enrolment_ends_on: '2025-09-01' })
    .where('slug', '=', slug)
    .execute();
  const path = `/staff/classes/${slug}/details?day=2025-09-03`;
  const fields = { day: '2025-09-03', [`mark-${ada}`]: 'present', [`late-${ada}`]: '12', reason: 'They told us.' };
  expect((await office.post(path, { ...(await own('details', path, office)), ...fields })).status).toBe(303);

  const text = await page(path);
  expect(text).toContain('Here, 12 min late');
  for (const asked of ['Write how many minutes', 'Correct marks', 'name="mark-']) {
    expect(text.includes(asked), asked).toBe(false);
  }
  expect(await page(path, office)).toContain('Write how many minutes');
  expect(await page(`/staff/classes/${slug}`)).not.toContain(link);
});
