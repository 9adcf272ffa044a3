import type { Route } from '@playwright/test';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { insertSignIn } from '#tests/support/staff.ts';
import { expect, expectAccessible, openHydrated, test } from './fixtures.ts';
import { programData } from './program-data.ts';

test('P82: Ctrl K finds by the keyboard over the page, says when it cannot, and leaves the page as it was', async ({
  page,
  context,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const { value } = await insertSignIn(db, { email: 'find@example.com', name: 'Grace Finder' }, new Date());
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openHydrated(page, '/staff/people?search=grace');

  // What was typed on the page stays beneath the dialog.
  const below = page.getByRole('searchbox', { name: 'Name, email, phone, organisation' });
  await below.fill('half typed');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await expect(field).toBeFocused();
  await expect(page).toHaveURL('/staff/people?search=grace#find');
  await field.fill('late pay');
  const options = page.getByRole('option');
  await expect(options.first()).toContainText('Who owes');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(below).toBeFocused();
  await expect(below).toHaveValue('half typed');
  await expect(page).toHaveURL('/staff/people?search=grace');

  // A late answer does not replace a newer one.
  await page.keyboard.press('Control+k');
  const held = async (route: Route) => {
    await options.first().waitFor();
    await route.continue().catch(() => undefined);
  };
  await page.route('**/staff/find.json?q=cissp', held, { times: 1 });
  await Promise.all([page.waitForRequest('**/staff/find.json?q=cissp'), field.fill('cissp')]);
  await field.fill('late pay');
  await expect(options.first()).toContainText('Who owes');

  // What is at the right end differs in length, and the columns are the same in all rows.
  await field.fill('ccna');
  await expect(options.first()).toContainText(/CCNA/);
  const starts = await options.evaluateAll((rows) =>
    rows.map((row) => Math.round(row.children[1]?.getBoundingClientRect().left ?? 0)),
  );
  expect(new Set(starts).size).toBe(1);

  await context.setOffline(true);
  await field.fill('late paym');
  await expect(page.getByText('There is no connection')).toBeVisible();
  await context.setOffline(false);
  await field.fill('late pa');
  await expect(options.first()).toContainText('Who owes');
  // Asked of the page and not of a new tab, which a busy machine may not finish opening.
  await page.evaluate(() => {
    window.open = (to) => {
      document.body.dataset.beside = String(to);
      return null;
    };
  });
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('body')).toHaveAttribute('data-beside', '/staff/owed');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/staff/owed');
  // The next Tab goes on in the page that was found, not behind the field of the bar.
  await expect(page.locator('#main h1')).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL('/staff/people?search=grace');

  // Enter before the answer opens what was typed, not what was found before; and not the first control of a page has the
  // focus, where a second Enter would choose a file.
  await page.keyboard.press('Control+k');
  await field.fill('late pay');
  await expect(options.first()).toContainText('Who owes');
  await page.route('**/staff/find.json?q=payments', async (route) => {
    await expect(options.first()).toContainText('Who owes');
    await page.keyboard.press('Enter');
    await route.continue();
  });
  await field.fill('payments');
  await expect(page).toHaveURL('/staff/payments');
  await expect(page.locator('#main h1')).toBeFocused();
});
