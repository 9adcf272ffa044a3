import { expect, test } from './fixtures.ts';

for (const address of ['/contact', '/book/career-counseling']) {
  test(`nothing on ${address} moves while it arrives`, async ({ page, expectConsole }) => {
    expectConsole(/Failed to decode downloaded font|OTS parsing error/);
    // Fonts would move lines too, when they come late: without them, only the layout in parts is looked at.
    await page.route('**/*.woff2', (route) => route.fulfill({ status: 204 }));
    await page.addInitScript(() => {
      Object.assign(window, { shifts: [] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) Reflect.get(window, 'shifts').push(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(address);
    await expect(page.locator('html')).not.toHaveAttribute('data-arriving');
    const shifted = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return Reflect.get(window, 'shifts').reduce((sum: number, one: number) => sum + one, 0);
    });
    expect(shifted).toBeLessThan(0.005);
  });
}
