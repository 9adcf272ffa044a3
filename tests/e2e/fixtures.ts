import { createHash } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

export { expect };

/** Console errors and warnings fail a test, unless it says beforehand which it expects. */
export const test = base.extend<{ expectConsole: (pattern: RegExp) => void }>({
  // Each test is a visitor with an address of its own, as a trusted proxy would tell it.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use, { testId }) => {
    const [, high, low] = /^(.{4})(.{4})/.exec(createHash('sha256').update(testId).digest('hex')) ?? [];
    await use({ ...extraHTTPHeaders, 'X-Forwarded-For': `2001:db8:${high}:${low}::1` });
  },
  expectConsole: [
    async ({ page }, use) => {
      const expected: RegExp[] = [];
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
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')));
}

export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** Runs axe with all its rules, or only those named. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window);
}

export const cards = (page: Page) => page.getByRole('article');
