import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { markDay } from '#app/features/study/marking.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, momentAt, placeIn as place, seatIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff, staffActor } from '#tests/support/staff.ts';

// The record of a course date, and what is printed for it (P84). The clock stands at 8 September 2025, 9:00.
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await by.get(path)).text();
const course = 'comptia-security-plus';
/** What the words of a page say, without their tags. */
const words = (html: string) =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main>'))
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

async function courseDateOf(wish: Parameters<typeof makeCourseDate>[1], parts: Parameters<typeof place>[2]) {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course, ...wish });
  const { reference } = await place(db, courseDate, parts);
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  return { courseDate, reference, path: `/staff/course-dates/${slug}`, slug };
}
const three = {
  attendees: [
    attendee({ name: 'Mary Shelley', needs: 'Hearing loop' }),
    attendee({ name: 'Percy Shelley' }),
    attendee({ name: null }),
  ],
};

test('the record shows attendees, the marks of each day, the debt once, and what is left to do', async () => {
  const { db } = academy.database;
  // It began today.
  const { courseDate, path, slug, reference } = await courseDateOf(
    { startsOn: '2025-09-09', joiningLink: null },
    three,
  );
  await db
    .updateTable('course_dates')
    .set({ starts_on: '2025-09-08', ends_on: '2025-09-10' })
    .where('id', '=', courseDate.id)
    .execute();
  const [{ id: first } = { id: 0 }, { id: second } = { id: 0 }] = await db
    .selectFrom('places')
    .select('id')
    .where('course_date_id', '=', courseDate.id)
    .orderBy('id')
    .execute();
  const mark = (placeId: number, minutesLate: number) =>
    db.transaction().execute((trx) =>
      markDay(
        trx,
        {
          placeId,
          courseDateId: courseDate.id,
          day: '2025-09-08',
          mark: 'present',
          minutesLate,
          minutesLeftEarly: 0,
          key: crypto.randomUUID(),
          tap: null,
          reason: '',
        },
        { actor: staffActor({ id: ada.id, name: 'Ada' }), now: academy.services.academy.clock.now() },
      ),
    );
  expect(await mark(first, 0)).toMatchObject({ ok: true });
  expect(await mark(second, 80)).toMatchObject({ ok: true });
  const text = words(await page(path));
  for (const part of [
    '3 people',
    'Monday 8 September 2025',
    'from 10:20 AM',
    'Set the link',
    '1 name missing',
    '1 mark of attendance missing',
    '1 enrolment owes AU$6,897.00',
    'Needs: Hearing loop',
    '4 of 4 open',
  ]) {
    expect(text.includes(part), part).toBe(true);
  }
  // Three people of one enrolment, which owes once.
  expect(text.match(/ 6,897\.00 /g)).toHaveLength(1);
  expect(text.match(/ here /g)).toHaveLength(1);
  expect(text.match(/ not marked /g)).toHaveLength(1);
  expect(text.includes(reference)).toBe(true);
  expect((await page(path)).includes(`/staff/course-dates/series?like=${slug}`)).toBe(true);
});

test('P39: before a date is confirmed nothing is due, so its page has no task; a debt for several dates is named as that', async () => {
  const undecided = await courseDateOf({ startsOn: '2025-12-01', minimum: 5, decidedBy: '2025-11-10' }, {});
  const before = words(await page(undecided.path));
  expect(before).toContain('Nothing is due yet');
  expect(before).toContain('2,299.00, not due yet');

  const { db } = academy.database;
  const { enrolmentId } = await db
    .selectFrom('places')
    .select('enrolment_id as enrolmentId')
    .where('course_date_id', '=', undecided.courseDate.id)
    .executeTakeFirstOrThrow();
  const sure = await makeCourseDate(db, { course, startsOn: '2026-02-02' });
  const addition = {
    enrolmentId,
    choices: [seatIn(sure)],
    attendee: attendee(),
    shownCents: 229_900,
    actor: theProgram,
  };
  await db.transaction().execute((trx) => addAttendee(trx, addition, momentAt('2025-09-09T09:00')));
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', sure.id)
    .executeTakeFirstOrThrow();
  const text = words(await page(`/staff/course-dates/${slug}`));
  expect(text).toContain('1 enrolment owes AU$2,299.00, also for other courses');
  expect(text).toContain('4,598.00 in all');
});

