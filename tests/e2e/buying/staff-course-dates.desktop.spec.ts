import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { expect, expectAccessible, openHydrated, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { insertSignIn } from '#tests/support/staff.ts';

test('P40: staff cancel a course date with people in it, and see before and after what that does', async ({
  page,
  context,
  baseURL,
}) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'ada@example.com', name: 'Ada Byron' }, new Date());
  const courseDate = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-12-15' });
  const { reference } = await placeIn(db, courseDate, {
    attendees: [attendee({ name: 'Mary Shelley', email: 'mary@example.org' }), attendee({ name: null })],
  });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);

  await page.goto(`/staff/course-dates/${slug}`);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Cancel it' }).click();
  await expect(page.getByRole('heading', { name: 'Cancel this course date?' })).toBeVisible();
  await expect(page.getByRole('row', { name: reference })).toContainText('Mary Shelley');
  await expect(page.getByRole('row', { name: reference })).toContainText('AU$4,598.00 no longer owed');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel the course date' }).click();
  await expect(page.getByText('Ada Byron cancelled it')).toBeVisible();
  await page.getByRole('link', { name: reference }).first().click();
  await expect(page.getByText('The buyer can choose until').first()).toBeVisible();
  await expectAccessible(page);
  for (const address of [
    '/staff',
    '/staff/course-dates',
    '/staff/enrolments',
    '/staff/payments',
    '/staff/course-dates/new',
  ]) {
    await page.goto(address);
    await expectAccessible(page);
  }
});

test('P87: by keyboard one link leads past what a move does to its button, and what is not moved is folded', async ({
  page,
  context,
  baseURL,
}) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'mover@example.com', name: 'Grace Mover' }, new Date());
  const courseDate = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-11-24' });
  await placeIn(db, courseDate, { attendees: [attendee({ name: 'Mary Shelley', email: 'mary@example.org' })] });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);

  await openHydrated(page, `/staff/course-dates/${slug}/move`);
  await expect(page.getByLabel('Instructor', { exact: true })).toBeHidden();
  await page.getByLabel('First day').fill('2025-12-01');
  await page.getByLabel('Last day', { exact: true }).fill('2025-12-05');
  await page.getByLabel('Reason, as buyers read it').fill('The room is not available.');
  await page.getByRole('button', { name: 'Look at what it does' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Look again' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Go to “Change the course date”' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Go to “Change the course date”' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Change the course date, write to/ })).toBeFocused();
  // A field that is changed is shown.
  await page.goto(`/staff/course-dates/${slug}/move?startDate=2025-12-01&breakMinutes=45`);
  await expect(page.getByLabel('Breaks a day, in minutes')).toBeVisible();
});
