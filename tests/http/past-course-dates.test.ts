import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const { courseId, instructor } = await db
    .selectFrom('courses')
    .select(['id as courseId', 'instructor_slug as instructor'])
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const days = [
    ['cissp-2024', '2024-11-11', '2024-11-15'],
    // It ends in the month shown first, and before the day.
    ['cissp-last-week', '2025-08-28', '2025-09-01'],
    ['cissp-in-july', '2025-07-14', '2025-07-18'],
  ] as const;
  await db
    .insertInto('course_dates')
    .values(
      days.map(([slug, starts_on, ends_on]) => ({
        slug,
        aliases: slug === 'cissp-2024' ? ['cissp-last-year'] : [],
        course_id: courseId,
        starts_on,
        ends_on,
        starts_at: '09:00',
        ends_at: '17:00',
        zone: 'Australia/Brisbane',
        delivery: 'online',
        instructor_slug: instructor,
        capacity: 6,
        enrolment_ends_on: starts_on,
      })),
    )
    .execute();
  await until(() => academy.services.snapshot.current().courseDates.some(({ slug }) => slug === 'cissp-last-week'));
});
afterAll(() => academy.close());

const answer = async (address: string) => {
  const response = await academy.request(address);
  return { status: response.status, to: response.headers.get('Location'), text: await response.text() };
};

test('P27: course dates of earlier months are not kept in memory', () => {
  const slugs = academy.services.snapshot.current().courseDates.map(({ slug }) => slug);
  expect(slugs).not.toContain('cissp-2024');
  expect(slugs).not.toContain('cissp-in-july');
});

test('P15: a course date of another year answers under its address and its former one, as page, calendar file and picture', async () => {
  const path = '/training-calendar/cissp-2024';
  const page = await answer(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain('11 to 15 November 2024');
  expect(page.text).not.toContain('/enrol?courseDate=cissp-2024');
  expect(page.text).not.toContain('Add to your calendar');
  expect(await answer('/training-calendar/cissp-last-year')).toMatchObject({ status: 301, to: path });
  const file = await answer(`${path}/course_date.ics`);
  expect(file.status).toBe(200);
  expect(file.text).toContain('DTSTART:20241110T230000Z');
  expect(await answer('/training-calendar/cissp-last-year/course_date.ics')).toMatchObject({
    status: 301,
    to: `${path}/course_date.ics`,
  });
  expect((await academy.request('/share/course-date/cissp-2024.png')).headers.get('Content-Type')).toBe('image/png');
  for (const unknown of ['/training-calendar/cissp-1999', '/training-calendar/cissp-1999/course_date.ics']) {
    expect((await answer(unknown)).status).toBe(404);
  }
  expect((await answer('/share/course-date/cissp-1999.png')).status).toBe(404);
});

test('P39: a visitor who comes to enrol for a course date of another year, or to wait for it, is told that it is over', async () => {
  const enrol = await answer('/enrol?courseDate=cissp-last-year');
  expect(enrol.text).toContain('11 to 15 November 2024 can no longer be booked.');
  expect((await answer('/waiting-list?courseDate=cissp-last-year')).text).toContain('it can no longer be booked');
  expect((await answer('/enrol?courseDate=cissp-1999')).text).toContain('We do not offer what this address names.');
});

test('P15: the calendar marks the days of months that are over, and says what ran on a chosen day', async () => {
  const july = await answer('/training-calendar?date=2025-07-15');
  expect(july.text).toContain('aria-label="Tuesday 15 July 2025, a course runs, chosen"');
  expect(july.text).toContain('href="/training-calendar/cissp-in-july"');
  expect(july.text).toContain('aria-label="Wednesday 16 July 2025, a course runs"');
  expect(july.text).toContain('aria-label="Saturday 19 July 2025"');
  // The day of one month, another one shown.
  const both = await answer('/training-calendar?date=2025-07-15&show=2025-09');
  expect(both.text).toContain('href="/training-calendar/cissp-in-july"');
  expect(both.text).toContain('aria-label="Monday 1 September 2025, a course runs"');
});
