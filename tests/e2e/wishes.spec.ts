import { cards, expect, expectAccessible, expectNoSidewaysScroll, once, openHydrated, test } from './fixtures.ts';
import { makePlayer } from './make-player.ts';

const heart = (page: import('@playwright/test').Page, name: string | RegExp) =>
  cards(page).getByRole('button', { name }).first();

test('P57: a visitor keeps wishes on the device, in every tab; the login brings them along and takes them off it', async ({
  page,
  context,
  baseURL,
}, { project }) => {
  const other = await context.newPage();
  await other.goto('/courses?search=CISSP');
  await page.goto('/courses?search=CISSP');
  const name = /^Wish for Certified Information Systems Security Professional/;
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(other, name)).toHaveAttribute('aria-pressed', 'false');
  await heart(page, name).focus();
  await page.keyboard.press('Enter');
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(other, name)).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);

  await page.goto('/course/cissp');
  const own = page.getByRole('button', { name: 'Wish for this course' });
  await expect(own).toHaveAttribute('aria-pressed', 'true');
  await openHydrated(page, '/wishes');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const token = await makePlayer(`quoll-${project.name}@example.org`);
  await context.addCookies([
    { name: 'player', value: token, url: baseURL ?? '' },
    { name: 'signed-in', value: '1', url: baseURL ?? '' },
  ]);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Wishes' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('wishes'))).toBeNull();
  for (const path of ['/account', '/account/wishes', '/account/data', '/account/leave']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }

  await page.goto('/courses?search=CISSP');
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'true');
  const press = async () => {
    const saved = page.waitForResponse('**/api/wishes');
    await heart(page, name).click();
    expect((await saved).status()).toBe(200);
  };
  await press();
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'false');
  await page.goto('/account/wishes');
  await expect(page.getByText('Nothing is on your list yet.')).toBeVisible();
  // The next person at this device gets none of them.
  await page.goto('/courses?search=CISSP');
  await press();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL(`${baseURL}/`);
  await openHydrated(page, '/wishes');
  await expect(page.getByText('Nothing is on your list yet.')).toBeVisible();
});

test('P55: hearts, name and progress move nothing', once, async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'signed-in', value: '1', url: baseURL ?? '' }]);
  let answer = () => {};
  await page.route('**/api/player', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    const cissp = { percent: 42, xp: 2352, courseXp: 5600, finished: false };
    const hunting = { percent: 100, xp: 3300, courseXp: 3300, finished: true };
    const progress = { cissp, 'threat-hunting': hunting };
    await route.fulfill({ json: { name: 'Wilhelmina', initial: 'W', wishes: ['cissp'], progress } });
  });
  for (const [width, height] of [
    [1440, 900],
    [375, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/courses?search=CISSP', '/courses?search=threat+hunting', '/course/cissp']) {
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
      if (path.startsWith('/courses')) {
        await expect(heart(page, /^Wish for/)).toBeVisible();
        await expect(
          cards(page)
            .getByText(/^(?:42%|Finished)$/)
            .first(),
        ).toBeVisible();
      } else {
        const own = page.getByRole('button', { name: 'Wish for this course' });
        await expect(own).toHaveAttribute('aria-pressed', 'true');
      }
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
  'P57: where the browser keeps nothing, cards have no heart and the course’s page leads to the login',
  once,
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    });
    await openHydrated(page, '/courses?search=CISSP');
    await openHydrated(page, '/course/cissp');
    const wish = page.getByRole('button', { name: 'Wish for this course' });
    await expect(wish).not.toHaveAttribute('aria-pressed');
    await wish.click();
    await expect(page).toHaveURL(/\/login\?to=%2Faccount%2Fwishes%3Fwish%3Dcissp$/);
  },
);

test('P57: a wish that could not be saved is taken back and said', once, async ({ page, expectConsole }) => {
  expectConsole(/503|Failed to load/);
  await page.route('**/api/player', (route) =>
    route.fulfill({ json: { name: null, initial: 'A', wishes: [], progress: {} } }),
  );
  await page.route('**/api/wishes', (route) => route.fulfill({ status: 503, json: { ok: false } }));
  await page.goto('/courses?search=CISSP');
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the login sets it
    document.cookie = 'signed-in=1; path=/';
  });
  await page.reload();
  await heart(page, /^Wish for Certified/).click();
  await expect(page.getByRole('alert')).toHaveText('We could not save this. Please try again.');
  await expect(heart(page, /^Wish for Certified/)).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible(page);
});

test(
  'P57: who removes something in the account or on the wishes keeps their place on the page',
  once,
  async ({ page, context, baseURL }) => {
    const inPage = () => page.evaluate(() => document.activeElement?.id);
    await openHydrated(page, '/courses');
    await page.evaluate(() => localStorage.setItem('wishes', JSON.stringify(['cissp', 'cism'])));
    await openHydrated(page, '/wishes');
    await page.getByRole('button', { name: /^Remove : Certified Information Systems/ }).press('Enter');
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await expect.poll(inPage).toBe('main');

    const token = await makePlayer('numbat@example.org', ['Chrome on Linux', 'Safari on iOS', 'Firefox on Linux']);
    await context.addCookies([
      { name: 'player', value: token, url: baseURL ?? '' },
      { name: 'signed-in', value: '1', url: baseURL ?? '' },
    ]);
    await openHydrated(page, '/account/wishes');
    await page.getByRole('button', { name: /^Remove : / }).press('Enter');
    await expect(page.getByText('Nothing is on your list yet.')).toBeVisible();
    await expect.poll(inPage).toBe('main');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Log out Safari on iOS' }).press('Enter');
    await expect(page.getByRole('status')).toHaveText('That browser is logged out.');
    await expect.poll(inPage).toBe('main');
    await page.getByRole('button', { name: 'Log out everywhere else' }).press('Enter');
    await expect(page.getByRole('status')).toHaveText('Every other browser is logged out.');
    await expect.poll(inPage).toBe('main');
  },
);
