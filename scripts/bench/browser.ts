import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '#scripts/support/chromium.ts';

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** How long a page may take on a busy machine before a part fails. */
export const patienceMs = 120_000;

/** Runs work with the machine's Chromium; null when there is none. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T | null> {
  const executablePath = findChromium();
  if (!executablePath) return null;
  const browser = await chromium.launch({ executablePath, args });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a page and waits until React has taken it over. */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')));
}
