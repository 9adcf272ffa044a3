import { expect, expectAccessibleEverywhere, expectNoSidewaysScroll, openHydrated, test } from './fixtures.ts';

// The other pages are looked at in tests/torture/browser.
for (const address of ['/', '/course/ai-management-systems-lead-auditor', '/enrol?course=cissp']) {
  test(`axe finds nothing in either scheme at any width, nothing scrolls sideways: ${address}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openHydrated(page, address);
    await expectAccessibleEverywhere(page);
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
