import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeatsNow } from '#app/features/course-dates/course-date-view.ts';
import { cancelSeats, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { thingsOf } from '#tests/support/structured-data.ts';
import { withoutPolling } from '#tests/support/without-polling.ts';

let academy: AcademyApp;
let beside: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
  beside = await withoutPolling(() => openAcademyApp({ beside: academy }));
});
afterAll(async () => {
  await beside.close();
  await academy.close();
});

const opening = new Date('2025-09-08T09:00:00+10:00');
/** Its course, six seats, tentative until 3 October, enrolment until 23 October. */
const [slug, course] = ['cissp-melbourne', 'cissp'];

/** The text of a page of the second process, without tags and comments. */
async function textOf(address: string): Promise<string> {
  const html = await (await beside.request(address)).text();
  return html
    .replaceAll(/<script[\s\S]*?<\/script>|<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}
const htmlOf = async (address: string) => (await beside.request(address)).text();
const seatsNow = async (): Promise<SeatsNow> => (await beside.request('/api/seats')).json();

let places = 0;
/** Sells or cancels seats of the course date through the first process. */
async function change(by: number): Promise<void> {
  await academy.services.database.db.transaction().execute(async (trx) => {
    const { id } = await trx.selectFrom('course_dates').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
    const courseDate = (await lockCourseDates(trx, [id], opening)).get(id);
    if (!courseDate) throw new Error(`${slug} is not there`);
    if (by < 0) await cancelSeats(trx, courseDate, [places--], opening);
    for (let at = 0; at < by; at++) expect(await sellSeats(trx, courseDate, [++places], opening)).toEqual({ ok: true });
  });
}

async function setState(state: CourseDateState): Promise<void> {
  await academy.database.db.updateTable('course_dates').set({ state }).where('slug', '=', slug).execute();
}

test('P27: a sale on one process shows on every page of the other when it is notified', async () => {
  const pages = ['/training-calendar', `/training-calendar/${slug}`, `/course/${course}`];
  const before = await Promise.all(pages.map(textOf));
  expect(before.every((text) => text.includes('Confirmed once 3 more enrol, and we decide by 3 October'))).toBe(true);
  expect(await seatsNow()).toMatchObject({
    available: 93,
    courseDates: { [slug]: { seatsAvailable: 6, standing: 'open' } },
  });
  await change(1);
  for (const page of pages) {
    await until(async () => (await textOf(page)).includes('Confirmed once 2 more enrol, and we decide by 3 October'));
  }
  expect(await seatsNow()).toMatchObject({
    available: 92,
    courseDates: {
      [slug]: {
        seatsAvailable: 5,
        standing: 'open',
        decision: 'Confirmed once 2 more enrol, and we decide by 3 October',
      },
    },
  });
  expect(await textOf(`/course/${course}`)).toContain('5 seats left');
  expect(await textOf(`/training-calendar/${slug}`)).toContain(
    'It goes ahead once 3 people have enrolled. Until it is confirmed, nothing is due and cancelling is free.',
  );
  expect(await textOf('/training-calendar')).toContain('Available Seats 92');
});

test('a full course date offers its list, and its structured data say that it is sold out', async () => {
  await change(5);
  await until(async () => (await seatsNow()).courseDates[slug]?.standing === 'full');
  const page = await htmlOf(`/training-calendar/${slug}`);
  expect(page).toContain(`aria-label="Join the waiting list: `);
  expect(page).toContain(`href="/waiting-list?courseDate=${slug}"`);
  expect(page).not.toContain('aria-label="Enroll Now: ');
  expect(await textOf(`/training-calendar/${slug}`)).toContain('This date is full.');
  expect(thingsOf(page)[0]).toMatchObject({
    eventStatus: 'https://schema.org/EventScheduled',
    remainingAttendeeCapacity: 0,
    offers: { availability: 'https://schema.org/SoldOut', validThrough: '2025-10-23T23:59:59+10:00' },
  });
  expect(await textOf(`/course/${course}`)).toContain('Join the waiting list');
  expect(await textOf('/llms.txt')).toContain('In-Person Melbourne, full, enough people have enrolled');
  await change(-1);
  await until(async () => (await textOf(`/course/${course}`)).includes('1 seat left'));
});

test('after the end of enrolment nothing leads to enrolling, and after the day of decision the page says so', async () => {
  beside.setNow(new Date('2025-10-04T00:00:00+10:00'));
  const its = academy.database.db.updateTable('course_dates').where('slug', '=', slug);
  await its.set({ minimum: 6 }).execute();
  await until(async () =>
    (await textOf('/training-calendar')).includes('Staff are deciding now whether it goes ahead'),
  );
  beside.setNow(new Date('2025-10-24T00:00:00+10:00'));
  expect(await textOf(`/training-calendar/${slug}`)).toContain('Enrolment closed on 23 October.');
  for (const page of ['/training-calendar', `/training-calendar/${slug}`, `/course/${course}`]) {
    expect(await htmlOf(page)).not.toContain(`/enrol?courseDate=${slug}`);
  }
  beside.setNow(opening);
  // The dates of September are read again.
  await its.set({ minimum: 3 }).execute();
});

test('a cancelled course date that lies ahead is shown as cancelled, in calendars too, and counts no seats', async () => {
  const feed = `/training-calendar/${slug}/course_date.ics`;
  const sequence = async () => Number(/SEQUENCE:(\d+)/.exec(await htmlOf(feed))?.[1]);
  expect(await htmlOf(feed)).toContain('STATUS:TENTATIVE');
  const first = await sequence();
  await setState('cancelled');
  await until(async () => (await textOf('/training-calendar')).includes('Cancelled'));
  const page = await htmlOf(`/training-calendar/${slug}`);
  expect(page).toContain('This date is cancelled.');
  expect(page).not.toContain(`/enrol?courseDate=${slug}`);
  expect(thingsOf(page)[0]).toMatchObject({ eventStatus: 'https://schema.org/EventCancelled' });
  expect(await textOf(`/course/${course}`)).toContain('No other date has seats.');
  expect(await htmlOf(feed)).toContain('STATUS:CANCELLED');
  expect(await sequence()).toBeGreaterThan(first);
  expect(await htmlOf('/training-calendar.ics')).toContain('STATUS:CANCELLED');
  expect(await textOf('/llms.txt')).toContain('In-Person Melbourne, cancelled');
  expect(await textOf('/training-calendar?date=2025-10-27')).toContain('Monday 27 October 2025: no course runs.');
  expect((await seatsNow()).available).toBe(87);
});

test('the seats are answered from memory until one is sold', async () => {
  const first = await beside.request('/api/seats');
  expect(first.headers.get('Cache-Control')).toMatch(/^public, max-age=0/);
  const again = await beside.request('/api/seats', { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } });
  expect(again.status).toBe(304);
});
