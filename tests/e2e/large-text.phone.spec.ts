import type { Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll, openHydrated, test } from './fixtures.ts';
import { expectLargeTextToFit, expectWholeWords, setTextTwiceAsLarge } from './large-text.ts';

// WCAG 1.4.4: text can be twice as large without loss of content or function.
async function expectToFit(page: Page, address: string): Promise<void> {
  await setTextTwiceAsLarge(page);
  await openHydrated(page, address);
  await expectLargeTextToFit(page);
}

test('with text twice as large, enrolling fits a phone', async ({ page }) => {
  await expectToFit(page, '/enrol?course=cissp');
  await expect(page.getByRole('button', { name: 'Continue' }).last()).toBeVisible();
});

for (const address of ['/', '/courses', '/course/cissp']) {
  test(`with text twice as large, ${address} fits a phone, with search and menu in its header`, async ({ page }) => {
    await expectToFit(page, address);
    for (const label of ['Search', 'Menu']) {
      const toggle = page.locator(`summary[aria-label=${label}]`);
      await toggle.scrollIntoViewIfNeeded();
      await expect(toggle).toBeInViewport({ ratio: 1 });
      await toggle.tap();
      await expectNoSidewaysScroll(page);
    }
    await expect(page.getByRole('navigation', { name: 'Mobile' })).toBeVisible();
  });
}

test('with text twice as large, no public page scrolls a phone sideways', async ({ page }) => {
  await setTextTwiceAsLarge(page);
  for (const path of [
    'combos',
    'quest-lines',
    'about',
    'contact',
    'login',
    'faq',
    'certifications',
    'chat',
    'privacy',
  ]) {
    await page.goto(`/${path}`);
    await expectNoSidewaysScroll(page);
  }
});

for (const address of ['/', '/training-calendar', '/book/career-counseling', '/certifications']) {
  test(`with text twice as large, ${address} divides no short word and no figure`, async ({ page }) => {
    await expectToFit(page, address);
    await expectWholeWords(page);
  });
}

test.describe('on a narrow desktop', () => {
  test.use({ viewport: { width: 1024, height: 768 }, isMobile: false, hasTouch: false });

  test('the search of the header has room for what it says', async ({ page }) => {
    await page.goto('/');
    const field = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
    const { width } = (await field.boundingBox()) ?? { width: 0 };
    expect(width).toBeGreaterThan(250);
    await expectNoSidewaysScroll(page);
  });
});
