import { ageForm, expect, openHydrated, test } from './fixtures.ts';

test('P20: a chat that was started on a phone opens at its top', async ({ page }) => {
  await openHydrated(page, '/chat');
  await page.getByLabel('Your question').fill('Is the Hobart date certain?');
  await ageForm(page);
  await page.getByRole('button', { name: 'Start Chat' }).click();
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('Is the Hobart date certain?');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});
