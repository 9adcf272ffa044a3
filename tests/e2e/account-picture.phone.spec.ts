import { chromiumOptions } from './chromium-options.ts';
import { expect, test } from './fixtures.ts';
import { mailedCode } from './mailed-code.ts';

test.use({ launchOptions: chromiumOptions({ pictures: true }) });

test('P56: on a phone the account stays where it is while the picture of the bower arrives', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/tall\.svg was preloaded/);
  const email = 'quokka@example.org';
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  const field = page.getByLabel('Six-digit code');
  await expect(field).toBeVisible();
  await expect(async () => expect(await mailedCode(page, email)).toMatch(/^\d{6}$/)).toPass();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/account/bower/tall.svg*', async (route) => {
    await arrived;
    await route.continue();
  });
  await field.fill(await mailedCode(page, email));
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Your first course starts your bower' })).toBeVisible();
  const picture = page.locator('img[src$="tall.svg"]');
  const before = await picture.boundingBox();
  expect(before?.height).toBe(320);
  arrive();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
  expect(await picture.boundingBox()).toEqual(before);
});
