import type { Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll } from './fixtures.ts';

/** As in the settings of the browser: what is sized in rem, and at which width a layout changes, goes by it. */
export async function setTextTwiceAsLarge(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}

/** Of a page whose sizes are in pixels, such as an email: as the text zoom of a mail program. */
export const doubleSizes = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('body, body *')];
    const sizes = all.map((one) => {
      const { fontSize, lineHeight } = getComputedStyle(one);
      return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)] as const;
    });
    for (const [at, [size = 0, line = Number.NaN] = []] of sizes.entries()) {
      all[at]?.style.setProperty('font-size', `${2 * size}px`, 'important');
      if (!Number.isNaN(line)) all[at]?.style.setProperty('line-height', `${2 * line}px`, 'important');
    }
  });

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

/** Nothing scrolls sideways and no heading is cut. */
export async function expectToFit(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  expect(await cutHeadings(page)).toEqual([]);
}

/** Text twice as large is shown, nothing scrolls sideways and no heading is cut (WCAG 1.4.4). */
export async function expectLargeTextToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
  await expectToFit(page);
}
