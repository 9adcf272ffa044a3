import { afterAll, beforeAll, expect, test } from 'vitest';
import { academyDay } from '#app/lib/academy-day.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Course dates as a series, a term copied, and the calendar for staff (P77). The clock stands at 8 September 2025.
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await by.get(path)).text();
/** What the form of a preview carries, with the name of what it shows. */
const shownBy = (html: string) => ({
  ...carriedBy(html, 'make'),
  shown: /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? '',
});
const count = async () => (await academy.database.db.selectFrom('course_dates').select('id').execute()).length;
const made = () =>
  academy.database.db
    .selectFrom('course_dates')
    .select(['slug', 'starts_on', 'ends_on', 'starts_at', 'zone', 'decided_by', 'enrolment_ends_on', 'room'])
    .where('starts_on', '>=', '2027-01-01')
    .orderBy('starts_on')
    .execute();

/** Fridays from 19 March 2027: the 26th is Good Friday, and on 4 April summer time ends in Sydney. */
const fridays = {
  course: 'cissp',
  startDate: '2027-03-19',
  endDate: '2027-03-19',
  startTime: '09:00',
  endTime: '11:00',
  breakMinutes: '0',
  delivery: 'in-person',
  venue: 'Sydney',
  enrolmentEnds: '2027-03-17',
  decidedBy: '2027-03-05',
  capacity: '8',
  minimum: '3',
  room: 'Level 9, room 9.2',
  street: '66 Goulburn Street',
  count: '4',
  everyWeeks: '1',
};
const address = (fields: Record<string, string>) => `/staff/course-dates/series?${new URLSearchParams(fields)}`;

test('P77: a series skips a holiday, names a clash before saving, and is made as a whole or not at all', async () => {
  const { db } = academy.database;
  const [{ slug: instructor } = { slug: '' }] = await db
    .selectFrom('instructors')
    .select('slug')
    .orderBy('slug')
    .execute();
  const before = await count();
  const series = address({ ...fridays, instructor });
  const preview = await page(series);
  for (const text of [
    '19 March 2027',
    '2 April 2027',
    '9 April 2027',
    '16 April 2027',
    'Good Friday',
    'Make 4 course dates',
  ]) {
    expect(preview.includes(text), text).toBe(true);
  }
  // The same wall time, in summer time and after it.
  expect(preview.match(/9:00 AM to 11:00 AM AEDT/g)).toHaveLength(2);
  expect(preview.match(/9:00 AM to 11:00 AM AEST/g)).toHaveLength(2);
  expect(await count()).toBe(before);
  const ticks = { 'take-0': 'on', 'take-1': 'on', 'take-2': 'on', 'take-3': 'on' };
  const result = await ada.post(series, { ...shownBy(preview), ...ticks });
  expect([result.status, result.headers.get('Location')]).toEqual([
    303,
    expect.stringMatching(/^\/staff\/course-dates\?starts-from=2027-03-19&starts-before=2027-/),
  ]);
  expect(
    (await made()).map((row) => [row.starts_on, row.starts_at.slice(0, 5), row.decided_by, row.enrolment_ends_on]),
  ).toEqual([
    ['2027-03-19', '09:00', '2027-03-05', '2027-03-17'],
    ['2027-04-02', '09:00', '2027-03-19', '2027-03-31'],
    ['2027-04-09', '09:00', '2027-03-25', '2027-04-07'],
    ['2027-04-16', '09:00', '2027-04-02', '2027-04-14'],
  ]);

  // Online from Brisbane, 10:00 to 12:00: 9 to 11 in Sydney is 8 to 10 there in summer time, and 9 to 11 afterwards.
  const other = { ...fridays, course: 'comptia-security-plus', delivery: 'online', venue: '', room: '', street: '' };
  const clashing = address({ ...other, instructor, startTime: '10:00', endTime: '12:00', count: '5' });
  const seen = await page(clashing);
  expect(seen.match(/Same instructor/g)).toHaveLength(2);
  expect(seen.includes('Same room')).toBe(false);
  const all = { ...ticks, 'take-4': 'on' };
  const refused = await ada.post(clashing, { ...shownBy(seen), ...all });
  const why = await refused.text();
  expect([refused.status, why.includes('in the way of 2 of the ticked dates')]).toEqual([409, true]);
  expect(await count()).toBe(before + 4);
  const sure = await ada.post(clashing, { ...shownBy(why), ...all, sure: 'yes' });
  expect(sure.status).toBe(303);
  expect(await count()).toBe(before + 9);

  // What was shown is not what there is any more.
  const late = await ada.post(clashing, {
    ...shownBy(seen),
    ...all,
    sure: 'yes',
    [tokenField]: crypto.randomUUID(),
  });
  expect([late.status, await count()]).toEqual([409, before + 9]);
});

