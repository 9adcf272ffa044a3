import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron', { role: 'admissions' });
});
afterAll(() => academy.close());

const count = async () => (await academy.database.db.selectFrom('course_dates').select('id').execute()).length;

/** A new member of the staff, with nothing to teach yet. */
async function teacher(slug: string): Promise<string> {
  const { db } = academy.database;
  const row = await db.selectFrom('instructors').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('instructors')
    .values({ ...row, slug, name: `Teacher ${slug}` })
    .execute();
  return slug;
}

/** Tuesday to Thursday, 9 to 11 March 2027, online from Brisbane. */
const march = {
  act: 'new',
  course: 'cissp',
  startDate: '2027-03-09',
  endDate: '2027-03-11',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: '60',
  delivery: 'online',
  venue: '',
  enrolmentEnds: '2027-03-05',
  decidedBy: '2027-02-23',
  capacity: '8',
  minimum: '3',
  room: '',
  street: '',
  joiningLink: '',
};
/** Wednesdays, 3 to 24 March 2027. */
const hour = {
  act: 'new',
  course: 'ccsp',
  firstOn: '2027-03-03',
  lastOn: '2027-03-24',
  startsAt: '16:00',
  minutes: '60',
  zone: 'Australia/Brisbane',
  link: 'https://live.example/ccsp',
};
/** What a page sends when its box is ticked, for the clashes that it names; null without a box. */
function ticking(html: string): { sure: string; clashes: string } | null {
  const box = /<input[^>]*name="sure"[^>]*>/.exec(html)?.[0];
  const valueIn = (input: string | undefined) => /value="([^"]+)"/.exec(input ?? '')?.[1] ?? '';
  return box ? { sure: valueIn(box), clashes: valueIn(/<input[^>]*name="clashes"[^>]*>/.exec(html)?.[0]) } : null;
}
const send = async (path: string, fields: Record<string, string>) => {
  const form = carriedBy(await (await ada.get(path)).text(), 'new');
  const answer = await ada.post(path, { ...form, ...fields });
  const ticked = ticking(await answer.clone().text());
  return { status: answer.status, to: answer.headers.get('Location') ?? '', text: await mainText(answer), ticked };
};

test('P77: one new course date that clashes with another of its instructor needs a second confirmation', async () => {
  const instructor = await teacher('new-date');
  const may = { startDate: '2027-05-11', endDate: '2027-05-13', enrolmentEnds: '2027-05-07', decidedBy: '2027-04-27' };
  const first = await send('/staff/course-dates/new', { ...march, ...may, instructor });
  expect(first.status).toBe(303);
  const before = await count();
  const other = { ...march, ...may, course: 'comptia-security-plus', instructor };
  const refused = await send('/staff/course-dates/new', other);
  expect([refused.status, await count()]).toEqual([409, before]);
  expect(refused.text).toContain('11 to 13 May 2027 has the same instructor. Tick this box if you mean it.');
  expect((await send('/staff/course-dates/new', { ...other, ...refused.ticked })).status).toBe(303);
  expect(await count()).toBe(before + 1);
});

test('P77: a day that is a public holiday or years away is asked about before a date is made there', async () => {
  const instructor = await teacher('odd-days');
  const boxing = { startDate: '2026-12-28', endDate: '2026-12-29', enrolmentEnds: '2026-12-20', decidedBy: '' };
  const far = { startDate: '2062-03-07', endDate: '2062-03-08', enrolmentEnds: '2062-03-01', decidedBy: '' };
  for (const [days, question] of [
    [boxing, '28 December 2026 is a public holiday: Boxing Day'],
    [far, 'It begins in more than two years.'],
  ] as const) {
    const refused = await send('/staff/course-dates/new', { ...march, ...days, instructor });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(question)]);
    expect((await send('/staff/course-dates/new', { ...march, ...days, instructor, ...refused.ticked })).status).toBe(
      303,
    );
  }
});

test('P77: a live hour during a course date of its instructor is named from both sides, and on a day off it is free', async () => {
  const instructor = await teacher('both-sides');
  const { db } = academy.database;
  expect((await send('/staff/course-dates/new', { ...march, instructor })).status).toBe(303);
  const hours = async () => (await db.selectFrom('live_hours').select('id').execute()).length;
  const refused = await send('/staff/live-hours/new', { ...hour, instructor });
  expect([refused.status, await hours()]).toEqual([409, 0]);
  expect(refused.text).toContain('9 to 11 March 2027 has the same instructor. Tick this box if you mean it.');
  // At the minute in which the class ends it is not in the way.
  const evening = await send('/staff/live-hours/new', { ...hour, instructor, startsAt: '17:00' });
  expect(evening.status).toBe(303);
  const late = { ...march, course: 'comptia-security-plus', startTime: '17:30', endTime: '20:00', breakMinutes: '0' };
  const seen = await send('/staff/course-dates/new', { ...late, instructor });
  expect(seen.status).toBe(409);
  expect(seen.text).toContain('live hour of');
  expect(seen.text).toContain('10 March 2027 has the same instructor');
  // In a series it stands in the column of what is in its way, with a link.
  const series = { ...late, instructor, count: '1', everyWeeks: '1' };
  const preview = await (await ada.get(`/staff/course-dates/series?${new URLSearchParams(series)}`)).text();
  expect(preview).toContain(`href="${evening.to}"`);
  // Another live hour at the same time.
  const twice = await send('/staff/live-hours/new', { ...hour, instructor, startsAt: '17:30' });
  expect(twice.status).toBe(409);
  expect(twice.text).toContain('3 March 2027 has the same instructor');

  const page = await (await ada.get(evening.to)).text();
  const off = { ...carriedBy(page, 'off'), day: '2027-03-10', reason: 'Class that evening' };
  expect((await ada.post(evening.to, off)).status).toBe(303);
  expect((await send('/staff/course-dates/new', { ...late, instructor })).status).toBe(303);
});

