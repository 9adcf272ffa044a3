import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { doubleSizes, expectToFit } from './large-text.ts';

/** Of emails by their kind: axe finds nothing in either scheme, and none scrolls sideways, or with text twice as large. */
export async function expectReadable(page: Page, mails: [kind: string, html: string][]): Promise<void> {
  const each = async (look: () => Promise<void>) => {
    for (const [kind, html] of mails) {
      await test.step(kind, async () => {
        await page.setContent(html);
        await look();
      });
    }
  };
  await page.setViewportSize({ width: 320, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await each(async () => {
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await each(() => expectAccessible(page, ['color-contrast']));
  // As wide as two columns of a mail program leave it (WCAG 1.4.4).
  await page.setViewportSize({ width: 640, height: 900 });
  await each(async () => {
    await doubleSizes(page);
    await expectToFit(page);
  });
}
