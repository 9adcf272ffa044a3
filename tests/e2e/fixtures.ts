import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test as base, expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';

// Half the size of its main file, which each page would have to read.
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export { expect };

/** For tests to which the width makes no difference: they run at the desktop's. */
export const once = { tag: '@once' };
/** For those that run at a phone's width instead: where it is the harder one, or where one of two variants runs at each. */
export const onPhone = { tag: '@phone' };

/** Console errors and warnings fail a test, unless it says beforehand which it expects. */
export const test = base.extend<{ expectConsole: (pattern: RegExp) => void }>({
  // Each test is a visitor with an address of its own, as a trusted proxy would tell it.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use, { testId }) => {
    const [, high, low] = /^(.{4})(.{4})/.exec(createHash('sha256').update(testId).digest('hex')) ?? [];
    await use({ ...extraHTTPHeaders, 'X-Forwarded-For': `2001:db8:${high}:${low}::1` });
  },
  expectConsole: [
    async ({ page }, use) => {
      const expected = [
        // The browser's own remark: most browsers here show no pictures.
        /\/(art|account\/bower)\/\S+' is found, but is not used because image loading is disabled/,
        /\/art\/\S+ was preloaded using link preload but not used/,
        // The browser's own too, on a busy machine: it gives up the cross-fade between two pages.
        /^Transition was (?:aborted because of invalid state\. Page already revealed|skipped(?:\. skipTransition\(\) called)?)$/,
        // The router's, of a page that is left or has no network before it has the routes of its links.
        /^Failed to fetch manifest patches/,
      ];
      const unexpected: string[] = [];
      const hear = (text: string) => {
        if (!expected.some((pattern) => pattern.test(text))) unexpected.push(text);
      };
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) hear(message.text());
      });
      page.on('pageerror', (error) => hear(error.message));
      await use((pattern) => {
        expected.push(pattern);
      });
      expect(unexpected).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has taken the page over: only then do its handlers hear anything. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')));
}

export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** For journeys in which something moves: the others are made by visitors who asked for reduced motion. */
export const withMotion = (page: Page) => page.emulateMedia({ reducedMotion: 'no-preference' });

/** A form made less than two seconds ago is taken for a program's; a person takes longer. */
export async function ageForm(page: Page): Promise<void> {
  // The form says by the academy's clock when it was made, which is another than this computer's.
  await expect(page.locator('input[name=form]')).toHaveCount(1);
  const seenAt = Date.now();
  await expect.poll(() => Date.now() - seenAt, { intervals: [200] }).toBeGreaterThan(2100);
}

/** Runs axe with all its rules, or only those named. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // Loading it is dear, and it stays in a page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await (Reflect.get(window, 'axe') as typeof Axe).run({
      resultTypes: ['violations'],
      runOnly,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rules);
  expect(found).toEqual([]);
}

/** Names what stands out, from the innermost. A phone makes its own `innerWidth` as wide as what does not fit. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate((width) => {
    if (document.documentElement.scrollWidth <= width) return [];
    const all = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > width);
    return [document.documentElement.scrollWidth, ...all.reverse().map(({ outerHTML }) => outerHTML.slice(0, 150))];
  }, page.viewportSize()?.width ?? 0);
  expect(wide).toEqual([]);
}

export const cards = (page: Page) => page.getByRole('article');

/** What axe can find out only by looking: contrast depends on the scheme, the size of a target on the width. */
export const byScheme = ['color-contrast', 'link-in-text-block'];
const byWidth = ['target-size', 'scrollable-region-focusable'];

/**
 * Every rule in light at 1440 px and in dark at 320 px, where the page shows what wide screens hide, such as the menu's
 * button; between them, in dark at 768 px, what the scheme or the width may change.
 */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 768, height: 900 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, [...byScheme, ...byWidth]);
  await page.setViewportSize({ width: 320, height: 900 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}