test('P77: a move onto days that clash is refused until it is meant, and the calendar marks what clashes', async () => {
  const instructor = await teacher('moved');
  expect((await send('/staff/live-hours/new', { ...hour, instructor })).status).toBe(303);
  const april = {
    startDate: '2027-04-13',
    endDate: '2027-04-15',
    enrolmentEnds: '2027-04-09',
    decidedBy: '2027-03-30',
  };
  const { to } = await send('/staff/course-dates/new', { ...march, ...april, instructor });
  const form = carriedBy(await (await ada.get(`${to}/move`)).text(), 'move');
  const { course, capacity, minimum, room, street, joiningLink, act, ...times } = march;
  const asked = { ...form, ...times, act: 'move', instructor, reason: '' };
  const look = await mainText(await ada.get(`${to}/move?${new URLSearchParams({ ...times, instructor })}`));
  expect(look).toContain('The instructor teaches: live hour of');
  const refused = await ada.post(`${to}/move`, asked);
  const ticked = ticking(await refused.clone().text());
  expect([refused.status, await mainText(refused)]).toEqual([409, expect.stringContaining('has the same instructor')]);
  expect((await ada.post(`${to}/move`, { ...asked, ...ticked })).status).toBe(303);
  const calendar = `/staff/course-dates/calendar?view=week&on=2027-03-09&of=${encodeURIComponent('Teacher moved')}`;
  expect(await mainText(await ada.get(calendar))).toContain('Clash: ');
});

test('P77: confirming one clash asks again about another, which the page names', async () => {
  const instructor = await teacher('ticked');
  const june = { startDate: '2027-06-15', endDate: '2027-06-17', enrolmentEnds: '2027-06-11', decidedBy: '2027-06-01' };
  const july = { startDate: '2027-07-13', endDate: '2027-07-15', enrolmentEnds: '2027-07-09', decidedBy: '2027-06-29' };
  for (const days of [june, july]) {
    expect((await send('/staff/course-dates/new', { ...march, ...days, instructor })).status).toBe(303);
  }
  const before = await count();
  const other = { ...march, course: 'comptia-security-plus', instructor };
  const first = await send('/staff/course-dates/new', { ...other, ...june });
  expect(first.text).toContain('15 to 17 June 2027 has the same instructor.');
  // Refused for another field, the box stays ticked for what it named.
  const faulty = await send('/staff/course-dates/new', { ...other, ...june, ...first.ticked, capacity: 'many' });
  expect([faulty.status, faulty.ticked]).toEqual([400, first.ticked]);
  const again = await send('/staff/course-dates/new', { ...other, ...july, ...first.ticked });
  expect([again.status, await count()]).toEqual([409, before]);
  expect(again.text).toContain('13 to 15 July 2027 has the same instructor.');
  expect(again.ticked).not.toEqual(first.ticked);
  expect((await send('/staff/course-dates/new', { ...other, ...july, ...again.ticked })).status).toBe(303);

  // The same for a live hour: Wednesdays of June, then of July.
  const wish = { ...hour, instructor, firstOn: '2027-06-16', lastOn: '2027-06-16' };
  const hours = await send('/staff/live-hours/new', wish);
  expect(hours.text).toContain('15 to 17 June 2027 has the same instructor.');
  const later = { ...wish, firstOn: '2027-07-14', lastOn: '2027-07-14', ...hours.ticked };
  const asked = await send('/staff/live-hours/new', later);
  expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('13 to 15 July 2027')]);
  expect((await send('/staff/live-hours/new', { ...later, ...asked.ticked })).status).toBe(303);
});

test('P77: a room given later that is taken is refused until it is meant; giving only the link asks nothing', async () => {
  const both = { ...march, delivery: 'both', venue: 'Brisbane', startDate: '2027-08-17', endDate: '2027-08-19' };
  const days = { enrolmentEnds: '2027-08-13', decidedBy: '2027-08-03' };
  const room = { room: 'Level 4, Room 4.2', street: '120 Edward Street' };
  const taken = await send('/staff/course-dates/new', {
    ...both,
    ...days,
    ...room,
    instructor: await teacher('in-room'),
  });
  expect(taken.status).toBe(303);
  const course = 'comptia-security-plus';
  const { to } = await send('/staff/course-dates/new', {
    ...both,
    ...days,
    course,
    instructor: await teacher('later'),
  });
  const give = async (fields: Record<string, string>) => {
    const form = { ...carriedBy(await (await ada.get(to)).text(), 'joining-details'), joiningLink: '', ...fields };
    const answer = await ada.post(to, form);
    return { status: answer.status, ticked: ticking(await answer.clone().text()), text: await mainText(answer) };
  };
  const slug = to.split('/').at(-1) ?? '';
  const roomNow = async () =>
    (await academy.database.db.selectFrom('course_dates').select('room').where('slug', '=', slug).execute())[0];
  const refused = await give(room);
  expect([refused.status, await roomNow()]).toEqual([409, { room: null }]);
  expect(refused.text).toContain('17 to 19 August 2027 has the same room. Tick this box if you mean it.');
  expect((await give({ ...room, ...refused.ticked })).status).toBe(303);
  expect(await roomNow()).toEqual({ room: 'Level 4, Room 4.2' });
  expect((await give({ ...room, joiningLink: 'https://live.example/august' })).status).toBe(303);
});
