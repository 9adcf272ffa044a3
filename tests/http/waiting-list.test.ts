import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelSeats, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { type Moment, momentOf } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { addDays, dayIn } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate, momentAt, orderOf, placeIn } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

// The program's own jobs run as well, on this day.
const opened = new Date('2025-09-08T09:00:00+10:00');
const startsOn = addDays(dayIn('Australia/Brisbane', opened), 40);
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const now = () => academy.services.academy.clock.now();
const textOf = (html: string) =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main>'))
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
const read = async (path: string) => textOf(await (await academy.request(path)).text());
const post = (path: string, fields: Record<string, string>) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });

let places = 1_000_000;
/** A full course date of a course, known to the pages, and what gives seats of it back. */
async function fullCourseDate(course: string, capacity: number) {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course, capacity, startsOn });
  const sold = Array.from({ length: capacity }, () => ++places);
  const change = (run: 'sell' | 'cancel', ids: number[]) =>
    db.transaction().execute(async (trx) => {
      const locked = (await lockCourseDates(trx, [courseDate.id], academy.now())).get(courseDate.id);
      if (!locked) throw new Error('no course date');
      if (run === 'sell') await sellSeats(trx, locked, ids, academy.now());
      else await cancelSeats(trx, locked, ids, academy.now());
    });
  await change('sell', sold);
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const shown = () => academy.services.snapshot.current().courseDates.find((one) => one.slug === slug);
  await until(() => shown()?.seatsAvailable === 0);
  return { ...courseDate, slug, shown, giveBack: (count: number) => change('cancel', sold.splice(0, count)) };
}

/** Does what the program's job does about every second. */
async function keep(): Promise<void> {
  const { academy: sender } = academy.services.academy;
  const moment: Moment = { now: now(), today: dayIn('Australia/Brisbane', now()), academy: sender() };
  await keepWaitingLists(academy.database.db, moment);
}
/** The latest private link mailed to an address. */
async function linkFor(email: string, kind: string): Promise<string> {
  const { body_text } = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', kind)
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  return /\/waiting\/[0-9a-f]{48}/.exec(await withLinks(academy.database.db, body_text))?.[0] ?? 'none';
}

/** Presses the button behind the mailed link. */
const confirm = async (email: string) =>
  expect((await post(await linkFor(email, 'waiting-joined'), { intent: 'confirm' })).status).toBe(303);

