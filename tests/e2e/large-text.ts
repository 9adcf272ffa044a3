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

/** Words of ten letters or fewer, or figures such as 4.8/5, that begin in one line and end in another. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (
        !parent?.checkVisibility() ||
        parent.closest('[inert], .sr-only, .wrap-anywhere, [aria-hidden=true], script, style')
      )
        continue;
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(
        /(?<![\p{L}\d.,/$-])[\p{L}\d.,/$]{2,10}(?![\p{L}\d-])/gu,
      )) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  });

/** Selects whose chosen option is wider than the room for it, in the lines that they have. */
const cutChoices = (page: Page) =>
  page.evaluate(() => {
    const letters = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('select')]
      .filter((one) => one.checkVisibility())
      .flatMap((one) => {
        const look = getComputedStyle(one);
        const chosen = one.selectedOptions[0]?.text ?? '';
        if (!letters) return [];
        letters.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
        const inside = (...edges: string[]) => edges.reduce((sum, edge) => sum + Number.parseFloat(edge), 0);
        const width = one.clientWidth - inside(look.paddingLeft, look.paddingRight);
        const height = one.clientHeight - inside(look.paddingTop, look.paddingBottom);
        const lines = Math.max(1, Math.floor(height / Number.parseFloat(look.lineHeight) + 0.1));
        return letters.measureText(chosen).width > width * lines ? [chosen] : [];
      });
  });

/** Nothing scrolls sideways, and no heading or choice is cut. */
export async function expectToFit(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  expect(await cutHeadings(page)).toEqual([]);
  expect(await cutChoices(page)).toEqual([]);
}

/** Text is read by words: no short one is divided. */
export async function expectWholeWords(page: Page): Promise<void> {
  expect(await brokenWords(page)).toEqual([]);
}

/** Text twice as large is shown, nothing scrolls sideways and no heading is cut (WCAG 1.4.4). */
export async function expectLargeTextToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
  await expectToFit(page);
}
