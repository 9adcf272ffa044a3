import type { Page } from '@playwright/test';
import { ageForm, expect, expectAccessible, once, onPhone, openHydrated, test } from './fixtures.ts';

async function fillPerson(page: Page) {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Email').fill('ada@example.com');
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const atOneWidth = javaScriptEnabled ? onPhone : once;
    test(
      'P23: a message is refused with its text kept, mended, sent, and answered with a reference',
      atOneWidth,
      async ({ page, expectConsole }) => {
        expectConsole(/status of 400/);
        await page.goto('/contact?interest=corporate-training');
        await expect(page.getByLabel('Interested In')).toHaveValue('corporate-training');
        await fillPerson(page);
        await page.getByLabel('Email').fill('ada at home');
        await page.getByLabel('Message', { exact: true }).fill('Three analysts,\nin March.');
        await ageForm(page);
        await page.getByRole('button', { name: 'Send Message' }).click();

        const alert = page.getByRole('alert');
        await expect(alert).toContainText('We kept what you wrote');
        await expect(alert.getByRole('link', { name: 'Email' })).toHaveAttribute('href', '#email');
        await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
        await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Three analysts,\nin March.');
        await expect(page.getByLabel('Tell me now and then')).not.toBeChecked();
        if (javaScriptEnabled) {
          await expect(alert).toBeFocused();
          await expectAccessible(page);
        }

        await page.getByLabel('Email').fill('ada@example.com');
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expect(page).toHaveURL(/\/sent\/BB-[2-9A-HJ-NP-Z]{6}\?proof=/);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your message has arrived');
        await expect(page.getByRole('main')).toContainText('within one business day');
        await expect(page.getByText(/^BB-[2-9A-HJ-NP-Z]{6}$/)).toBeVisible();
      },
    );

    test(
      'a message that is too long comes back whole, with its length beside it',
      once,
      async ({ page, expectConsole }) => {
        expectConsole(/status of 400/);
        const long = `${'Long message. '.repeat(500)}End`;
        await page.goto('/contact');
        await fillPerson(page);
        await page.getByLabel('Message', { exact: true }).fill(long);
        await ageForm(page);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expect(page.getByRole('alert')).toContainText(
          'This is 7,003 characters long; the limit is 5,000. Shorten it by 2,003.',
        );
        if (javaScriptEnabled) await expect(page.getByRole('alert')).toBeFocused();
        await expect(page.getByLabel('Message', { exact: true })).toHaveValue(long);
        await expect(page.getByLabel('Message', { exact: true })).toHaveAccessibleDescription(/the limit is 5,000/);
      },
    );

    test(
      'P25: after Back the same message has the same reference; a changed one is never dropped',
      once,
      async ({ page }) => {
        const mailbox = `${crypto.randomUUID()}@example.com`;
        const send = async (message: string) => {
          await fillPerson(page);
          await page.getByLabel('Email').fill(mailbox);
          await page.getByLabel('Message', { exact: true }).fill(message);
          await ageForm(page);
          await page.getByRole('button', { name: 'Send Message' }).click();
          await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your message has arrived');
          return page.getByText(/^BB-[2-9A-HJ-NP-Z]{6}$/).textContent();
        };
        await page.goto('/contact');
        const first = await send('How long is the course?');
        await page.goBack();
        expect(await send('How long is the course?')).toBe(first);
        await page.goBack();
        expect(await send('How long is the course, in weeks?')).not.toBe(first);
      },
    );
  });
}

test('P23: a form larger than the server reads stays on its page, with every word', once, async ({ page }) => {
  await openHydrated(page, '/contact');
  await fillPerson(page);
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('é'.repeat(20_000));
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert')).toContainText('too long to send at once: 118 KB, and the limit is 64 KB');
  await expect(message).toHaveValue('é'.repeat(20_000));
  await message.fill('é');
  await ageForm(page);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your message has arrived');
});