test('P48: a full date is waited for without JavaScript, offered, and the offer leads into the steps', async () => {
  const courseDate = await fullCourseDate('cism', 2);
  const list = `/waiting-list?courseDate=${courseDate.slug}`;
  const faulty = await academy.submit(list, { name: '', email: 'x', seats: '7' });
  const kept = textOf(await faulty.text());
  expect(faulty.status).toBe(400);
  for (const fault of ['Enter your name.', 'such as name@example.com', 'For more than 6 people']) {
    expect(kept).toContain(fault);
  }
  const person = { name: 'Mary Shelley', email: 'mary@example.com', seats: '2' };
  const joined = await academy.submit(list, person);
  expect([joined.status, joined.headers.get('Location')]).toEqual([303, `${list}&joined=1`]);
  expect(await read(`${list}&joined=1`)).toContain('Check your email and press the button');
  await confirm('mary@example.com');
  // Again, with other capital letters: the first stays, and nothing shows that there was one.
  const again = await academy.submit(list, { ...person, email: 'Mary@Example.com', seats: '1' });
  expect(again.headers.get('Location')).toBe(`${list}&joined=1`);
  await academy.submit(list, { name: 'Percy', email: 'percy@example.com', seats: '1' });

  const link = await linkFor('percy@example.com', 'waiting-joined');
  const page = await academy.request(link);
  expect(page.headers.get('Cache-Control')).toContain('no-store');
  expect(page.headers.get('X-Robots-Tag')).toContain('noindex');
  expect(textOf(await page.text())).toContain('Confirm your place on the list');
  await confirm('percy@example.com');
  const mary = await linkFor('mary@example.com', 'waiting-joined');
  expect(await read(mary)).toContain('None: you are next');
  expect(await read(link)).toContain('People ahead of you 1 person');
  expect((await post(mary, { intent: 'accept' })).status).toBe(409);

  // One seat fits Percy, who is second; a second one later does not make two for Mary.
  await courseDate.giveBack(1);
  await keep();
  expect(await read(await linkFor('percy@example.com', 'waiting-offer'))).toContain('We are keeping seats for you');
  await courseDate.giveBack(1);
  await until(() => courseDate.shown()?.seatsAvailable === 1);
  const percy = await linkFor('percy@example.com', 'waiting-offer');
  expect((await post(percy, { intent: 'decline' })).status).toBe(303);
  expect(await read(percy)).toContain('You declined the offer');
  // In another tab the offer is still open to see.
  expect(textOf(await (await post(percy, { intent: 'accept' })).text())).toContain('you declined it');
  await keep();
  // Both seats are Mary's now, and never were public together.
  await until(() => courseDate.shown()?.seatsAvailable === 0);
  const offer = await linkFor('mary@example.com', 'waiting-offer');
  expect(await read(offer)).toContain('Price of a seat');
  const accepted = await post(offer, { intent: 'accept' });
  const step = accepted.headers.get('Location') ?? '';
  expect([accepted.status, /^\/enrol\/[0-9a-f]{48}\/payer$/.test(step)]).toEqual([303, true]);
  expect((await post(offer, { intent: 'accept' })).headers.get('Location')).toBe(step);
  const steps = await read(step);
  expect(steps).toContain('We hold your seats until');
  expect(steps).not.toContain('Hold them longer');
  // Her name and address are known, and the link proved the address.
  const filled = await (await academy.request(step)).text();
  for (const known of ['Mary Shelley', 'mary@example.com']) expect(filled).toContain(`value="${known}"`);
  await academy.submit(step, { buyerName: 'Mary Shelley', email: 'mary@example.com', payer: 'person' });
  expect(await read(step.replace(/payer$/, 'review'))).not.toContain('Code from your email');
  // Left from the offer's page: the seats are public again, nobody else waits.
  expect((await post(mary, { intent: 'leave' })).status).toBe(303);
  expect(await read(mary)).toContain('You have left the waiting list');
  await until(() => courseDate.shown()?.seatsAvailable === 2);
  expect((await post(mary, { intent: 'burn' })).status).toBe(400);
});

test('P28: an offer keeps its price while it is open, whatever the course costs since, and staff read so', async () => {
  const courseDate = await fullCourseDate('crisc', 1);
  const email = 'kept-price@example.com';
  const wish = { name: 'Ada', email, seats: 1, courseId: courseDate.courseId, courseDateId: courseDate.id };
  const joined = await academy.database.db
    .transaction()
    .execute((trx) => joinWaitingList(trx, wish, momentOf(academy.services.academy)));
  expect(joined.ok).toBe(true);
  await confirm(email);
  await courseDate.giveBack(1);
  await keep();
  const offer = await linkFor(email, 'waiting-offer');
  const priceOn = async () => /Price of a seat (AU\$[\d,.]+)/.exec(await read(offer))?.[1] ?? 'none';
  const named = await priceOn();
  const prices = '/staff/prices/crisc';
  const staffPage = async () => (await ada.get(prices)).text();
  const cents = Number(named.replaceAll(/\D/g, '')) * 100;
  expect(textOf(await staffPage())).toContain('Nobody in the checkout or with an offer of the waiting list');
  const before = academy.now();
  academy.setNow(new Date(before.getTime() + 60_000));
  const form = carriedBy(await staffPage(), 'price');
  const raised = await ada.post(prices, {
    ...form,
    price: String(cents / 100 + 200),
    original: '',
    from: '',
    note: '',
  });
  expect(raised.status).toBe(303);
  expect(textOf(await staffPage())).toContain('1 in the checkout or with an offer of the waiting list was shown');
  const dearer = formatMoney(cents + 20_000);
  await until(async () => (await (await academy.request('/course/crisc')).text()).includes(dearer));
  expect(await priceOn()).toBe(named);
  const step = (await post(offer, { intent: 'accept' })).headers.get('Location') ?? '';
  expect(await read(step)).toContain(named);
  expect(textOf(await staffPage())).toContain('1 in the checkout or with an offer of the waiting list was shown');
  // The offer runs 72 hours, longer than a visit.
  academy.setNow(new Date(before.getTime() + 48 * 60 * 60_000));
  expect(await read(step)).toContain(named);
  academy.setNow(before);
});

