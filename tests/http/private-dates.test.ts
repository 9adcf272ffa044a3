import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formatDays } from '#app/lib/dates.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { asker, customer, offerLinkOf } from '#tests/support/quotes.ts';
import { carriedBy, type SignedIn, signInStaff, staffActor } from '#tests/support/staff.ts';

/** P114: one date of a course without other dates, held for Councilworks. */
let academy: AcademyApp;
let ada: SignedIn;
let course: string;
let date: { id: number; courseId: number; slug: string };
let councilworks: number;
let otherworks: number;
const [startsOn, endsOn] = ['2026-02-11', '2026-02-15'];

beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  const { courses, courseDates } = academy.services.snapshot.current();
  const dated = new Set(courseDates.map(({ course: { slug } }) => slug));
  course = courses.find(({ card }) => card.category.slug !== 'job-guarantee' && !dated.has(card.slug))?.card.slug ?? '';
  const { db } = academy.database;
  const made = await makeCourseDate(db, { course, startsOn, capacity: 12 });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  date = { ...made, slug };
  councilworks = await organisation('Councilworks');
  otherworks = await organisation('Otherworks');
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(new Date('2025-09-08T09:00:00+10:00')));

async function organisation(legal_name: string): Promise<number> {
  const row = { legal_name, made_at: academy.now() };
  return (await academy.database.db.insertInto('organisations').values(row).returning('id').executeTakeFirstOrThrow())
    .id;
}

/** The addresses for everybody that list, count or draw course dates, and pages of every other kind. */
const addresses = () => [
  ...publicPages,
  `/course/${course}`,
  `/enrol?course=${course}`,
  `/quote?course=${course}`,
  `/ask-employer?course=${course}`,
  `/waiting-list?course=${course}`,
  `/courses?search=${course}`,
  '/courses?mode=online',
  '/training-calendar?show=2026-02',
  `/training-calendar?show=2026-02&date=${startsOn}`,
  `/training-calendar?course=${course}`,
  `/course/${course}/brochure.pdf`,
  '/training-calendar.ics',
  '/sitemap.xml',
  '/courses.atom',
  '/llms.txt',
  '/api/catalogue',
  '/api/courses',
  '/api/seats',
  `/api/suggestions?q=${course}`,
];
const names = (text: string) =>
  [date.slug, `${startsOn}T`, '20260211', formatDays(startsOn, endsOn), '11 Feb ·'].some((name) => text.includes(name));
const read = async (path: string) => (await academy.request(path)).text();
const naming = async () => {
  const found: string[] = [];
  for (const address of addresses()) if (names(await read(address))) found.push(address);
  return found;
};
const status = async (path: string) => (await academy.request(path)).status;
const knows = () => academy.services.snapshot.current().courseDates.some(({ id }) => id === date.id);
const own = () => `/training-calendar/${date.slug}`;

test('P114: a date for everybody is named in many public places, and held for one organisation in none', async () => {
  await until(knows);
  const named = await naming();
  for (const address of [`/course/${course}`, '/training-calendar.ics', '/sitemap.xml', '/llms.txt', '/api/seats'])
    expect(named).toContain(address);
  expect(await status(own())).toBe(200);
  await academy.database.db
    .updateTable('course_dates')
    .set({ organisation_id: councilworks })
    .where('id', '=', date.id)
    .execute();
  await until(() => !knows());
  expect(await naming()).toEqual([]);
  for (const path of [own(), `${own()}/course_date.ics`, `/share/course-date/${date.slug}.png`])
    expect(await status(path)).toBe(404);
});

test('P114: a stranger who sends its slug can neither enrol, nor get a quote, nor join a waiting list', async () => {
  const way = { [`way-${course}`]: `course-date:${date.slug}` };
  const { post, filled, ask } = customer(academy, '198.51.100.7');
  const enrol = await post('/enrol', await filled(`/enrol?course=${course}`, { ...way, attendees: '1' }));
  expect(enrol.status).toBe(400);
  // Its own page has no form for a quote: it has no date.
  expect((await ask('course=cissp', { ...way, item: `course:${course}` })).status).toBe(400);
  expect(await status(`/waiting-list?courseDate=${date.slug}`)).toBe(404);
  const waiting = await academy.submit(`/waiting-list?course=${course}`, {
    ...{ item: `course-date:${date.slug}`, courseDate: date.slug },
    ...{ name: 'Mallory', email: 'mallory@example.com', seats: '1' },
  });
  expect(waiting.status).toBeLessThan(400);
  const { db } = academy.database;
  expect(await db.selectFrom('waiting_entries').select('id').where('course_date_id', '=', date.id).execute()).toEqual(
    [],
  );
  expect(await db.selectFrom('seat_holds').select('id').where('course_date_id', '=', date.id).execute()).toEqual([]);
});

