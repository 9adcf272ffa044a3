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
      /** The first thing to fill in and the button that goes on are in sight before one scrolls, on a desktop too. */
      const expectInSight = async () => {
        for (const size of [
          { width: 1440, height: 900 },
          { width: 375, height: 812 },
        ]) {
          await page.setViewportSize(size);
          const first = page.locator('form[id$=-form] :is(input:not([type=hidden], [tabindex="-1"]), select)');
          const button = page.getByRole('button', { name: /^(Continue|Confirm|Enrol(,| and) pay .+)$/ }).last();
          if ((await first.count()) > 0) await expect(first.first()).toBeInViewport({ ratio: 0.9 });
          await expect(button).toBeInViewport({ ratio: 1 });
        }
        // After a step the keyboard goes on from its heading.
        if (javaScriptEnabled) await expect(heading).toBeFocused();
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
      await expectInSight();
      await expect(page.getByText('We hold your seats until')).toBeVisible();
      await page.getByLabel('I attend myself').check();
      await expect(page.getByLabel('Name', { exact: true })).toBeHidden();
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Who pays');
      await expectInSight();
      await page.getByLabel('Your name', { exact: true }).fill('Ada Byron');
      await page.locator('#email').fill(email);
      await page.getByLabel('An organisation pays').check();
      await page.getByLabel('Organisation', { exact: true }).fill('Engines Pty Ltd');
      await page.getByLabel('ABN').fill('12 345 678 901');
      await page.getByLabel('Phone').fill('12');
      await go('Continue');
      await expect(page.getByRole('alert')).toContainText('This is not a valid ABN');
      await expect(page.getByRole('alert')).toContainText('Enter a phone number');
      if (javaScriptEnabled) await expect(page.getByRole('alert')).toBeFocused();
      await page.getByLabel('Phone').fill('');
      await check();
      await page.getByLabel('ABN').fill('ABN 51-824-753-556');
      await go('Back to “Who attends”');
      await expect(heading).toHaveText('Who attends');
      await go('Continue');
      await expect(page.getByLabel('ABN')).toHaveValue('ABN 51-824-753-556');
      await go('Continue');

      await expect(heading).toHaveText('The terms');
      await expectInSight();
      await page.getByLabel(/^I accept the/).check();
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Confirm your address');
      await expectInSight();
      await check();
      await page.getByLabel('Code').fill(await codeOf(email));
      await go('Confirm');

      await expect(heading).toHaveText('Review');
      await expectInSight();
      await expect(page.getByRole('main')).toContainText('Engines Pty Ltd');
      await check();
      await page.getByRole('button', { name: /^Enrol(,| and) pay / }).click();
      await expect(heading).toHaveText('You are enrolled');
      await expect(page.getByText(/^BB-[2-9A-HJ-NP-Z]{6}$/)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Copy Reference' })).toHaveCount(javaScriptEnabled ? 1 : 0);
      await expect(page.getByRole('link', { name: 'Open your enrolment' })).toBeVisible();
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
