import { expect, openHydrated, test } from './fixtures.ts';

test.describe('P22: the mobile menu', () => {
  test('opens, closes on Escape with the focus back, and on a choice', async ({ page }) => {
    await openHydrated(page, '/');
    const toggle = page.locator('summary[aria-label=Menu]');
    const menu = page.getByRole('navigation', { name: 'Mobile' });
    await expect(menu).toBeHidden();
    await toggle.click();
    await expect(menu.getByRole('link')).toHaveText([
      'Courses',
      'Training Calendar',
      'About Us',
      'Free Resources',
      'Services',
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(toggle).toBeFocused();
    await toggle.click();
    await menu.getByRole('link', { name: 'Courses' }).click();
    await expect(page).toHaveURL('/courses');
    await expect(menu).toBeHidden();
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });
    test('opens and leads on', async ({ page }) => {
      await page.goto('/');
      await page.locator('summary[aria-label=Menu]').click();
      await page.getByRole('navigation', { name: 'Mobile' }).getByRole('link', { name: 'Courses' }).click();
      await expect(page).toHaveURL('/courses');
    });
  });
});
