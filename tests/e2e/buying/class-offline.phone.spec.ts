import type { BrowserContext } from '@playwright/test';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { expect, openHydrated, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

/** Signs in, and returns the path of a class that began on Monday 8 September 2025 and has two people in it. */
async function openClass(context: BrowserContext, baseURL: string | undefined): Promise<string> {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'teacher@example.com', name: 'Grace Teacher' }, new Date());
  const courseDate = await makeCourseDate(db, { startsOn: '2025-09-08' });
  const { slug } = await db
    .updateTable('course_dates')
    .set({ ends_on: '2025-09-09' })
    .where('id', '=', courseDate.id)
    .returning('slug')
    .executeTakeFirstOrThrow();
  // It has begun, so nobody can be placed in it by the commands.
  const { id } = await writeEnrolment(db, [{ courseDate: slug }, { courseDate: slug }]);
  await db.updateTable('attendees').set({ name: 'Mary Shelley' }).where('enrolment_id', '=', id).execute();
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);
  return `/staff/classes/${slug}`;
}

test('P59: while marks wait for a network no link leaves the class, because its page would not open again', async ({
  page,
  context,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|Failed to fetch/);
  const path = await openClass(context, baseURL);

  await openHydrated(page, path);
  // Back in view, the page is read again: somebody may have marked others, or another day has begun.
  const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === `${path}.data`);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect((await read).status()).toBe(200);
  await context.setOffline(true);
  await page.getByRole('checkbox', { name: 'Mary Shelley is here' }).first().check({ force: true });
  const says = page.getByRole('alert').filter({ hasText: '1 mark is kept on this phone' });
  await expect(says).toBeVisible();
  // A place on the page needs no network.
  await page.getByRole('link', { name: /^Skip to/ }).press('Enter');
  await expect(says).not.toBeFocused();
  await page.getByRole('link', { name: 'List for printing' }).click();
  await expect(says).toBeFocused();
  await expect(page).toHaveURL(`${path}#main`);

  await context.setOffline(false);
  await expect(page.getByText('All saved')).toBeVisible();
  await page.getByRole('link', { name: 'List for printing' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Attendees' })).toBeVisible();
});

test('P59: a page left open overnight without a network says which day it marks, and can mark the new one', async ({
  page,
  context,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|Failed to fetch/);
  const path = await openClass(context, baseURL);
  await page.clock.setFixedTime('2025-09-08T09:00:00+10:00');
  await openHydrated(page, path);
  const warning = page.getByRole('alert').filter({ hasText: 'It is now Tuesday 9 September 2025.' });
  await expect(warning).toBeHidden();
  await context.setOffline(true);
  await page.clock.setFixedTime('2025-09-09T09:00:00+10:00');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(warning).toContainText('its switches mark Monday 8 September 2025');
  await warning.getByRole('button', { name: 'Mark Tuesday 9 September 2025' }).click();
  await expect(warning).toBeHidden();
  await page.getByRole('checkbox', { name: 'Mary Shelley is here' }).first().check({ force: true });
  await expect(page.getByText('1 of 2')).toBeVisible();
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('class-taps') ?? '[]'));
  expect(kept).toMatchObject([{ day: '2025-09-09', mark: 'present' }]);
});