test('P77: the faults of a series are shown at its fields, and no date of a faulty one can be made', async () => {
  const before = await count();
  const wrong = await page(address({ ...fridays, instructor: '', count: '0' }));
  for (const text of ['Enter who teaches it.', 'The least is 1.']) expect(wrong.includes(text), text).toBe(true);
  const late = await page(address({ ...fridays, instructor: 'nobody', decidedBy: '2027-03-18' }));
  expect(late.match(/Cannot be made/g)?.length).toBeGreaterThan(3);
  expect(late.includes('name="take-0"')).toBe(false);
  const forged = await ada.post(address({ ...fridays, instructor: 'nobody' }), {
    ...shownBy(await page(address({ ...fridays, instructor: 'nobody' }))),
    'take-0': 'on',
    sure: 'yes',
  });
  expect([forged.status, await count()]).toEqual([409, before]);
});

test('P77: one course date is duplicated with all but its days', async () => {
  const [first] = await made();
  const form = await page(`/staff/course-dates/series?like=${first?.slug}`);
  for (const value of ['Level 9, room 9.2', '66 Goulburn Street', '09:00', '11:00']) {
    expect(form.includes(`value="${value}"`), value).toBe(true);
  }
  expect(form.includes('value="2027-03-19"')).toBe(false);
});

test('P77: a term is copied so many weeks on, a copy that meets a holiday a week further', async () => {
  const before = await count();
  const term = '/staff/course-dates/copy?from=2027-03-15&to=2027-04-17&weeks=40';
  let preview = await page(term);
  // 40 weeks after Friday 19 March is 24 December; after 2 April it is 7 January 2028.
  expect(preview.includes('24 December 2027')).toBe(true);
  expect(preview.includes('7 January 2028')).toBe(true);
  // 56 weeks after it is Good Friday, 14 April 2028.
  const easter = await page('/staff/course-dates/copy?from=2027-03-15&to=2027-03-20&weeks=56');
  expect(easter.includes('21 April 2028')).toBe(true);
  expect(easter.includes('57 weeks later, because of Good Friday')).toBe(true);
  // Somebody confirmed the first date, then moved it: nobody has decided about its copy.
  const { db } = academy.database;
  const moved = db.selectFrom('course_dates').select('id').where('starts_on', '=', '2027-03-19').limit(1);
  const confirmed = { decided_by: null, confirmed_on: '2027-03-01' };
  await db.updateTable('course_dates').set(confirmed).where('id', 'in', moved).execute();
  preview = await page(term);
  expect(preview).toMatch(/Decided by Friday 10 December 2027/);
  const ticked = Object.fromEntries([...preview.matchAll(/name="(take-\d+)"/g)].map(([, name = '']) => [name, 'on']));
  const result = await ada.post(term, { ...shownBy(preview), ...ticked, sure: 'yes' });
  expect(result.status).toBe(303);
  expect(await count()).toBe(before + Object.keys(ticked).length);
  const rooms = (await made()).filter(({ starts_on }) => starts_on > '2027-12-01').map(({ room }) => room);
  expect(rooms.filter((room) => room === 'Level 9, room 9.2')).toHaveLength(4);
});

