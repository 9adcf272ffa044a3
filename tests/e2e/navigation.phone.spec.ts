import { expect, expectNoSidewaysScroll, openHydrated, test } from './fixtures.ts';

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

  test('closes when the focus leaves it by Tab', async ({ page }) => {
    await openHydrated(page, '/courses');
    await page.locator('summary[aria-label=Menu]').click();
    const menu = page.getByRole('navigation', { name: 'Mobile' });
    await page.getByRole('banner').getByRole('link', { name: 'Enroll Now' }).filter({ visible: true }).focus();
    await expect(menu).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(menu).toBeHidden();
  });

  test('closes on Escape wherever the focus is', async ({ page }) => {
    await openHydrated(page, '/courses');
    await page.locator('summary[aria-label=Menu]').click();
    const menu = page.getByRole('navigation', { name: 'Mobile' });
    await expect(menu).toBeVisible();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('Escape');
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

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: { width: 320, height: 640 } });

    test('P35: a tap opens the note on players and on XP', async ({ page }) => {
      await (javaScriptEnabled ? openHydrated(page, '/course/cissp') : page.goto('/course/cissp'));
      for (const [figure, note] of [
        ['14,230', 'Learners who have taken this course: the academy’s own figure of 2025, see Figures and sources.'],
        ['5,600', '80 hours at 70 XP an hour'],
      ] as const) {
        await expect(page.getByText(note)).toBeHidden();
        await page.getByRole('button', { name: figure }).tap();
        await expect(page.getByText(note)).toBeInViewport({ ratio: 1 });
        await page.getByRole('heading', { level: 1 }).tap();
        await expect(page.getByText(note)).toBeHidden();
      }
    });

    test('P11: search stands in the header of a phone', async ({ page }) => {
      await (javaScriptEnabled ? openHydrated(page, '/') : page.goto('/'));
      await expectNoSidewaysScroll(page);
      await page.locator('summary[aria-label=Search]').click();
      const box = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
      if (javaScriptEnabled) await expect(box).toBeFocused();
      await expectNoSidewaysScroll(page);
      await box.fill('sc900');
      await box.press('Enter');
      await expect(page).toHaveURL('/courses?search=sc900');
      await expect(page.getByRole('link', { name: /SC-900/ }).first()).toBeVisible();
    });
  });
}
