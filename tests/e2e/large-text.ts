import type { Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll } from './fixtures.ts';

/** As in the settings of the browser: what is sized in rem, and at which width a layout changes, goes by it. */
export async function setTextTwiceAsLarge(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}

const cutHeadings = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3')]
      .filter((heading) => heading.checkVisibility() && heading.clientWidth > 1 && !heading.closest('[inert]'))
      .filter((heading) => {
        const { left, right } = heading.getBoundingClientRect();
        return left < 0 || right > innerWidth || heading.scrollWidth > heading.clientWidth + 1;
      })
      .map((heading) => heading.textContent),
  );

/** Text twice as large is shown, nothing scrolls sideways and no heading is cut (WCAG 1.4.4). */
export async function expectLargeTextToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
  await expectNoSidewaysScroll(page);
  expect(await cutHeadings(page)).toEqual([]);
}
