import type { Page } from '@playwright/test';
import { openHydrated, patienceMs, withBrowser } from './browser.ts';
import { median, type Part, percentile, skipped } from './figure.ts';
import { withProgram } from './programs.ts';

const rounds = 30;
const slowerProcessor = 4;

/** Links of the header, in turn: each from the page of the one before. */
const moves = ['/courses', '/certifications', '/training-calendar', '/about'];
const categories = ['soc', 'grc', 'ai-security', 'comptia', 'cloud-security'];

/** The time from a click to the paint of the next page, in Chromium. */
export const clicks: Part = {
  name: 'clicks',
  async run() {
    const figures = await withProgram(({ url }) =>
      withBrowser(async (browser) => {
        const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 } });
        page.setDefaultTimeout(patienceMs);
        await page.addInitScript(watchPaints);
        const moved = await measureMoves(page);
        const filtered = await measureFilters(page);
        return [
          { name: 'move between public pages, median', unit: 'ms', value: median(moved), goal: { atMost: 100 } },
          { name: 'move between public pages, slowest', unit: 'ms', value: Math.max(...moved) },
          {
            name: `category filter painted, processor ${slowerProcessor} times slower, median`,
            unit: 'ms',
            value: median(filtered),
            goal: { atMost: 200 },
          },
          { name: 'category filter painted, p90', unit: 'ms', value: percentile(filtered, 0.9) },
        ];
      }),
    );
    return figures ?? [skipped('clicks', 'Chromium is not installed')];
  },
};

declare global {
  /** When the last click or change happened, and the first paint at which the page shows its outcome. */
  var paints: { from: number; waitFor(outcome: string): Promise<number> };
}

/** Runs in the page. The outcome is a path with its query, and the main part must have changed. */
function watchPaints() {
  let before = '';
  const start = (event: Event) => {
    window.paints.from = event.timeStamp;
    before = document.querySelector('main')?.textContent ?? '';
  };
  for (const kind of ['click', 'change']) addEventListener(kind, start, true);
  window.paints = {
    from: 0,
    waitFor: (outcome) =>
      new Promise((resolve) => {
        const look = () => {
          const changed = document.querySelector('main')?.textContent !== before;
          if (!changed || location.pathname + location.search !== outcome) return void requestAnimationFrame(look);
          // This frame is laid out and painted before the next task, and what React still has to do comes after this
          // one.
          void scheduler.postTask(() => resolve(performance.now() - window.paints.from), { priority: 'user-blocking' });
        };
        look();
      }),
  };
}

async function measureMoves(page: Page): Promise<number[]> {
  const times: number[] = [];
  await openHydrated(page, '/about');
  for (let round = 0; round < rounds; round++) {
    const to = moves[round % moves.length] ?? '/';
    const link = page.locator(`header a[href="${to}"]`).filter({ visible: true }).first();
    // A hand rests on a link for a moment before it clicks; that is when the link prefetches.
    await link.hover();
    await page.waitForTimeout(300);
    const painted = page.evaluate((outcome) => window.paints.waitFor(outcome), to);
    await link.click();
    times.push(await painted);
  }
  return times;
}

async function measureFilters(page: Page): Promise<number[]> {
  const times: number[] = [];
  await openHydrated(page, '/courses');
  // The browser then holds the catalogue.
  await page.waitForLoadState('networkidle');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
  for (let round = 0; round < rounds; round++) {
    const category = categories[round % categories.length] ?? '';
    // A person chooses again when the page has come to rest.
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
    await page.waitForTimeout(300);
    const painted = page.evaluate((outcome) => window.paints.waitFor(outcome), `/courses?category=${category}`);
    await page.getByLabel('Category', { exact: true }).selectOption(category);
    times.push(await painted);
  }
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return times;
}
