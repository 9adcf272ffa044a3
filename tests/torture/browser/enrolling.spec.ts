import { ageForm, expect, expectAccessible, test } from '#tests/e2e/fixtures.ts';
import { expectLargeTextToFit, setTextTwiceAsLarge } from '#tests/e2e/large-text.ts';
import { mailedCode } from '#tests/e2e/mailed-code.ts';

test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

test('every screen of enrolling, with faults, and the buyer’s pages: axe in both schemes, text twice as large', async ({
  page,
  context,
  expectConsole,
}) => {
  expectConsole(/status of 4\d\d/);
  await setTextTwiceAsLarge(page);
  const email = `ada@${crypto.randomUUID()}.example`;
  const heading = page.getByRole('heading', { level: 1 });
  const next = () => page.getByRole('button', { name: 'Continue' }).last().click();
  const sign = page.getByRole('button', { name: /^Enrol(,| and) pay / });
  const check = async () => {
    await expectLargeTextToFit(page);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await page.goto('/enrol?course=cissp');
  await page.getByRole('radio', { name: 'Guided study' }).check();
  await ageForm(page);
  await check();
  await next();

  await expect(heading).toHaveText('Who pays');
  await page.getByLabel('An organisation pays').check();
  await page.getByText('Under 18, or something needed').click();
  await page.getByLabel('Under 18 on the first day').check();
  await check();
  await next();
  await expect(page.getByRole('alert')).toContainText('Enter the name of a parent or guardian.');
  await check();
  await page.getByLabel('I pay myself').check();
  await page.getByLabel('Your name', { exact: true }).fill('Ada Byron');
  await page.locator('#email').fill(email);
  await page.getByLabel('I attend myself').check();
  await next();

  await expect(heading).toHaveText('Check and enrol');
  await check();
  const right = await mailedCode(page, email);
  await page.getByLabel('Code from your email').fill(right === '000000' ? '000001' : '000000');
  await sign.click();
  for (const fault of ['This code does not match. 4 tries left.', 'Tick the box'])
    await expect(page.getByRole('alert')).toContainText(fault);
  await check();
  await page.getByRole('link', { name: 'Code from your email' }).click();
  await expect(page.getByLabel('Code from your email')).toBeFocused();
  await page.getByLabel(/^I accept the/).check();
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await expect(page.getByText('A new code is on its way.')).toBeVisible();
  await expect(page.getByLabel(/^I accept the/)).toBeChecked();
  await check();
  await page.getByLabel('Code from your email').fill(await mailedCode(page, email));
  // Another window changes the choice: the tick was for other refunds, so it is asked for again.
  const other = await context.newPage();
  await other.goto(page.url().replace(/\/review.*/, ''));
  await other.getByLabel('Start on').selectOption({ index: 3 });
  await other.getByRole('button', { name: 'Continue' }).last().click();
  await expect(other).toHaveURL(/payer/);
  await other.close();
  await sign.click();
  await expect(page.getByRole('alert')).toContainText('have changed since this page was opened');
  await expect(page.getByLabel(/^I accept the/)).not.toBeChecked();
  await expect(page.getByText(`${email} is confirmed.`)).toBeVisible();
  await check();
  await page.getByLabel(/^I accept the/).check();
  await sign.click();

  await expect(heading).toHaveText('You are enrolled');
  await check();
  await page.getByRole('link', { name: 'Open your enrolment' }).click();
  await expect(page).toHaveURL(/\/enrolment\//);
  await check();
  await page.goto(`${page.url().replace(/[?#].*/, '')}/details`);
  await expect(heading).toHaveText('Correct your details');
  await check();
});
