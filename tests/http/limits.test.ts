import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseExpiredHolds } from '#app/features/course-dates/seats.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { publishChange } from '#tests/support/content-edits.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { placeIn } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

const opening = new Date('2025-09-08T09:00:00+10:00');
let academy: AcademyApp;
let ada: SignedIn;
let addresses = 0;
const network = () => `198.51.100.${++addresses}`;
const melbourne = { 'way-cissp': 'course-date:cissp-melbourne' };
const location = (response: Response) => response.headers.get('Location') ?? '';
let day = 0;
/** A day of its own for each test, on which the dates used here can still be booked. */
async function newDay(): Promise<void> {
  academy.setNow(new Date(opening.getTime() + ++day * 24 * 3_600_000));
  await releaseExpiredHolds(academy.database.db, academy.now());
}
const pass = (minutes: number) =>
  academy.setNow(new Date(academy.services.academy.clock.now().getTime() + minutes * 60_000));

beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@academy.example', 'Ada Byron');
});
afterAll(() => academy.close());

/** Seats that pages show as left, once the snapshot shows as many. */
async function shows(slug: string, left: number): Promise<void> {
  const shown = () => academy.services.snapshot.current().courseDates.find((one) => one.slug === slug)?.seatsAvailable;
  await until(() => shown() === left).catch(() => undefined);
  const seats = (await (await academy.request('/api/seats')).json()) as Record<string, unknown>;
  expect([shown(), JSON.stringify(seats).includes(slug)]).toEqual([left, true]);
}
const mailedLink = async (email: string) => {
  const { body_text } = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', 'waiting-joined')
    .executeTakeFirstOrThrow();
  const text = await withLinks(academy.database.db, body_text);
  return { text, link: /\/waiting\/[0-9a-f]{48}/.exec(text)?.[0] ?? '' };
};
/** Chooses, fills in and places; the texts of what it came to. */
async function enrol(from: string, email: string, attendees: number, courseDate = 'cissp-melbourne', course = 'cissp') {
  const one = visitor(academy, from);
  const draft = await one.choose(`courseDate=${courseDate}`, {
    attendees: String(attendees),
    [`way-${course}`]: `course-date:${courseDate}`,
  });
  await one.fillIn(draft, email);
  const placed = await one.place(draft);
  return { one, draft, placed, done: location(placed).includes('/done') };
}
async function roomy(slug: string, capacity: number): Promise<void> {
  await academy.database.db.updateTable('course_dates').set({ capacity }).where('slug', '=', slug).execute();
}
const active = async () => {
  const rows = await academy.database.db.selectFrom('places').select('id').where('state', '=', 'active').execute();
  return rows.length;
};

