import { chromiumOptions } from './chromium-options.ts';
import { cards, expect, test } from './fixtures.ts';

test.use({ launchOptions: chromiumOptions({ pictures: true }) });

// The other journeys are made by a browser that shows none.
for (const [address, least] of [
  ['/', 5],
  ['/courses', 5],
  ['/course/cissp', 2],
] as const) {
  test(`the pictures in sight are drawn on ${address}`, async ({ page }) => {
    await page.goto(address, { waitUntil: 'load' });
    const inSight = page.locator('img').filter({ visible: true });
    const drawn = () =>
      inSight.evaluateAll((all) => {
        const seen = all.filter((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        });
        return seen.map((one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth > 0);
      });
    await expect.poll(async () => (await drawn()).every(Boolean)).toBe(true);
    expect(await inSight.count()).toBeGreaterThanOrEqual(least);
    if (address === '/courses') await expect(cards(page).first().locator('img')).toHaveJSProperty('naturalWidth', 400);
  });
}
