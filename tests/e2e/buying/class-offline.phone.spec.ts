import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { expect, openHydrated, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { makeSession } from '#tests/support/enrolments.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

test('P59: while marks wait for a network no link leaves the class, because its page would not open again', async ({
  page,
  context,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|Failed to fetch/);
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'teacher@example.com', name: 'Grace Teacher' }, new Date());
  const session = await makeSession(db, { startsOn: '2025-09-08' });
  const { slug } = await db
    .selectFrom('training_sessions')
    .select('slug')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  // It has begun, so nobody can be placed in it by the commands.
  const { id } = await writeEnrolment(db, [{ session: slug }, { session: slug }]);
  await db.updateTable('attendees').set({ name: 'Mary Shelley' }).where('enrolment_id', '=', id).execute();
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);

  await openHydrated(page, `/staff/classes/${slug}`);
  // Back in view, the page is read again: somebody may have marked others, or another day has begun.
  const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === `/staff/classes/${slug}.data`);
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
  await expect(page).toHaveURL(`/staff/classes/${slug}#main`);

  await context.setOffline(false);
  await expect(page.getByText('All saved')).toBeVisible();
  await page.getByRole('link', { name: 'List for printing' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Attendees' })).toBeVisible();
});
