import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ageForm, expect, hydrated, test } from './fixtures.ts';

/** Stands before the program and holds a page back in the middle of the script that will start its modules. */
async function holdingProxy(baseURL: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async ({ url = '/', headers }, response) => {
    const answer = await fetch(baseURL + url, { headers: { Accept: headers.accept ?? '*/*' } });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ['content-type', 'content-security-policy']) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    const script = body.indexOf('data-modules="');
    if (script < 0) return response.end(body);
    const inside = body.indexOf('>', script) + 40;
    response.write(body.subarray(0, inside));
    await released;
    response.end(body.subarray(inside));
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}`, release, close };
}

test('a page that is used while it is still arriving is taken over once it is whole', async ({ page, baseURL }) => {
  const proxy = await holdingProxy(baseURL ?? '');
  await page.goto(proxy.url, { waitUntil: 'commit' });
  await expect(page.locator('script[data-modules]')).toBeAttached();
  await page.keyboard.press('Tab');
  await page.mouse.move(200, 200);
  proxy.release();
  await page.getByLabel('Category', { exact: true }).selectOption('soc');
  // Only React changes the address without loading the page anew.
  await expect(page).toHaveURL(/\?category=soc/);
  proxy.close();
});

test('a pointer that nobody moves starts nothing; one that moves does', async ({ page }) => {
  // Idle time never comes: only a sign of use starts the page.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto('/faq');
  const waiting = page.locator('script[data-modules]');
  await page.evaluate(() => {
    // What browsers report when a page appears under a pointer.
    for (const sign of ['pointerover', 'pointermove'])
      document.body.dispatchEvent(new PointerEvent(sign, { bubbles: true }));
  });
  await expect(waiting).toBeAttached();
  await page.mouse.move(200, 200);
  await page.mouse.move(240, 240);
  await expect(waiting).not.toBeAttached();
});

test('on a phone a fresh visit lays out what is out of sight in parts, and all of it before React; a return needs it at once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const last = document.querySelector('footer');
      const { arriving } = document.documentElement.dataset;
      Object.assign(window, { seen: [arriving, last && getComputedStyle(last).contentVisibility] });
    });
  });
  const seen = () => page.evaluate(() => (window as Window & { seen?: unknown }).seen);
  await page.goto('/courses');
  expect(await seen()).toEqual(['', 'auto']);
  const root = page.locator('html');
  await expect(root).not.toHaveAttribute('data-arriving');
  const hidden = await page
    .locator('#main section, #main li:nth-child(n + 4) > article, footer')
    .evaluateAll((parts) => parts.filter((part) => getComputedStyle(part).contentVisibility !== 'visible').length);
  expect(hidden).toBe(0);
  await page.reload();
  expect(await seen()).toEqual([undefined, 'visible']);
  await page.goto('/courses#main');
  await page.goto('/terms#main');
  expect(await seen()).toEqual([undefined, 'visible']);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/courses');
  expect(await seen()).toEqual([undefined, 'visible']);
});

test('P23: what is typed and chosen before React takes the page over is kept, in a textarea with a text as well', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 400/);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Email').fill('ada at home');
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('Three analysts.');
  await ageForm(page);
  await page.getByRole('button', { name: 'Send Message' }).click();
  // Refused without scripts, the page comes back with what was written.
  await expect(message).toHaveValue('Three analysts.');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Interested In').selectOption('corporate-training');
  await page.getByLabel('Tell me now and then').check();
  await message.fill('Four analysts.');
  release();
  await hydrated(page);
  await message.press('End');
  await page.keyboard.type(' In March.');
  await expect(message).toHaveValue('Four analysts. In March.');
  await expect(page.getByLabel('Last name')).toHaveValue('Byron');
  await expect(page.getByLabel('Interested In')).toHaveValue('corporate-training');
  await expect(page.getByLabel('Tell me now and then')).toBeChecked();
});