/** Sends a quote from the page of a date, for three people unless a test says otherwise. */
async function quoteFor(organisationId: number, email: string, fields = {}, slug = date.slug): Promise<Response> {
  const page = await (await ada.get(`/staff/course-dates/${slug}`)).text();
  const link = /\/staff\/offers\/new\?[^"]*/.exec(page)?.[0].replaceAll('&amp;', '&') ?? '';
  const written = {
    organisation: 'Councilworks',
    abn: '',
    address: '',
    lastDay: '2025-10-06',
    hold: 'last-day',
    words: '',
  };
  const { searchParams } = new URL(link, 'http://localhost');
  return ada.post(link, {
    ...{ form: crypto.randomUUID(), seen: '0', act: 'send', name: 'Grace Hopper', email, ...written },
    ...{ [`way-${date.courseId}`]: `course-date:${searchParams.get('date')}`, people: '3', discountPercent: '0' },
    ...{ organisationId: String(organisationId), replaces: '', draft: '', seatPrice: '', ...fields },
  });
}

test('P114: its quote is accepted by the organisation, whose page adds one more, and no other gets one', async () => {
  const refused = await quoteFor(otherworks, 'mallory@other.example');
  expect(await mainText(refused)).toContain('it is only for another organisation');
  expect((await quoteFor(councilworks, asker.email)).status).toBe(303);
  const { accept, get, placeOf } = customer(academy, '198.51.100.8');
  const offer = await offerLinkOf(academy, asker.email);
  const sheet = await mainText(await get(offer));
  expect(sheet).toContain(formatDays(startsOn, endsOn));
  expect(sheet).not.toContain('closed');
  const enrolment = placeOf(await accept(offer, asker.email));
  expect(enrolment).toMatch(/^\/enrolment\//);
  const page = await mainText(await get(enrolment));
  expect(page).toContain(formatDays(startsOn, endsOn));
  expect(page).toContain('Add a person At today’s price');
});

test('P114: its pages for staff say for whom it is; whoever may not see organisations makes none', async () => {
  const itsPage = `/staff/course-dates/${date.slug}`;
  for (const path of [
    itsPage,
    '/staff/course-dates?starts-from=2026-02-10',
    '/staff/course-dates/calendar?on=2026-02-11',
  ])
    expect(await (await ada.get(path)).text()).toContain('Councilworks');
  expect(await mainText(await ada.get(itsPage))).toContain('Only Councilworks gets new seats.');
  const editor = await signInStaff(academy, 'ed@example.com', 'Ed Itor', { role: 'editor' });
  const { instructor_slug: instructor } = await academy.database.db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', date.id)
    .executeTakeFirstOrThrow();
  const fields = {
    ...{ course, instructor, startDate: '2026-03-03', endDate: '2026-03-04', startTime: '09:00', endTime: '17:00' },
    ...{ breakMinutes: '60', delivery: 'online', venue: '', enrolmentEnds: '2026-03-02', decidedBy: '' },
    ...{ capacity: '8', minimum: '1', room: '', street: '', joiningLink: '', organisationId: String(councilworks) },
  };
  const make = async (by: SignedIn) => {
    const page = await by.get('/staff/course-dates/new');
    return by.post('/staff/course-dates/new', { ...carriedBy(await page.text(), 'new'), ...fields });
  };
  expect((await editor.get('/staff/course-dates/new')).status === 200 && (await make(editor)).status).not.toBe(303);
  const made = (await make(ada)).headers.get('Location') ?? '';
  expect(await mainText(await ada.get(made))).toContain('Only for Councilworks');
});

test('P114: only a place of its organisation moves to it', async () => {
  const { db } = academy.database;
  const other = await makeCourseDate(db, { course, startsOn: '2025-12-01' });
  const { reference, enrolmentId } = await placeIn(db, other);
  const { id } = await db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const path = `/staff/enrolments/${reference}/places/${id}/transfer`;
  const move = async () => {
    const page = await (await ada.get(`/staff/enrolments/${reference}`)).text();
    const seen = /name="seen" value="(\d+)"/.exec(page)?.[1] ?? '0';
    const fields = { act: 'transfer', because: 'us', courseDate: String(date.id) };
    return ada.post(path, { form: crypto.randomUUID(), seen, ...fields });
  };
  expect(await mainText(await ada.get(path))).not.toContain('Councilworks');
  expect((await move()).status).toBe(409);
  await db.updateTable('enrolments').set({ organisation_id: councilworks }).where('id', '=', enrolmentId).execute();
  expect(await mainText(await ada.get(path))).toContain('only for Councilworks');
  expect((await move()).status).toBe(303);
});

test('P114: staff enrol anybody there by hand, and the enrolment is its organisation’s', async () => {
  const { db } = academy.database;
  const actor = staffActor({ id: ada.id, name: 'Ada Byron' });
  const buyer = { name: 'Percy Shelley', email: 'percy@elsewhere.example', phone: null };
  const { enrolmentId } = await placeIn(db, date, { buyer, actor });
  const query = db.selectFrom('enrolments').select('organisation_id').where('id', '=', enrolmentId);
  expect((await query.executeTakeFirst())?.organisation_id).toBe(councilworks);
});

/** A date for Councilworks of four people or more, quoted to them at AU$1,000 each. */
async function groupDate(email: string) {
  const { db } = academy.database;
  const { id } = await makeCourseDate(db, { course, startsOn: '2026-03-16', capacity: 12, minimum: 4 });
  const query = db.updateTable('course_dates').set({ organisation_id: councilworks }).where('id', '=', id);
  const { slug } = await query.returning('slug').executeTakeFirstOrThrow();
  const quote = (fields: Record<string, string>) =>
    quoteFor(councilworks, email, { people: '4', seatPrice: '1,000', ...fields }, slug);
  return { id, quote };
}

test('P114: a quote has the minimum of its date, at a price a person that is a discount of the ledger', async () => {
  const email = 'group@council.example';
  const { quote } = await groupDate(email);
  expect(await mainText(await quote({ people: '3' }))).toContain('for 4 people or more: enter at least 4');
  expect(await mainText(await quote({ seatPrice: '99,000' }))).toContain('The most is today’s price');
  const page = (await quote({ discountPercent: '10' })).headers.get('Location') ?? '';
  for (const fact of ['Agreed with Councilworks', 'AU$1,000.00', 'AU$4,000.00'])
    expect(await mainText(await ada.get(page))).toContain(fact);
  const { accept, get, placeOf } = customer(academy, '198.51.100.9');
  const offer = await offerLinkOf(academy, email);
  expect(await mainText(await get(offer))).toContain('This date is held for 4 people or more');
  const enrolment = placeOf(await accept(offer, email));
  expect(await mainText(await get(enrolment))).toContain('Agreed with Councilworks');
  const { db } = academy.database;
  const sums = db.selectFrom('places').innerJoin('offers', 'offers.enrolment_id', 'places.enrolment_id');
  const paid = await sums
    .where('offers.email', '=', email)
    .select(['price_cents', 'discount_cents', 'discount'])
    .execute();
  expect(paid.map(({ price_cents, discount_cents }) => price_cents - discount_cents)).toEqual(Array(4).fill(100_000));
});

test('P114: a buyer cancels all of a group or none below its minimum, and moves none of it away', async () => {
  const email = 'leaving@council.example';
  const { id, quote } = await groupDate(email);
  await quote({});
  const { accept, get, post, placeOf } = customer(academy, '198.51.100.10');
  const enrolment = placeOf(await accept(await offerLinkOf(academy, email), email));
  expect(await mainText(await get(enrolment))).toContain('4 or more stay on this date, or nobody.');
  const { db } = academy.database;
  const places = await db.selectFrom('places').select('id').where('course_date_id', '=', id).execute();
  const [first, ...others] = places.map((place) => String(place.id));
  const cancel = (ids: readonly string[]) =>
    `${enrolment}/cancel?${new URLSearchParams(ids.map((one) => ['place', one]))}`;
  const refused = await mainText(await get(cancel([first ?? ''])));
  expect(refused).toContain('This date is held for 4 or more of your people');
  expect(refused).not.toContain('Your refund');
  const sent = { places: first ?? '', shown: '100000' };
  expect(await mainText(await post(cancel([]), sent))).toContain('Nothing was cancelled. This date is held for 4');
  expect(await mainText(await get(`${enrolment}/transfer/${first}`))).toContain('no fewer can stay on it');
  const all = [first ?? '', ...others];
  const page = await (await get(cancel(all))).text();
  const shown = /name="shown" value="(\d+)"/.exec(page)?.[1] ?? '';
  expect((await post(cancel(all), { places: all.join(), shown })).status).toBe(303);
});
