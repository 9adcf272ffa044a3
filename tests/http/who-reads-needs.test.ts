import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeClass } from '#tests/support/certificates.ts';
import { momentAt, orderOf } from '#tests/support/enrolments.ts';
import { everyForm } from '#tests/support/every-form.ts';
import { guardedRoutes } from '#tests/support/guarded-routes.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

const secrets = ['Zorbing loop', 'Gwendolyn Guardian', 'gwen@guardian.example', 'Under 18'];
const ends = ['', '/attendees', '/sheet', '/sheet?needs=yes', '/name-cards', '/certificates'];
const attendeesFile = (slug: string) => `/staff/attendees.csv?date=${slug}`;

let academy: AcademyApp;
let owner: SignedIn;
const staff = new Map<'admissions' | 'editor' | 'instructor' | 'reader', SignedIn>();
/** Every address that an owner finds by links from the pages of all that there is, three of each route at most. */
let opened: string[];
const where = { own: '', reference: '', attendeeId: 0, hour: 0 };

beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  owner = await signInStaff(academy, 'owner@example.com', 'Ada Owner');
  let network = 0;
  const forms = await everyForm(academy, owner, () => `10.9.0.${++network}`);
  const { slug } = (await makeClass(db)).courseDate;
  const ccsp = await db.selectFrom('courses').select('id').where('slug', '=', 'ccsp').executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: ccsp.id, way: 'guided', from: '2025-10-13' }]);
  await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  academy.setNow(momentAt('2025-11-04T10:00').now);
  await db
    .updateTable('attendees')
    .set({ needs: secrets[0], under_18: true, guardian_name: secrets[1], guardian_email: secrets[2] })
    .execute();
  const placed = await db
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .innerJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['reference', 'attendee_id', 'course_dates.slug', 'instructor_slug'])
    .where('places.state', '=', 'active')
    .where('starts_on', '=', '2025-11-03')
    .executeTakeFirstOrThrow();
  const { id: hour } = await db.selectFrom('live_hours').select('id').executeTakeFirstOrThrow();
  Object.assign(where, { own: placed.slug, reference: placed.reference, attendeeId: placed.attendee_id, hour });
  for (const role of ['admissions', 'editor', 'instructor', 'reader'] as const) {
    const teachesAs = role === 'instructor' ? { teachesAs: placed.instructor_slug } : {};
    staff.set(role, await signInStaff(academy, `${role}@example.com`, `Ada ${role}`, { role, ...teachesAs }));
  }
  const first = [
    ...[...forms.values()].flat().map(({ address }) => address),
    ...[slug, placed.slug].flatMap((date) => ends.map((end) => `/staff/course-dates/${date}${end}`)),
    ...[slug, placed.slug].map(attendeesFile),
    ...[slug, placed.slug].flatMap((date) => ['', '/details'].map((end) => `/staff/classes/${date}${end}`)),
    ...['enrolments', 'course-dates', 'enquiries', 'certificates', 'waiting'].map((list) => `/staff/${list}.csv`),
    ...secrets.map((text) => `/staff/find.json?${new URLSearchParams({ q: text })}`),
    `/staff/enrolments/${placed.reference}`,
    `/staff/enrolments/${placed.reference}/attendees/${placed.attendee_id}`,
  ];
  opened = await everyAddress(first.filter((address) => address.startsWith('/staff')));
});
afterAll(() => academy.close());

const routes = guardedRoutes().map(({ address }) => ({
  address,
  fits: new RegExp(`^${address.replace(/\./g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`),
}));
/** Addresses without parameters first: `/staff/course-dates/new` is no course date. */
const byRank = routes.toSorted((a, b) => a.address.split(':').length - b.address.split(':').length);
const routeOf = (to: string) => byRank.find(({ fits }) => fits.test(to.split('?')[0] ?? ''))?.address ?? to;

async function everyAddress(first: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const perRoute = new Map<string, number>();
  const wanted = new Set(first);
  const queue = [...first, '/staff'];
  for (let to = queue.shift(); to !== undefined; to = queue.shift()) {
    const route = routeOf(to);
    const times = perRoute.get(route) ?? 0;
    if (seen.has(to) || (times >= 3 && !wanted.has(to)) || to.includes('/sign-out')) continue;
    seen.add(to);
    perRoute.set(route, times + 1);
    const answer = await owner.get(to);
    if (answer.status !== 200) continue;
    const text = await answer.text();
    queue.push(...[...text.matchAll(/href="(\/staff[^"#]*)/g)].map(([, link = '']) => link.replaceAll('&amp;', '&')));
  }
  return [...seen];
}

/** The addresses that show one of the secrets to a person. What was asked for is shown again by any search. */
async function showing(by: SignedIn): Promise<string[]> {
  const shown: string[] = [];
  for (const to of opened) {
    const answer = await by.get(to);
    const text = (await answer.text()).replaceAll('Is under 18', '');
    const asked = new URLSearchParams(to.split('?')[1]).get('q');
    if (answer.status === 200 && secrets.some((secret) => text.includes(secret) && secret !== asked)) shown.push(to);
  }
  return shown;
}
const of = (role: 'admissions' | 'editor' | 'instructor' | 'reader') => {
  const one = staff.get(role);
  if (!one) throw new Error(`nobody is ${role}`);
  return one;
};

test('P68: needs and guardians are on no page and in no file for a reader or an editor', async () => {
  expect(new Set(opened.map(routeOf)).size).toBeGreaterThan(45);
  for (const role of ['reader', 'editor'] as const) expect([role, await showing(of(role))]).toEqual([role, []]);
});

torture('P59: instructors read needs on the pages of a class, and admissions where they enrol as well', async () => {
  const { own, reference, attendeeId, hour } = where;
  const dates = [
    ...['', '/attendees', '/sheet?needs=yes'].map((end) => `/staff/course-dates/${own}${end}`),
    attendeesFile(own),
    `/staff/classes/${own}`,
  ];
  const enrolling = [`/staff/enrolments/${reference}`, `/staff/enrolments/${reference}/attendees/${attendeeId}`];
  const [taught, all] = [await showing(of('instructor')), await showing(of('admissions'))];
  expect(taught).toEqual(expect.arrayContaining(dates));
  expect(taught.filter((to) => to.startsWith('/staff/enrolments'))).toEqual([]);
  expect(all).toEqual(expect.arrayContaining([...dates, ...enrolling, `/staff/live-hours/${hour}`]));
});

test('a reader’s page says nothing of needs instead of that nothing was asked for', async () => {
  const { own, reference } = where;
  const read = async (path: string) => (await of('reader').get(path)).text();
  expect(await read(`/staff/enrolments/${reference}`)).not.toContain('Nothing asked for');
  expect(await read(`/staff/course-dates/${own}/attendees`)).not.toContain('Guardian</th>');
  expect(await read(attendeesFile(own))).not.toContain('"Needs"');
});
