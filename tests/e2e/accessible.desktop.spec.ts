import { expect, expectAccessible, expectNoSidewaysScroll, openHydrated, test } from './fixtures.ts';

const pages = [
  '/',
  '/courses?search=nothing+like+it',
  '/course/ai-management-systems-lead-auditor',
  '/course/none',
  '/none',
  '/about',
  '/certifications',
  '/certifications/az-500',
  '/contact',
  '/contact?topic=booking',
  '/training-calendar',
  '/training-calendar/ethical-hacker-sydney',
  '/combos',
  '/quest-lines',
  '/quest-lines/soc-analyst',
  '/free-resources',
  '/faq',
  '/services',
  '/help',
  '/free-resources/log-triage-cheat-sheet',
  '/privacy',
  '/terms',
  '/enrol?course=cissp',
  '/login',
  '/demo',
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1440]) {
    test(`axe finds nothing, nothing scrolls sideways: ${colorScheme}, ${width} px`, async ({
      page,
      expectConsole,
    }) => {
      test.setTimeout(120_000);
      expectConsole(/404/);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const address of pages) {
        await openHydrated(page, address);
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
    });
  }

  test(`axe finds nothing in the open states: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openHydrated(page, '/courses');
    const box = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
    await box.fill('cloud');
    await expect(page.getByRole('listbox')).toBeVisible();
    await box.press('ArrowDown');
    await expectAccessible(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'Watch Demo' }).first().click();
    await expectAccessible(page);
    await openHydrated(page, '/faq');
    await page.locator('summary').nth(1).click();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await page.locator('summary[aria-label=Menu]').click();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
}

test('the first Tab offers to skip to the content', async ({ page }) => {
  await openHydrated(page, '/courses');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('at 400% zoom a course reads in one column without sideways scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await openHydrated(page, '/course/cissp');
  await expectNoSidewaysScroll(page);
});