test('P77: the calendar shows weeks and months by instructor and room, with holidays and clashes', async () => {
  const month = await page('/staff/course-dates/calendar?on=2027-04-10');
  for (const text of ['April 2027', 'Clash: instructor twice', 'Anzac Day', 'cissp-sydney-2027-04-09']) {
    expect(month.includes(text), text).toBe(true);
  }
  const week = await page('/staff/course-dates/calendar?view=week&by=room&on=2027-04-10');
  for (const text of ['5 to 11 April 2027', 'Sydney, Level 9, room 9.2', '>Online<']) {
    expect(week.includes(text), text).toBe(true);
  }
  expect(week.includes('cissp-sydney-2027-04-16')).toBe(false);
  for (const wrong of ['2027-13-40', 'x', '9999-12-31']) {
    expect((await ada.get(`/staff/course-dates/calendar?on=${wrong}`)).status).toBe(200);
  }
  const { next } = await academy.database.db
    .selectFrom('course_dates')
    .select(({ fn }) => fn.min<string>('starts_on').as('next'))
    .where('ends_on', '>=', academyDay(academy.now()))
    .executeTakeFirstOrThrow();
  expect(await page('/staff/course-dates/calendar')).toContain(`on=${next}`);
  const [{ slug: own } = { slug: '' }] = await academy.database.db
    .selectFrom('instructors')
    .select('slug')
    .orderBy('slug', 'desc')
    .execute();
  const instructor = await signInStaff(academy, 'inge@example.com', 'Inge', { role: 'instructor', teachesAs: own });
  const theirs = await page('/staff/course-dates/calendar?on=2027-04-10', instructor);
  expect([theirs.includes('April 2027'), theirs.includes('cissp-sydney')]).toEqual([true, false]);
});

test('P77: in a month with many course dates each instructor has as many rows, and leads to all their own', async () => {
  const { db } = academy.database;
  const instructors = await db.selectFrom('instructors').select(['slug', 'name']).orderBy('slug').limit(2).execute();
  const [busy, calm] = instructors as [{ slug: string; name: string }, { slug: string; name: string }];
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'cissp').executeTakeFirstOrThrow();
  const dates = Array.from({ length: 130 }, (_, at) => ({
    slug: `many-${at}`,
    course_id: course.id,
    // Five dates fit in a row: they begin on the 1st, 7th, 13th, 19th and 25th.
    starts_on: `2029-05-${String(1 + (at % 5) * 6).padStart(2, '0')}`,
    ends_on: `2029-05-${String(3 + (at % 5) * 6).padStart(2, '0')}`,
    ...({ starts_at: '09:00', ends_at: '17:00', zone: 'Australia/Brisbane', delivery: 'online' } as const),
    instructor_slug: at < 125 ? busy.slug : calm.slug,
    ...{ capacity: 6, minimum: 1, enrolment_ends_on: '2029-04-30', confirmed_on: '2029-01-01' },
  }));
  await db.insertInto('course_dates').values(dates).execute();
  const drawn = (html: string) => new Set(html.match(/\/staff\/course-dates\/many-\d+/g)).size;
  const month = await page('/staff/course-dates/calendar?on=2029-05-10');
  // Of 25 rows of the one, 23 are drawn and so is the only row of the other: 24 rows of five are 120 dates.
  expect([month.includes('130 course dates'), drawn(month)]).toEqual([true, 120]);
  const [, more = ''] = /href="([^"]+)"[^>]*>and (?:<!-- -->)?10(?:<!-- -->)? more/.exec(month) ?? [];
  const theirs = await page(more.replaceAll('&amp;', '&'));
  expect([drawn(theirs), theirs.includes('Show all instructors')]).toEqual([125, true]);
  const rest = await page(`/staff/course-dates/calendar?on=2029-05-10&of=${encodeURIComponent(calm.name)}`);
  expect([drawn(rest), rest.includes('more</a>')]).toEqual([5, false]);
});