test('P48: an empty date does not go off sale by an address that nobody confirmed', async () => {
  const one = visitor(academy, network());
  const draft = await one.choose('courseDate=cissp-melbourne', melbourne);
  const list = '/waiting-list?courseDate=cissp-melbourne';
  const join = () => academy.submit(list, { name: 'Nobody', email: 'nobody@nowhere.example', seats: '6' });
  expect(await mainText(await join())).toContain(
    '5 seats are free now. The other seats are held by other people for a few minutes',
  );
  // Somebody else had bought one: then six have to be waited for, but nothing is reserved before the button was pressed.
  const { db } = academy.database;
  const courseDate = await db
    .selectFrom('course_dates')
    .select(['id', 'course_id as courseId'])
    .where('slug', '=', 'cissp-melbourne')
    .executeTakeFirstOrThrow();
  const bought = await placeIn(db, courseDate);
  expect(location(await join())).toBe(`${list}&joined=1`);
  expect(await mainText(await academy.request(`${list}&joined=1`))).toContain('Check your email and press the button');
  await one.post(draft, { item: 'course:cissp', attendees: '1', 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  await db.updateTable('course_dates').set({ capacity: 7 }).where('id', '=', courseDate.id).execute();
  await shows('cissp-melbourne', 6);
  const board = () => ada.get('/staff/waiting/cissp-melbourne').then(mainText);
  expect(await board()).toContain('Not confirmed yet: nobody has opened the link');
  expect(await (await ada.get('/staff/waiting')).text()).toContain('1 not confirmed yet');

  const { text, link } = await mailedLink('nobody@nowhere.example');
  expect(text).toContain('open this page and press the button');
  // A program that opens the links of a mail changes nothing.
  expect(await mainText(await academy.request(link))).toContain('Confirm my place');
  await shows('cissp-melbourne', 6);
  expect((await one.post(link, { intent: 'confirm' })).status).toBe(303);
  await shows('cissp-melbourne', 0);
  expect(await board()).not.toContain('Not confirmed yet');
  expect((await one.post(link, { intent: 'leave' })).status).toBe(303);
  await shows('cissp-melbourne', 6);
  expect(bought.ok).toBe(true);
});

test('P48: addresses of one mail domain confirm six seats on waiting lists a day, whatever the networks', async () => {
  await newDay();
  const join = async (email: string, seats: string) => {
    expect((await academy.submit('/waiting-list?course=cissp', { name: 'A', email, seats })).status).toBe(303);
    const { link } = await mailedLink(email);
    return (await visitor(academy, network()).post(link, { intent: 'confirm' })).status;
  };
  expect(await join('a@catch-all.example', '4')).toBe(303);
  expect(await join('b@catch-all.example', '3')).toBe(409);
  expect(await join('c@catch-all.example', '2')).toBe(303);
  expect(await join('a@another.example', '6')).toBe(303);
});

test('P28: made-up addresses from one network take twelve seats; further requests go to staff with everything kept', async () => {
  await newDay();
  await roomy('cissp-melbourne', 100);
  const from = '2001:db8:1:1::1';
  const before = await active();
  expect((await enrol(from, 'x@made-up-1.example', 6)).done).toBe(true);
  // Another /64 of the same /56.
  expect((await enrol('2001:db8:1:2::1', 'x@made-up-2.example', 6)).done).toBe(true);
  const { one, draft, placed } = await enrol('2001:db8:1:3::1', 'x@made-up-3.example', 1);
  expect(placed.status).toBe(409);
  const text = await mainText(placed);
  expect(text).toContain('today at most twelve unpaid seats are kept for everybody on your network together');
  expect(text).toContain('Send us a request');
  // By the same page as for one buyer.
  expect(await one.read(`${draft}/request`)).toContain('For this many seats we check');
  expect((await enrol('2001:db8:1:100::1', 'x@made-up-4.example', 1)).done).toBe(true);
  expect(await active()).toBe(before + 13);
});

test('P28: made-up addresses of one domain take six seats, whatever the networks and however close together', async () => {
  await newDay();
  await roomy('cissp-melbourne', 100);
  const before = await active();
  const done = await Promise.all(
    ['a', 'b', 'c'].map((name) => enrol(network(), `${name}@${name}.catch-all.example`, 3).then((one) => one.done)),
  );
  expect(done.filter(Boolean)).toHaveLength(2);
  expect(await active()).toBe(before + 6);
});

test('P27: eight networks hold every seat once, but not again: others can buy the rest', async () => {
  await newDay();
  await roomy('cissp-melbourne', (await active()) + 24);
  const networks = Array.from({ length: 4 }, network);
  const drafts = await Promise.all(
    networks.flatMap((from) =>
      [1, 2].map(async () => {
        const one = visitor(academy, from);
        const sends = await one.filled('/enrol?courseDate=cissp-melbourne', { attendees: '3', ...melbourne });
        const response = await one.post('/enrol', sends);
        return { one, draft: /^\/enrol\/[0-9a-f]{48}/.exec(location(response))?.[0] ?? '' };
      }),
    ),
  );
  expect(drafts.every(({ draft }) => draft !== '')).toBe(true);
  await shows('cissp-melbourne', 0);
  pass(16);
  // They go on one after the other, as a program does that wants to keep all seats.
  for (const { one, draft } of drafts) await one.post(`${draft}/payer`, { 'name-1': 'Ada' });
  const { db } = academy.database;
  const { seats } = await db
    .selectFrom('seat_holds')
    .select(({ fn }) => fn.sum<number | null>('seats').as('seats'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  // Six or a quarter of the room stay for others.
  const { capacity } = await db
    .selectFrom('course_dates')
    .select('capacity')
    .where('slug', '=', 'cissp-melbourne')
    .executeTakeFirstOrThrow();
  expect(Number(seats ?? 0)).toBeLessThanOrEqual(24 - Math.max(6, Math.ceil(capacity / 4)));
  const [last] = drafts.slice(-1);
  const text = (await last?.one.read(`${last.draft}/payer`)) ?? '';
  expect(text).toContain('Your seats are not held. Few seats are left on this date');
  expect(text).toContain('We can hold them again from 9:45 AM');
  expect(text).not.toContain('Hold them again');
  // They can go on without, and get the seats if they are still free.
  if (!last) throw new Error('no draft');
  await last.one.fillIn(last.draft, 'honest@shared-network.example');
  expect(location(await last.one.place(last.draft))).toContain('/done');
  pass(30);
  await roomy('cissp-melbourne', 200);
});

test('P28: the price that falls during the visit is the one paid, and every step says so; one that rises is not', async () => {
  await newDay();
  const { db } = academy.database;
  const { price_cents: before } = await db
    .selectFrom('courses')
    .select('price_cents')
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const setPrice = (cents: number) =>
    db.updateTable('courses').set({ price_cents: cents }).where('slug', '=', 'cissp').execute();
  const one = visitor(academy, network());
  await setPrice(219_900);
  const draft = await one.choose('courseDate=cissp-melbourne', melbourne);
  await one.fillIn(draft, 'falls@price.example');
  expect(await one.read(`${draft}/review`)).toContain('Total AU$2,199');
  const code = await one.code('falls@price.example');
  const opened = await one.filled(`${draft}/review`, { intent: 'place', accepted: 'on', code });
  await setPrice(119_900);
  // The button of the page that showed the higher price buys nothing: the terms state other refunds now.
  const stale = await one.post(`${draft}/review`, opened);
  const text = await mainText(stale);
  expect([stale.status, text]).toEqual([
    409,
    expect.stringContaining('The dates, the price or the terms have changed'),
  ]);
  expect(text).toContain('The price has fallen since you started: AU$1,199 instead of AU$2,199');
  expect(text).toContain('Total AU$1,199');
  // It rises above what was shown first: that is the most.
  await setPrice(299_900);
  const risen = await one.read(`${draft}/review`);
  expect(risen).toContain('Total AU$2,199');
  expect(risen).not.toContain('has fallen');
  await setPrice(119_900);
  expect(location(await one.place(draft))).toContain('/done');
  const placed = await db
    .selectFrom('places')
    .innerJoin('prices', 'prices.id', 'price_id')
    .select(['price_cents', 'amount_cents', 'until_at'])
    .orderBy('places.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(placed).toEqual({ price_cents: 119_900, amount_cents: 119_900, until_at: null });
  await setPrice(before);
});

test('P28: a combo keeps the set of prices with the lower total, not the lowest of each course', async () => {
  // While the promotion runs.
  academy.setNow(opening);
  const { db } = academy.database;
  const one = visitor(academy, network());
  const html = await (await one.get('/enrol?combo=cloud-defender')).text();
  const slugs = [...new Set([...html.matchAll(/name="monday-([^"]+)"/g)].map(([, slug = '']) => slug))];
  const ways = slugs.flatMap((slug) => [
    [`way-${slug}`, 'guided'],
    [`monday-${slug}`, '2025-10-06'],
  ]);
  // AU$9,097 less 30% is AU$6,367.90 to the dollar below: AU$6,367.
  const draft = await one.choose('combo=cloud-defender', Object.fromEntries(ways));
  expect(await one.read(`${draft}/payer`)).toContain('AU$6,367');
  const rows = await db.selectFrom('courses').select(['slug', 'price_cents']).where('slug', 'in', slugs).execute();
  const [first, second] = rows;
  if (!first || !second) throw new Error('a combo of several courses');
  const change = (slug: string, cents: number) =>
    db.updateTable('courses').set({ price_cents: cents }).where('slug', '=', slug).execute();
  // One falls by 100 dollars and another rises by 300: the whole costs more, so what was shown first holds whole.
  await change(first.slug, first.price_cents - 10_000);
  await change(second.slug, second.price_cents + 30_000);
  const kept = await one.read(`${draft}/payer`);
  expect(kept).toContain('AU$6,367');
  expect(kept).not.toContain('has fallen');
  // The other rises by 50 only: AU$9,047 less 30%.
  await change(second.slug, second.price_cents + 5_000);
  expect(await one.read(`${draft}/payer`)).toContain('The price has fallen since you started: AU$6,332');
  for (const { slug, price_cents } of rows) await change(slug, price_cents);
});

test('P38: a full date leads to its waiting list from /enrol, and from adding an attendee before anything is filled in', async () => {
  await newDay();
  const { db } = academy.database;
  const courseDate = await db
    .selectFrom('course_dates')
    .select(['id', 'course_id as courseId'])
    .where('slug', '=', 'cissp-melbourne')
    .executeTakeFirstOrThrow();
  const { token } = await placeIn(db, courseDate);
  const add = `/enrolment/${token}/add`;
  expect(await (await academy.request(add)).text()).toContain('name="name-1"');
  await roomy('cissp-melbourne', await active());
  await shows('cissp-melbourne', 0);
  const enrolPage = await (await academy.request('/enrol?courseDate=cissp-melbourne')).text();
  expect(enrolPage).toContain('href="/waiting-list?courseDate=cissp-melbourne"');
  expect(enrolPage).toMatch(/<p class="mt-3 font-semibold" role="status">/);
  const full = await (await academy.request(add)).text();
  expect(full).toContain('href="/waiting-list?courseDate=cissp-melbourne"');
  expect(full).toContain('No seat is free on');
  expect(full).not.toContain('name="name-1"');
});

test('a course and a date that are renamed during the visit keep the choice, the price and what was typed', async () => {
  await newDay();
  const { db } = academy.database;
  await roomy('cissp-melbourne', 400);
  await shows('cissp-melbourne', 400 - (await active()));
  const one = visitor(academy, network());
  const draft = await one.choose('courseDate=cissp-melbourne', melbourne);
  await one.post(`${draft}/payer`, { 'name-1': 'Kept Name' });
  const dearer = { kind: 'course', key: 'cissp', to: { slug: 'cissp-renamed', price: 6499 } } as const;
  const at = { now: academy.now(), today: academyDay(academy.now()) };
  expect(await publishChange(db, dearer, at)).toMatchObject({ ok: true });
  const renamed = { slug: 'cissp-melbourne-renamed', aliases: ['cissp-melbourne'] };
  await db.updateTable('course_dates').set(renamed).where('slug', '=', 'cissp-melbourne').execute();
  await until(() => academy.services.snapshot.current().courseDates.some(({ slug }) => slug === renamed.slug));
  const text = await one.read(`${draft}/payer`);
  for (const fact of ['AU$5,499', '27 to 31 October', 'We hold your seats until']) expect(text).toContain(fact);
});