test('P31: a place that was bought gets the date that its buyer was shown, and no other', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course: 'ccsp', startsOn: '2025-12-01' });
  const order = await orderOf(db, [{ courseId: courseDate.courseId, way: 'next-date' }]);
  await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T08:00')));
  await keep();
  const link = await linkFor(order.buyer.email, 'waiting-offer');
  const shown = /name="date" value="([^"]*)"/.exec(await (await academy.request(link)).text())?.[1] ?? '';
  expect(shown).toContain('1 to 5 December 2025');
  const to = { starts_on: '2025-12-08', ends_on: '2025-12-12' };
  await db.updateTable('course_dates').set(to).where('id', '=', courseDate.id).execute();
  const refused = await post(link, { intent: 'accept', date: shown });
  expect(refused.status).toBe(409);
  expect(textOf(await refused.text())).toContain('The date that we offer you has changed. Nothing was accepted.');
  const now = /name="date" value="([^"]*)"/.exec(await (await academy.request(link)).text())?.[1] ?? '';
  expect((await post(link, { intent: 'accept', date: now })).status).toBe(303);
  // Sent again, as after an answer that was lost.
  expect((await post(link, { intent: 'accept', date: now })).status).toBe(303);
  expect(await read(link)).toContain('You have enrolled');
});

test('P48: the list for the next date, unknown lists and links, and a date that can no longer be booked', async () => {
  expect(await read('/waiting-list?course=ccsp')).toContain('Tell me about dates');
  expect(
    (await academy.submit('/waiting-list?course=ccsp', { name: 'A', email: 'a@example.com', seats: '1' })).status,
  ).toBe(303);
  const link = await linkFor('a@example.com', 'waiting-joined');
  expect(await read(link)).toContain('The next date');
  expect((await post(link, { intent: 'leave' })).status).toBe(303);
  expect((await academy.request('/waiting-list?course=burnt')).status).toBe(404);
  expect((await academy.request(`/waiting/${'a'.repeat(48)}`)).status).toBe(404);
  const [courseDate] = academy.services.snapshot.current().courseDates;
  const before = now();
  academy.setNow(new Date('2026-06-01T09:00:00+10:00'));
  expect(await read(`/waiting-list?courseDate=${courseDate?.slug}`)).toContain('it can no longer be booked');
  academy.setNow(before);
});