test('P84: the sheet has a column a day and no money, and needs on the instructor’s copy only', async () => {
  const { path } = await courseDateOf({ startsOn: '2025-11-24' }, three);
  const sheet = await page(`${path}/sheet`);
  const text = words(sheet);
  for (const part of ['Mary Shelley', 'Percy Shelley', 'Mon 24 Nov', 'Tue 25 Nov', 'Fri 28 Nov', '3 people']) {
    expect(text.includes(part), part).toBe(true);
  }
  expect([text.includes('AU$'), text.includes('Hearing loop')]).toEqual([false, false]);
  expect(words(await page(`${path}/sheet?needs=yes`)).includes('Hearing loop')).toBe(true);
});

test('P84: name cards are eight a page, with an empty line for who is not named yet', async () => {
  const five = Array.from({ length: 5 }, (_, at) => attendee({ name: `Person Number ${at}` }));
  const { path, courseDate } = await courseDateOf({ startsOn: '2025-12-01', capacity: 10 }, { attendees: five });
  await place(academy.database.db, courseDate, { attendees: [...five.slice(0, 3), attendee({ name: null })] });
  const html = await page(`${path}/name-cards`);
  expect([...html.matchAll(/aria-label="Page (\d)"/g)].map(([, number]) => number)).toEqual(['1', '2']);
  expect(html.match(/class="name-card"/g)).toHaveLength(9);
  expect(words(html).includes('1 name is not known yet')).toBe(true);
});

test('P84: a long name is printed smaller, so that it does not run into the next card', async () => {
  const long = 'Maximiliana-Constantina Featherstonehaugh-Cholmondeley von und zu Hohenlohe-Schillingsfürst';
  const { path } = await courseDateOf(
    { startsOn: '2025-12-08', capacity: 10 },
    { attendees: [attendee({ name: 'Mary Shelley' }), attendee({ name: long })] },
  );
  const html = await page(`${path}/name-cards`);
  const sizes = [...html.matchAll(/data-smaller="(\d)"><b[^>]*>([^<]*)</g)].map(([, size, name]) => [name, size]);
  expect(Object.fromEntries(sizes)).toEqual({ 'Mary Shelley': '0', [long]: '2' });
});

test('sheets and cards are for the people of the class: an editor gets none, an instructor their own', async () => {
  const { db } = academy.database;
  const { path, courseDate } = await courseDateOf({ startsOn: '2025-11-10' }, three);
  const { instructor_slug: teachesAs } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const editor = await signInStaff(academy, 'edith@example.com', 'Edith', { role: 'editor' });
  const own = await signInStaff(academy, 'inge@example.com', 'Inge', { role: 'instructor', teachesAs });
  const [{ slug: another } = { slug: '' }] = await db
    .selectFrom('instructors')
    .select('slug')
    .where('slug', '<>', teachesAs)
    .execute();
  const other = await signInStaff(academy, 'otto@example.com', 'Otto', { role: 'instructor', teachesAs: another });
  for (const sheet of ['sheet', 'name-cards']) {
    const statuses = [editor, own, other].map(async (by) => (await by.get(`${path}/${sheet}`)).status);
    expect(await Promise.all(statuses), sheet).toEqual([403, 200, 404]);
  }
});

const mailCount = async () => (await academy.database.db.selectFrom('mails').select('id').execute()).length;
const named = {
  attendees: [attendee({ name: 'Mary Shelley', email: 'mary@example.org' })],
  buyer: { name: 'Percy Shelley', email: 'percy@example.org', phone: null },
};

test('P40: before a course date is cancelled its page shows the very mails, and nothing is stored until the button', async () => {
  const { db } = academy.database;
  const { path, courseDate } = await courseDateOf({ startsOn: '2026-02-02' }, named);
  const before = await mailCount();
  const html = await page(`${path}/cancel`);
  const text = words(html);
  for (const part of [
    'percy@example.org',
    'mary@example.org',
    'We had to cancel',
    // The instructor's too.
    '3 emails',
    'write to 3',
    'No longer owed',
  ]) {
    expect(text.includes(part), part).toBe(true);
  }
  expect(text.includes('2,299.00')).toBe(true);
  const stored = () =>
    db.selectFrom('course_dates').select('state').where('id', '=', courseDate.id).executeTakeFirstOrThrow();
  expect([await mailCount(), await stored()]).toEqual([before, { state: 'confirmed' }]);
  const reason = 'Too few people enrolled. We are sorry.';
  const sent = await ada.post(`${path}/cancel`, { ...carriedBy(html, 'cancel'), reason });
  expect(sent.status).toBe(303);
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'place-course-date-cancelled')
    .orderBy('recipient')
    .execute();
  expect(mails.map(({ recipient, body_text }) => [recipient, body_text.includes(reason)])).toEqual([
    ['mary@example.org', true],
    ['percy@example.org', true],
  ]);
});

