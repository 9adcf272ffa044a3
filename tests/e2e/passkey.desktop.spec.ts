import type { Page } from '@playwright/test';
import { expect, expectAccessible, openHydrated, test } from '#tests/e2e/fixtures.ts';
import { mailedCode } from '#tests/e2e/mailed-code.ts';

/** Gives the browser a device with a screen lock that answers by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('P51, P53: a player logs in by a code, adds a passkey, logs out and logs in with it; the header knows them', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  // A wrong code is answered with 409.
  expectConsole(/409/);
  const email = 'bandicoot@example.org';
  await page.goto('/login');
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectAccessible(page);

  let code = '';
  await expect(async () => {
    code = await mailedCode(page, email);
    expect(code).toMatch(/^\d{6}$/);
  }).toPass();
  const field = page.getByLabel('Six-digit code');
  await field.fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toHaveText('That code is not right. Four tries are left.');
  // The wrong one is selected, so that the right one is typed over it.
  await expect(field).toBeFocused();
  await page.keyboard.type(code);
  await expect(field).toHaveValue(code);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Your first course starts your bower' })).toBeVisible();
  await expectAccessible(page);

  await addAuthenticator(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Saved. We email you about this change')).toBeVisible();
  await expect(page.getByText('Chrome on Linux, added')).toBeVisible();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL(`${baseURL}/`);

  await page.goto('/login?to=%2Faccount%2Fsettings');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await page.goto('/about');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
});

test('P51: after the fifth wrong code the page offers a new one in the place of the field', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/409/);
  await page.goto('/login');
  await page.getByLabel('Email').fill('potoroo@example.org');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  for (const left of ['Four tries are', 'Three tries are', 'Two tries are', 'One try is']) {
    await page.getByLabel('Six-digit code').fill('000000');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByRole('alert')).toHaveText(`That code is not right. ${left} left.`);
  }
  await page.getByLabel('Six-digit code').fill('000000');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toHaveText(/The code was wrong five times/);
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Send a new code' })).toBeVisible();
});

test('P53: what came of a passkey is said as it is, and its button keeps the focus', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  const email = 'bilby@example.org';
  await page.goto('/login?to=%2Faccount%2Fsettings');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  let code = '';
  await expect(async () => {
    code = await mailedCode(page, email);
    expect(code).toMatch(/^\d{6}$/);
  }).toPass();
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await openHydrated(page, '/account/settings');

  await addAuthenticator(page);
  const add = page.getByRole('button', { name: 'Add a passkey' });
  const said = page.getByRole('alert');
  await page.route('**/account/settings/passkey', (route) => route.abort());
  await add.press('Enter');
  await expect(said).toHaveText('That did not work. Please check your connection and load the page again.');
  await page.unrouteAll();
  // It is added, and the answer that says so is lost.
  await page.route('**/account/settings/passkey', async (route, request) => {
    if (request.postData()?.startsWith('step=options')) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await add.press('Enter');
  await expect(said).toHaveText('We do not know whether it was added. Reload this page: it lists your passkeys.');
  await expect(add).toBeFocused();
  await page.unrouteAll();
  await expect(page.getByText('Chrome on Linux, added')).toHaveCount(0);
  await add.press('Enter');
  await expect(said).toHaveText('This device has a passkey for your account already.');
  await expect(page.getByText('Chrome on Linux, added')).toBeVisible();
  await expect(add).toBeFocused();
});