test('P48: staff see who waits and why, offer out of turn with a reason, withdraw and remove; all of it is logged', async () => {
  const { db } = academy.database;
  const courseDate = await fullCourseDate('cisa', 3);
  const list = `/waiting-list?courseDate=${courseDate.slug}`;
  for (const [name, seats] of [
    ['Byron', '3'],
    ['Keats', '1'],
  ] as const) {
    await academy.submit(list, { name, email: `${name.toLowerCase()}@${name.toLowerCase()}.example`, seats });
    await confirm(`${name.toLowerCase()}@${name.toLowerCase()}.example`);
  }
  const lists = await (await ada.get('/staff/waiting')).text();
  expect(lists).toContain(`href="/staff/waiting/${courseDate.slug}"`);
  const path = `/staff/waiting/${courseDate.slug}`;
  const page = async () => textOf(await (await ada.get(path)).text());
  const before = await page();
  for (const text of [
    '3 of 3 sold, 0 held or offered, 0 free',
    '1 seat more: 1 entry with 1 seat offered',
    '4 seats more: 2 entries with 4 seats offered',
    'Not offered: no seat is free.',
  ])
    expect(before).toContain(text);
  const entries = await db
    .selectFrom('waiting_entries')
    .select(['id', 'name', 'reference'])
    .where('course_date_id', '=', courseDate.id)
    .orderBy('id')
    .execute();
  const [byron, keats] = entries;
  const lastOf = async (entry: typeof byron) => {
    const acts = db.selectFrom('audit_entries').select(({ fn }) => fn.max('id').as('id'));
    const last = await acts.where('subject', '=', `waiting-entry:${entry?.reference}`).executeTakeFirst();
    return String(last?.id ?? 0);
  };
  const fieldsFor = async (entry: typeof byron, fields: Record<string, string>) => {
    const sent = { form: crypto.randomUUID(), seen: await lastOf(entry), entry: entry?.reference ?? '' };
    return { ...sent, reason: '', courseDate: String(courseDate.id), seats: '1', ...fields };
  };
  const act = async (entry: typeof byron, fields: Record<string, string>) =>
    ada.post(path, await fieldsFor(entry, fields));
  expect((await act(byron, { act: 'offer' })).status).toBe(400);
  const full = await act(byron, { act: 'offer', reason: 'Rang us' });
  expect([
    full.status,
    textOf(await full.text()).includes('This date does not have that many free seats. 0 are free there.'),
  ]).toEqual([409, true]);
  await courseDate.giveBack(1);
  await keep();
  expect(await page()).toContain('Not offered: no seat is free.');
  expect(await page()).toContain(`Offered 1 seat in ${courseDate.slug}`);
  const [before1, withdraw] = [await lastOf(keats), { act: 'withdraw', reason: 'Wrong person' }];
  const twice = await fieldsFor(keats, withdraw);
  expect((await ada.post(path, twice)).status).toBe(303);
  // P25: the same form once more is a repeat; another one from a page that is out of date says who was first.
  expect((await ada.post(path, twice)).status).toBe(303);
  const late = await act(keats, { act: 'resume', seen: before1 });
  expect([late.status, await mainText(late)]).toEqual([
    409,
    expect.stringMatching(/Ada Byron withdrew its offer in the meantime, on .*; see the list\. Nothing was done\./),
  ]);
  const shownNow = await (await ada.get(path)).text();
  expect(shownNow).toContain(`name="seen" value="${await lastOf(keats)}"`);
  expect(await page()).toContain('offered by hand only. Reason: Wrong person');
  expect((await act(byron, { act: 'offer', reason: 'Rang us' })).status).toBe(303);
  expect(await page()).toMatch(/Offered 1 seat in \S+ by Ada Byron.*Reason: Rang us/);
  expect((await act(byron, { act: 'offer', reason: 'Twice' })).status).toBe(409);
  expect((await act(keats, { act: 'resume' })).status).toBe(303);
  expect((await act(byron, { act: 'remove' })).status).toBe(303);
  expect((await act(byron, { act: 'remove' })).status).toBe(409);
  await keep();
  expect(await page()).toContain('Taken off by staff');
  const log = await db
    .selectFrom('audit_entries')
    .select(['action', 'subject', 'person_id'])
    .where('subject', 'like', 'waiting-entry:%')
    .orderBy('id')
    .execute();
  expect(log).toEqual(
    [
      ['withdraw-offer', keats],
      ['offer-seats', byron],
      ['resume-waiting', keats],
      ['remove-waiting', byron],
    ].map(([action, entry]) => ({
      action,
      subject: `waiting-entry:${(entry as typeof byron)?.reference}`,
      person_id: ada.id,
    })),
  );
  expect((await ada.get('/staff/waiting/course:cisa')).status).toBe(200);
  expect((await ada.get('/staff/waiting/burnt')).status).toBe(404);
  expect((await academy.request(path)).status).not.toBe(200);
});

test('P48: staff read the phone number that somebody who waits gave when they enrolled', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-01' });
  const mary = { email: 'mary@shelley.example', mailbox: 'mary@shelley.example' };
  await db
    .insertInto('waiting_entries')
    .values({
      ...mary,
      name: 'Mary',
      reference: newReference(),
      course_id: courseDate.courseId,
      seats: 1,
      joined_at: now(),
    })
    .execute();
  const rows = async () => textOf(await (await ada.get('/staff/waiting/course:cissp')).text());
  expect(await rows()).not.toContain('0412 345 678');
  const { enrolmentId } = await placeIn(db, courseDate);
  await db
    .updateTable('enrolments')
    .set({ ...mary, phone: '+61412345678' })
    .where('id', '=', enrolmentId)
    .execute();
  expect(await rows()).toContain('mary@shelley.example 0412 345 678');
});