test('P40, P77: before a course date is moved its page shows who cannot come, what clashes, and the mails', async () => {
  const { db } = academy.database;
  const { path } = await courseDateOf({ startsOn: '2026-03-02' }, named);
  const other = await courseDateOf(
    { course: 'cissp', startsOn: '2026-04-13' },
    { ...named, buyer: { ...named.buyer, email: 'p@example.net' } },
  );
  const opened = await page(`${path}/move`);
  expect(words(opened).includes('write to')).toBe(false);
  const { instructor_slug: instructor } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('slug', '=', other.slug)
    .executeTakeFirstOrThrow();
  const days = {
    startDate: '2026-04-13',
    endDate: '2026-04-17',
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: '0',
    delivery: 'online',
    venue: '',
    instructor,
    enrolmentEnds: '2026-04-10',
    decidedBy: '',
    reason: 'The room is not available.',
  };
  const before = await mailCount();
  const look = await page(`${path}/move?${new URLSearchParams(days)}`);
  const text = words(look);
  for (const part of [
    '1 person is in another class then',
    'Clash. The instructor teaches: ',
    'No public holiday there',
    'write to 3',
    'The room is not available.',
    'If all choose a refund',
  ]) {
    expect(text.includes(part), part).toBe(true);
  }
  expect(look.includes('value="2026-04-13"')).toBe(true);
  const later = await page(
    `${path}/move?${new URLSearchParams({ ...days, startDate: '2026-03-02', endDate: '2026-03-06', enrolmentEnds: '2026-03-01', instructor, startTime: '10:00' })}`,
  );
  expect(words(later).includes('1 person is in another class then')).toBe(false);
  // Later than before, and enrolment ends as if it were not.
  const [, ends = ''] = /name="enrolmentEnds"[^>]*value="([\d-]+)"/.exec(opened) ?? [];
  const unsaid = await page(`${path}/move?${new URLSearchParams({ ...days, enrolmentEnds: ends })}`);
  expect([words(unsaid).includes('Enrolment still ends '), text.includes('Enrolment still ends ')]).toEqual([
    true,
    false,
  ]);
  const wrong = await page(`${path}/move?${new URLSearchParams({ ...days, endDate: '2026-04-01' })}`);
  expect(words(wrong).includes('No public holiday there')).toBe(false);
  expect(words(wrong).includes('Last day lies before first day.')).toBe(true);
  expect(await mailCount()).toBe(before);
  // The clash is named once more, with a box to tick (P77).
  const asked = await ada.post(`${path}/move`, { ...carriedBy(look, 'move'), ...days });
  expect(asked.status).toBe(409);
  const again = await asked.text();
  const [, sure = ''] = /<input[^>]*name="sure"[^>]*value="([^"]+)"/.exec(again) ?? [];
  const moved = await ada.post(`${path}/move`, { ...carriedBy(again, 'move'), ...days, sure });
  expect(moved.status).toBe(303);
  const mails = await db
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'place-course-date-moved')
    .execute();
  expect(mails.map(({ body_text }) => body_text.includes('The room is not available.'))).toEqual([true, true]);
  // The enrolment's own page says who did it, and leads to the date.
  const { reference } = await db
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .innerJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select('reference')
    .where('course_dates.slug', '=', path.replace('/staff/course-dates/', ''))
    .executeTakeFirstOrThrow();
  const happened = words(await page(`/staff/enrolments/${reference}`));
  expect(happened).toMatch(/Ada \w+ changed the course date : from 2 March 2026 ?, to 13 April 2026/);
});

test('P84: a date that nobody bought has sold nothing yet; the list for printing is reached by keyboard', async () => {
  const { db } = academy.database;
  const { id } = await makeCourseDate(db, { course, startsOn: '2025-11-03' });
  const { slug } = await db.selectFrom('course_dates').select('slug').where('id', '=', id).executeTakeFirstOrThrow();
  const text = words(await page(`/staff/course-dates/${slug}`));
  expect([text.includes('Sold Nothing yet In public'), text.includes('Everything is paid')]).toEqual([true, false]);

  const { path } = await courseDateOf({ startsOn: '2025-11-10' }, three);
  expect(await page(`${path}/attendees`)).toMatch(/<div tabindex="0"[^>]*><table aria-label="Attendees"/i);
});
