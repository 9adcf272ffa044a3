import { ageForm, expect, expectAccessible, expectNoSidewaysScroll, test } from '#tests/e2e/fixtures.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('P28: the whole way from a date to being enrolled, with a mistake, a way back and the code', async ({
      page,
      expectConsole,
    }) => {
      expectConsole(/status of 400/);
      const email = `ada@${crypto.randomUUID()}.example`;
      const heading = page.getByRole('heading', { level: 1 });
      const go = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).last().click();
      const check = async () => {
        await expectNoSidewaysScroll(page);
        if (javaScriptEnabled) await expectAccessible(page);
      };
      await page.goto('/training-calendar');
      await page
        .getByRole('link', { name: /^Enroll Now: .*15 to 19 September 2025/ })
        .first()
        .click();
      await expect(page.getByRole('radio', { name: /15 to 19 September 2025/ })).toBeChecked();
      await ageForm(page);
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Who attends');
      await expect(page.getByText('Your seats are held until')).toBeVisible();
      await page.getByLabel('I attend myself').check();
      await expect(page.getByLabel('Name', { exact: true })).toBeHidden();
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Who pays');
      await page.getByLabel('Your name', { exact: true }).fill('Ada Byron');
      await page.locator('#email').fill(email);
      await page.getByLabel('An organisation pays').check();
      await page.getByLabel('Organisation', { exact: true }).fill('Engines Pty Ltd');
      await page.getByLabel('ABN').fill('12 345 678 901');
      await go('Continue');
      await expect(page.getByRole('alert')).toContainText('This is not a valid ABN');
      await check();
      await page.getByLabel('ABN').fill('51 824 753 556');
      await go('Back');
      await expect(heading).toHaveText('Who attends');
      await go('Continue');
      await expect(page.getByLabel('ABN')).toHaveValue('51 824 753 556');
      await go('Continue');

      await expect(heading).toHaveText('The terms');
      await page.getByLabel(/^I accept the/).check();
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Confirm your address');
      await check();
      await page.getByLabel('Code').fill(await codeOf(email));
      await go('Confirm');

      await expect(heading).toHaveText('Review');
      await expect(page.getByRole('main')).toContainText('Engines Pty Ltd');
      await check();
      await page.getByRole('button', { name: /^Enrol and owe AU/ }).click();
      await expect(heading).toHaveText('You are enrolled');
      await expect(page.getByText(/^BB-[2-9A-HJ-NP-Z]{6}$/)).toBeVisible();
      await check();

      /** As a newcomer reads it at /mail, on this computer and not through a proxy. */
      async function codeOf(address: string): Promise<string> {
        const read = async (path: string) => (await fetch(new URL(path, page.url()))).text();
        const list = await read('/mail');
        const row = list.slice(0, list.indexOf(address)).lastIndexOf('/mail/');
        const id = /\/mail\/[0-9a-f-]{36}/.exec(list.slice(row))?.[0] ?? '';
        const mail = await read(`${id}/html`);
        return />\s*(\d{6})\s*</.exec(mail)?.[1] ?? '';
      }
    });
  });
}
