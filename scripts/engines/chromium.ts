import { chromium as playwright } from '@playwright/test';
import { findChromium } from '#scripts/support/chromium.ts';
import type { Engine } from './engine.ts';

/** The browser of the other journeys, for comparison: what fails here too is no fault of an engine. */
export const chromium: Engine = {
  name: 'Chromium',
  missing: () => (findChromium('shell') ? null : 'chromium-headless-shell is not installed'),
  async drive(work) {
    const browser = await playwright.launch({
      executablePath: findChromium('shell') ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      return await work({
        open: async (address) => void (await page.goto(address)),
        evaluate: (expression) => page.evaluate(expression),
        press: (x, y) => page.mouse.click(x, y),
        async type(text) {
          for (const letter of text) await page.keyboard.press(letter === '\n' ? 'Enter' : letter);
        },
        back: async () => void (await page.goBack()),
        picture: () => page.screenshot(),
      });
    } finally {
      await browser.close();
    }
  },
};
