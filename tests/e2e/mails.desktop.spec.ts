import { mailsAsHtml } from '#scripts/support/mail-samples.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test('axe finds nothing in any email in either scheme, and none scrolls sideways on a phone', async ({ page }) => {
  test.setTimeout(120_000);
  const mails = Object.entries(await mailsAsHtml());
  expect(mails.length).toBeGreaterThan(30);
  await page.setViewportSize({ width: 320, height: 900 });
  for (const [kind, html] of mails) {
    await test.step(kind, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setContent(html);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page, ['color-contrast']);
    });
  }
});
