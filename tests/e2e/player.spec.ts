import {
  cards,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  once,
  onPhone,
  openHydrated,
  test,
} from './fixtures.ts';
import { makePlayer } from './make-player.ts';

const signedIn = (token: string, url = '') => [
  { name: 'player', value: token, url },
  { name: 'signed-in', value: '1', url },
];

test('the pages of an account are accessible in both colour schemes', onPhone, async ({ page, context, baseURL }) => {
  await context.addCookies(signedIn(await makePlayer('quoll@example.org'), baseURL));
  for (const path of ['/account', '/company', '/account/bower', '/account/data', '/account/leave']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await expectNoSidewaysScroll(page);
  }
});

test('P55: name and progress move nothing', once, async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'signed-in', value: '1', url: baseURL ?? '' }]);
  let answer = () => {};
  await page.route('**/api/player', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    const cissp = { percent: 42, xp: 2352, courseXp: 5600, finished: false };
    const hunting = { percent: 100, xp: 3300, courseXp: 3300, finished: true };
    await route.fulfill({ json: { name: 'Wilhelmina', progress: { cissp, 'threat-hunting': hunting } } });
  });
  for (const [width, height] of [
    [1440, 900],
    [375, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/courses?search=CISSP', '/courses?search=threat+hunting']) {
      const asked = page.waitForRequest('**/api/player');
      await page.goto(path);
      await asked;
      // From here on only what the answer brings can move anything: the fonts are there.
      await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        Object.assign(window, { shifted: 0 });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            Object.assign(window, { shifted: Reflect.get(window, 'shifted') + Reflect.get(entry, 'value') });
          }
        }).observe({ type: 'layout-shift' });
      });
      answer();
      const words = cards(page).getByText(/^(?:42%|Finished)$/);
      await expect(words.first()).toBeVisible();
      if (width > 1000) {
        await expect(page.getByRole('banner').getByRole('link', { name: 'Wilhelm…' })).toBeVisible();
      }
      const shifted = await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return Reflect.get(window, 'shifted');
      });
      expect([path, width, shifted]).toEqual([path, width, 0]);
    }
  }
});

test(
  'who logs a browser out in the settings keeps their place on the page',
  once,
  async ({ page, context, baseURL }) => {
    const inPage = () => page.evaluate(() => document.activeElement?.id);
    const token = await makePlayer('numbat@example.org', ['Chrome on Linux', 'Safari on iOS', 'Firefox on Linux']);
    await context.addCookies(signedIn(token, baseURL));
    await openHydrated(page, '/account/settings');
    await page.getByRole('button', { name: 'Log out Safari on iOS' }).press('Enter');
    await expect(page.getByRole('status')).toHaveText('That browser is logged out.');
    await expect.poll(inPage).toBe('main');
    await page.getByRole('button', { name: 'Log out everywhere else' }).press('Enter');
    await expect(page.getByRole('status')).toHaveText('Every other browser is logged out.');
    await expect.poll(inPage).toBe('main');
  },
);
