import type { Page } from '@playwright/test';
import { ageForm, cards, expect, expectAccessible, once, onPhone, openHydrated, test } from './fixtures.ts';

test.beforeEach(({ expectConsole }) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|status of 502/);
});

/** The site's styles are in force: the page's ground is the token of its scheme, not the browser's white. */
async function expectStyled(page: Page) {
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toMatch(/^oklch|^color|^lab/);
  // Of those in the head, the last is React's own once it has made the head anew.
  await expect(page.locator('head > style').last()).not.toBeEmpty();
}

/** A browser that holds the catalogue lists courses without the connection. */
async function withoutHeldCatalogue(page: Page) {
  await page.route('**/api/catalogue', (route) => route.abort('internetdisconnected'));
}

async function fillMessage(page: Page) {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`);
  await page.getByLabel('Message', { exact: true }).fill('Three analysts,\nin March.');
  await page.getByLabel('Tell me now and then').check();
}

test(
  'a form sent while offline stays as it is under a message, and can be sent again',
  onPhone,
  async ({ page, context }) => {
    await openHydrated(page, '/contact');
    await fillMessage(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send Message' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Not confirmed yet');
    await expect(alert).toContainText('Everything you wrote is still below');
    await expect(alert).toBeFocused();
    await expect(alert).toBeInViewport();
    await expectStyled(page);
    await expectAccessible(page);
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Three analysts,\nin March.');
    await expect(page.getByLabel('Tell me now and then')).toBeChecked();

    await context.setOffline(false);
    await ageForm(page);
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your message has arrived');
  },
);

test('a form that a proxy answers with 502 stays as it is under a message', once, async ({ page }) => {
  await openHydrated(page, '/enrol?course=cissp');
  await page.getByRole('radio', { name: /27 to 31 October/ }).check();
  await page.getByRole('radio', { name: '3', exact: true }).check();
  await page.route('**/enrol.data*', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('Everything you wrote is still below');
  await expectStyled(page);
  await expect(page.getByRole('radio', { name: /27 to 31 October/ })).toBeChecked();
  await expect(page.getByRole('radio', { name: '3', exact: true })).toBeChecked();
});

const unreachable = [
  { what: 'data', from: '/courses?search=cloud', link: 'Newest', to: '/courses?search=cloud&sort=newest' },
  { what: 'code', from: '/courses', link: 'FAQ', to: '/faq' },
];
for (const { what, from, link, to } of unreachable) {
  test(
    `P36: a page whose ${what} cannot be fetched: the error screen in the frame, and Try again opens it`,
    once,
    async ({ page, context, expectConsole }) => {
      expectConsole(/Failed to fetch|Error loading route module/);
      await withoutHeldCatalogue(page);
      const routesOfLinks = page.waitForResponse('**/__manifest?*');
      await openHydrated(page, from);
      await (await routesOfLinks).finished();
      await context.setOffline(true);
      await page.getByRole('link', { name: link, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
      await expect(page.getByRole('main')).toContainText('could not reach the academy');
      await expect(page.getByRole('banner')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
      await expectStyled(page);
      await expectAccessible(page);

      await context.setOffline(false);
      await page.getByRole('link', { name: 'Try again' }).click();
      await expect(page).toHaveURL(to);
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Unexpected Application Error!');
      await expectStyled(page);
    },
  );
}

test(
  'P10: LOAD MORE QUESTS while offline says so beside the button and keeps the list',
  once,
  async ({ page, context }) => {
    await withoutHeldCatalogue(page);
    await openHydrated(page, '/courses');
    const shown = await cards(page).count();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
    await expect(page.getByRole('alert')).toContainText('could not reach the academy');
    await expect(cards(page)).toHaveCount(shown);
    await expect(page).toHaveURL('/courses');
    await expectStyled(page);

    await context.setOffline(false);
    await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
    await expect(cards(page)).toHaveCount(shown + 24);
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test('the styles stay when React makes the whole document anew', once, async ({ page, expectConsole }) => {
  expectConsole(/Minified React error #418/);
  await page.route('/faq', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('>Frequently asked questions<', '>Changed<') });
  });
  await page.goto('/faq');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Frequently asked questions');
  await expectStyled(page);
});

test(
  'the file of styles of a page for staff stays when React makes the whole document anew',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/Minified React error #418/);
    await page.route('/staff/sign-in', async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({ response, body: html.replace(/(<h1[^>]*>)[^<]*/, '$1Changed') });
    });
    await page.goto('/staff/sign-in');
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Changed');
    await expect(page.locator('head > style')).toHaveCount(0);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toMatch(/^oklch|^color|^lab/);
  },
);
