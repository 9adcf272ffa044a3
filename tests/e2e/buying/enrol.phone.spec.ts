import { ageForm, expect, expectAccessible, expectNoSidewaysScroll, test } from '#tests/e2e/fixtures.ts';
import { mailedCode } from '#tests/e2e/mailed-code.ts';

test('a step back in the browser shows what was chosen, and the same draft is changed', async ({ page }) => {
  await page.goto('/enrol?course=cissp');
  const go = () => page.getByRole('main').getByRole('button', { name: 'Continue', exact: true }).last().click();
  const people = (count: string) => page.getByRole('radio', { name: count, exact: true });
  await people('2').check();
  await ageForm(page);
  await go();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Who pays');
  const draft = page.url();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a date');
  await expect(people('2')).toBeChecked();
  await people('3').check();
  await go();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Who pays');
  expect(page.url()).toBe(draft);
});

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
      const expectInSight = async ({ focus = true } = {}) => {
        for (const size of [
          { width: 1440, height: 900 },
          { width: 375, height: 812 },
        ]) {
          await page.setViewportSize(size);
          const signs = (await heading.textContent()) === 'Check and enrol';
          const first = page.locator('form[id$=-form] :is(input:not([type=hidden], [tabindex="-1"]), select)').first();
          const button = page.getByRole('button', { name: /^(Continue|Enrol(,| and) pay .+)$/ }).last();
          // On a phone the last step begins with what is signed.
          const onPhone = signs && size.width < 1024;
          if (!onPhone) await expect(first).toBeInViewport({ ratio: 0.9 });
          const next = onPhone ? page.getByRole('link', { name: 'Code and enrol' }) : button;
          await expect(next).toBeInViewport({ ratio: 1 });
        }
        // After a step the keyboard goes on from its heading.
        if (javaScriptEnabled && focus) await expect(heading).toBeFocused();
      };
      await page.goto('/training-calendar');
      await page
        .getByRole('link', { name: /^Enroll Now: .*15 to 19 September 2025/ })
        .first()
        .click();
      await expect(page.getByRole('radio', { name: /15 to 19 September 2025/ })).toBeChecked();
      await expectInSight({ focus: false });
      await ageForm(page);
      await check();
      await go('Continue');

      await expect(heading).toHaveText('Who pays');
      await expectInSight();
      await expect(page.getByText('We hold your seats until')).toBeVisible();
      await page.getByLabel('Your name', { exact: true }).fill('Ada Byron');
      await page.locator('#email').fill(email);
      await page.getByLabel('An organisation pays').check();
      await page.getByLabel('Organisation', { exact: true }).fill('Engines Pty Ltd');
      await page.getByLabel('ABN').fill('12 345 678 901');
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('I attend myself').check();
      await expect(page.getByLabel('Name of the attendee')).toBeHidden();
      await go('Continue');
      await expect(page.getByRole('alert')).toContainText('This is not a valid ABN');
      await expect(page.getByRole('alert')).toContainText('Enter a phone number');
      if (javaScriptEnabled) await expect(page.getByRole('alert')).toBeFocused();
      await page.getByLabel('Phone').fill('');
      await check();
      await page.getByLabel('ABN').fill('ABN 51-824-753-556');
      await go('Back to date and people');
      await expect(heading).toHaveText('Choose a date');
      await go('Continue');
      await expect(page.getByLabel('ABN')).toHaveValue('ABN 51-824-753-556');
      await go('Continue');

      await expect(heading).toHaveText('Check and enrol');
      await expectInSight();
      await expect(page.getByRole('main')).toContainText('Engines Pty Ltd');
      // The bar of a phone leads past the terms to where one signs, and ends there.
      const bar = page.getByRole('link', { name: 'Code and enrol' });
      const sign = page.getByRole('button', { name: /^Enrol(,| and) pay / });
      await expect(sign).not.toBeInViewport();
      await bar.click();
      await expect(sign).toBeInViewport({ ratio: 1 });
      const [above, below] = [await bar.boundingBox(), await page.locator('#sign').boundingBox()];
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      await page.getByLabel(/^I accept the/).check();
      await page.getByLabel('Code from your email').fill('12');
      await sign.click();
      await expect(page.getByRole('alert')).toContainText('Enter the six digits');
      await expect(page.getByLabel(/^I accept the/)).toBeChecked();
      if (javaScriptEnabled) await expect(page.getByRole('alert')).toBeFocused();
      await check();
      await page.getByLabel('Code from your email').fill(await mailedCode(page, email));
      await page.getByLabel('Code from your email').press('Enter');
      await expect(heading).toHaveText('You are enrolled');
      await expect(page.getByText(/^BB-[2-9A-HJ-NP-Z]{6}$/)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Copy Reference' })).toHaveCount(javaScriptEnabled ? 1 : 0);
      await expect(page.getByRole('link', { name: 'Open your enrolment' })).toBeVisible();
      await check();
    });
  });
}
